"""Models from URDF files, texts, archives and URIs, and their messages."""

from __future__ import annotations

import logging
import zipfile

import pytest

from mujoco_ros_py.engine.resources import memory, register_shipped
from mujoco_ros_py.errors import ModelError
from mujoco_ros_py.named_files import is_urdf
from mujoco_ros_py.processes import MIB, Limits
from mujoco_ros_py.simulation import ModelCompiler, ModelSource, compile_model

MESH = b'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n'
URDF = """<?xml version="1.0"?>
<!-- <mujoco/> -->
<robot name="arm">
  <link name="base"/>
  <link name="camera">
    <visual><geometry><mesh filename="parts/lens.obj"/></geometry></visual>
  </link>
  <joint name="mount" type="fixed"><parent link="base"/><child link="camera"/></joint>
  <gazebo><plugin name="control"/></gazebo>
  <gazebo reference="camera"><sensor name="view"/></gazebo>
</robot>
"""
LEFT_OUT = (
    'not converted: Gazebo plugins: control; Gazebo sensors (use sensor plugins instead): view'
)


def has_all(model):
    names = [model.body(k).name for k in range(model.nbody)]
    return names == ['world', 'base', 'camera'] and model.nmesh == 1


@pytest.fixture
def robot(tmp_path):
    (tmp_path / 'parts').mkdir()
    (tmp_path / 'parts/lens.obj').write_bytes(MESH)
    (tmp_path / 'arm.urdf').write_text(URDF)
    return tmp_path


def test_a_file_keeps_all_links_and_finds_its_meshes(robot, caplog):
    caplog.set_level(logging.INFO)
    path = str(robot / 'arm.urdf')
    assert has_all(compile_model(ModelSource(path=path)))
    assert caplog.messages == [f'{path}: {LEFT_OUT}']


def test_a_text_names_files_from_the_present_folder_and_of_its_assets(robot, monkeypatch):
    monkeypatch.chdir(robot)
    assert has_all(compile_model(ModelSource(xml=URDF)))
    monkeypatch.chdir('/')
    assert has_all(compile_model(ModelSource(xml=URDF, assets={'parts/lens.obj': MESH})))
    with pytest.raises(ModelError, match=r"^mujoco_xml: Line 6: .*<mesh>: 'parts/lens\.obj' can"):
        compile_model(ModelSource(xml=URDF))


def test_a_robot_is_in_an_archive_with_its_meshes(robot):
    register_shipped()
    with zipfile.ZipFile(robot / 'arm.zip', 'w') as archive:
        archive.writestr('robots/arm.urdf', URDF)
        archive.writestr('robots/parts/lens.obj', MESH)
    assert has_all(compile_model(ModelSource(path=f'{robot}/arm.zip!/robots/arm.urdf')))


def test_a_robot_comes_from_a_provider_with_its_meshes():
    register_shipped()
    memory.put('robots/parts/lens.obj', MESH)
    assert has_all(compile_model(ModelSource(path=memory.put('robots/arm.urdf', URDF.encode()))))


@pytest.mark.slow
def test_what_is_left_out_is_said_once_also_by_the_process_that_compiles(robot, caplog):
    caplog.set_level(logging.INFO)
    limits = Limits(memory=512 * MIB, time_s=40.0, memory_name='memory', time_name='time')
    compiler = ModelCompiler(limits)
    try:
        assert has_all(compiler.compile(ModelSource(path=str(robot / 'arm.urdf'))))
    finally:
        compiler.close()
    assert [each for each in caplog.messages if 'not converted' in each] == [
        f'{robot / "arm.urdf"}: {LEFT_OUT}'
    ]


def test_what_mujoco_does_not_compile_is_an_error_with_its_reason(robot):
    (robot / 'parts/lens.obj').write_bytes(b'v 0 0 0\n')
    with pytest.raises(ModelError, match=r'arm\.urdf: does not compile as MJCF: [^|]*lens'):
        compile_model(ModelSource(path=str(robot / 'arm.urdf')))


def test_what_the_mujoco_element_names_must_be_there(robot):
    lacking = '<mujoco><asset><mesh name="lost" file="lost.obj"/></asset></mujoco></robot>'
    (robot / 'arm.urdf').write_text(URDF.replace('</robot>', lacking))
    with pytest.raises(ModelError, match=r'arm\.urdf: .*lost\.obj'):
        compile_model(ModelSource(path=str(robot / 'arm.urdf')))


@pytest.mark.parametrize(
    'element', ['<include file="{}"/>', '<asset><model name="m" file="{}"/></asset>']
)
def test_a_text_that_includes_a_file_that_is_no_model_shows_nothing_of_it(tmp_path, element):
    (tmp_path / 'settings.xml').write_text('<the-secret><the-secret a=/></the-secret>')
    inside = element.format(tmp_path / 'settings.xml')
    text = f'<robot name="r"><link name="a"/><mujoco>{inside}</mujoco></robot>'
    with pytest.raises(ModelError, match='whose root element is neither') as caught:
        compile_model(ModelSource(xml=text))
    assert 'secret' not in str(caught.value)


def test_a_part_that_is_mjcf_is_included(tmp_path):
    (tmp_path / 'part.xml').write_text('<mujocoinclude><option timestep="0.25"/></mujocoinclude>')
    text = '<robot name="r"><link name="a"/><mujoco><include file="part.xml"/></mujoco></robot>'
    (tmp_path / 'a.urdf').write_text(text)
    assert compile_model(ModelSource(path=str(tmp_path / 'a.urdf'))).opt.timestep == 0.25


def test_a_file_for_xacro_says_what_to_do(tmp_path):
    (tmp_path / 'arm.urdf.xacro').write_text(
        '<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:include filename="a"/></robot>'
    )
    with pytest.raises(ModelError, match=r'xacro: Line 1: .*xacro is not evaluated: run `xacro'):
        compile_model(ModelSource(path=str(tmp_path / 'arm.urdf.xacro')))


def test_a_mesh_that_is_no_regular_file_is_not_opened(robot):
    text = URDF.replace('parts/lens.obj', '/dev/zero.obj').replace('zero.obj', 'zero')
    with pytest.raises(ModelError, match='is a device, not a file'):
        compile_model(ModelSource(xml=text))


@pytest.mark.parametrize(
    ('text', 'is_one'),
    [
        ('<robot/>', True),
        ('\ufeff \n<robot>', True),
        (URDF, True),
        ('<!DOCTYPE a [<!ENTITY b "<robot>">]><mujoco/>', False),
        ('<!-- <robot/> --><mujoco/>', False),
        ('<!-- <robot/>', False),
        ('<mujoco/>', False),
        ('<robots/>', False),
        ('robot', False),
        ('', False),
    ],
)
def test_a_urdf_is_known_by_its_root(text, is_one):
    assert is_urdf(text.encode()) == is_one
