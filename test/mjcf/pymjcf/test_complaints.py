"""Complaints of PyMJCF users, one by one, and their solutions here."""

from __future__ import annotations

import copy
import inspect
import tracemalloc
from struct import pack

import mujoco
import numpy as np
import pytest

from mujoco_ros_py import mjcf
from mujoco_ros_py.mjcf.schema.installed import installed_schema
from mujoco_ros_py.mjcf.schema.specs import ElementSpec
from mujoco_ros_py.mjcf.schema.tables import TABLES

CUBE = b'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n'
SKIN = pack('<4i9f3i', 3, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 2)
SKIN += b'b'.ljust(40, b'\0') + pack('<7f4i3f', 0, 0, 0, 1, 0, 0, 0, 3, 0, 1, 2, 1, 1, 1)


def compiled(model: mjcf.RootElement) -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(model.to_xml_string(), model.get_assets())


def test_elements_that_pymjcf_rejects_are_read_and_compiled():
    part = b'<mujoco model="part"><worldbody><body name="p"><geom size="1"/></body></worldbody>'
    model = mjcf.from_xml_string(
        """
        <mujoco>
          <asset><model name="part" file="part.xml"/></asset>
          <worldbody>
            <frame pos="0 0 1"><geom name="raised" size="1"/></frame>
            <replicate count="3" offset="1 0 0"><geom size="0.1"/></replicate>
            <body name="host"><attach model="part" body="p" prefix="a_"/></body>
            <include file="outer.xml"/>
          </worldbody>
        </mujoco>
        """,
        assets={
            'part.xml': part + b'</mujoco>',
            'outer.xml': b'<mujoco><include file="inner.xml"/></mujoco>',
            'inner.xml': b'<mujoco><geom name="inner" size="1"/></mujoco>',
        },
    )
    result = compiled(model)
    assert result.ngeom == 6
    assert result.geom('raised').pos[2] == 1
    assert result.body('a_p').id > 0


@pytest.mark.parametrize('table', sorted(TABLES.glob('*.txt')), ids=lambda path: path.stem)
@pytest.mark.filterwarnings('ignore::mujoco_ros_py.mjcf.schema.SchemaWarning')
def test_a_mujoco_that_is_newer_than_the_table_is_no_error(table):
    assert isinstance(installed_schema(table.read_text()), ElementSpec)


def test_an_element_costs_what_it_has_and_not_what_it_could_have():
    model = mjcf.RootElement()
    body = model.worldbody.add('body')
    body.add('geom', size=[1])
    tracemalloc.start()
    for _ in range(100):
        body.add('geom', size=[1])
    memory, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert memory / 100 < 1500, 'bytes; an object for each of its attributes takes ten times that'


def test_files_keep_their_names_and_folders(tmp_path):
    model = mjcf.from_xml_string(
        '<mujoco model="m"><compiler meshdir="meshes"/><asset><mesh file="a/cube.obj"/></asset>'
        '</mujoco>',
        assets={'meshes/a/cube.obj': CUBE},
    )
    mjcf.export_with_assets(model, tmp_path, filenames='original')
    assert (tmp_path / 'meshes/a/cube.obj').read_bytes() == CUBE
    assert 'file="meshes/a/cube.obj"' in (tmp_path / 'm.xml').read_text()


def test_included_content_is_where_the_include_is():
    model = mjcf.from_xml_string(
        '<mujoco><worldbody><geom name="a"/><include file="b"/><geom name="c"/></worldbody>'
        '</mujoco>',
        assets={'b': b'<mujoco><geom name="b"/></mujoco>'},
    )
    assert [geom.name for geom in model.worldbody.geom] == ['a', 'b', 'c']


def test_a_child_in_radians_does_not_change_degrees_of_its_parent():
    parent = mjcf.RootElement(model='parent')
    parent.worldbody.add('body').add('joint', range=[-90, 90])
    child = mjcf.RootElement(model='child')
    child.compiler.angle = 'radian'
    child.worldbody.add('body').add('joint', range=[-1, 1])
    with pytest.raises(ValueError, match='angle is degree in the host and radian in the'):
        parent.attach(child)


def test_own_output_with_attached_models_is_parsed_again():
    parent, child = mjcf.RootElement(model='parent'), mjcf.RootElement(model='child')
    body = child.worldbody.add('body', name='b')
    child.actuator.add('motor', name='m', joint=body.add('joint', name='j'))
    child.default.geom.size = [1]
    body.add('geom', name='g')
    parent.attach(child)
    written = parent.to_xml_string()
    again = mjcf.from_xml_string(written)
    assert again.to_xml_string() == written
    assert again.find('actuator', 'child/m').joint is again.find('joint', 'child/j')
    assert compiled(again).actuator('child/m').trnid[0] == 0


def test_comments_stay():
    model = mjcf.from_xml_string('<mujoco>\n  <!-- why --> <option timestep="1"/>\n</mujoco>')
    model.option.timestep = 2
    assert model.to_source() == '<mujoco>\n  <!-- why --> <option timestep="2"/>\n</mujoco>'


def test_models_with_attachments_and_skins_are_copied():
    parent = mjcf.RootElement(model='parent')
    child = mjcf.from_xml_string(
        '<mujoco model="child"><asset><skin file="s.skn"/></asset><worldbody><body name="b">'
        '<geom size="1"/></body></worldbody></mujoco>',
        assets={'s.skn': SKIN},
    )
    parent.attach(child)
    duplicate = copy.deepcopy(parent)
    assert duplicate.to_xml_string() == parent.to_xml_string()
    result = compiled(duplicate)
    assert result.body(result.skin_bonebodyid[0]).name == 'child/b'


def test_everything_public_has_types():
    public = [getattr(mjcf, name) for name in mjcf.__all__]
    classes = [each for each in public if isinstance(each, type)]
    functions = [each for each in public if inspect.isfunction(each)]
    functions += [
        method
        for kind in classes
        for name, method in inspect.getmembers(kind, inspect.isfunction)
        if not name.startswith('_')
    ]
    assert len(functions) > 40
    for function in functions:
        signature = inspect.signature(function)
        for parameter in signature.parameters.values():
            assert parameter.name == 'self' or parameter.annotation is not parameter.empty
        assert signature.return_annotation is not signature.empty, function


def test_a_number_is_written_in_the_digits_that_it_needs():
    geom = mjcf.RootElement().worldbody.add('geom', size=[0.1, 1 / 3])
    assert str(geom) == '<geom size="0.1 0.3333333333333333"/>'


def test_the_outermost_class_of_defaults_may_be_called_main():
    model = mjcf.from_xml_string(
        '<mujoco><default class="main"><geom rgba="1 0 0 1"/></default>'
        '<worldbody><geom name="g" size="1"/></worldbody></mujoco>'
    )
    assert compiled(model).geom('g').rgba.tolist() == [1, 0, 0, 1]


def test_an_array_that_is_edited_in_place_is_written_and_nan_is_refused():
    model = mjcf.RootElement()
    geom = model.worldbody.add('geom', pos=[0, 0, 0])
    geom.pos[2] = 1
    assert 'pos="0 0 1"' in model.to_xml_string()
    with pytest.raises(ValueError, match='pos must be'):
        geom.pos = [0, 0, np.nan]
    geom.pos[2] = np.nan
    with pytest.raises(ValueError, match='pos must be'):
        model.to_xml_string()


def free_robot() -> mjcf.RootElement:
    return mjcf.from_xml_string(
        """
        <mujoco model="robot">
          <worldbody>
            <body name="trunk">
              <freejoint name="root"/><geom size="1"/>
              <body name="leg"><joint name="hip"/><geom size="1"/></body>
            </body>
          </worldbody>
          <keyframe><key name="stand" qpos="0 0 3 1 0 0 0 0.5"/></keyframe>
        </mujoco>
        """
    )


def test_a_child_s_own_free_joint_works():
    arena = mjcf.RootElement()
    arena.worldbody.attach(free_robot(), extra_body=False)
    result = compiled(arena)
    assert result.body('robot/trunk').parentid == 0
    assert result.joint('robot/root').type == mujoco.mjtJoint.mjJNT_FREE


def test_keyframes_of_attached_children_land_in_their_own_qpos():
    arena = mjcf.RootElement()
    arena.worldbody.add('body').add('geom', size=[1])
    arena.worldbody.body[0].add('joint', name='door')
    for _ in range(2):
        arena.worldbody.attach(free_robot(), extra_body=False)
    result = compiled(arena)
    data = mujoco.MjData(result)
    mujoco.mj_resetDataKeyframe(result, data, result.key('robot_1/stand').id)
    assert data.joint('robot_1/root').qpos.tolist() == [0, 0, 3, 1, 0, 0, 0]
    assert data.joint('robot_1/hip').qpos == 0.5
    assert [data.joint(name).qpos for name in ('door', 'robot/hip')] == [0, 0]
