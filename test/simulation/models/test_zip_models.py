"""Models in zip files, which are never written to the disk."""

from __future__ import annotations

import base64
import io
import re
import subprocess
import sys
import threading
import zipfile
from pathlib import Path

import mujoco
import numpy as np
import pytest
from PIL import Image

from mujoco_ros_py.engine.resources import memory, register_shipped
from mujoco_ros_py.errors import ModelError
from mujoco_ros_py.simulation import ModelSource, compile_model
from mujoco_ros_py.simulation.models import compilation

SMALL = b'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n'
LARGE = SMALL.replace(b'1', b'2', 3)


def png() -> bytes:
    content = io.BytesIO()
    Image.new('RGB', (2, 2), 'orange').save(content, 'PNG')
    return content.getvalue()


ROBOT = {
    'robot/model.xml': b"""
        <mujoco>
          <compiler meshdir="meshes"/>
          <include file="parts/assets.xml"/>
          <asset>
            <mesh name="base" file="../../shared/part.obj"/>
            <hfield name="hills" file="../parts/hills.bin" size="1 1 1 1"/>
            <texture name="wood" type="2d" file="parts/wood.png"/>
            <model name="hand" file="hand/part.xml"/>
          </asset>
          <deformable><skin file="../parts/skin.skn"/></deformable>
          <worldbody>
            <geom type="hfield" hfield="hills"/>
            <body name="arm">
              <geom type="mesh" mesh="arm" mass="1"/><geom type="mesh" mesh="base" mass="1"/>
              <frame><attach model="hand" body="palm" prefix="hand/"/></frame>
            </body>
          </worldbody>
        </mujoco>""",
    'robot/parts/assets.xml': (
        b'<mujoco><asset><mesh name="arm" file="part.obj"/></asset></mujoco>'
    ),
    'robot/hand/part.xml': b"""
        <mujoco>
          <asset><mesh name="palm" file="part.obj" scale="2 2 2"/></asset>
          <worldbody><body name="palm"><geom type="mesh" mesh="palm" mass="1"/></body></worldbody>
        </mujoco>""",
    'robot/meshes/part.obj': SMALL,
    'robot/hand/part.obj': SMALL.replace(b'1 0 0', b'3 0 0'),
    'shared/part.obj': LARGE,
    'robot/parts/hills.bin': np.array([2, 2], np.int32).tobytes()
    + np.arange(4, dtype='f').tobytes(),
    'robot/parts/wood.png': png(),
    'robot/parts/skin.skn': (
        np.array([3, 0, 1, 1], np.int32).tobytes()
        + np.eye(3, dtype='f').tobytes()
        + np.array([0, 1, 2], np.int32).tobytes()
        + b'arm'.ljust(40, b'\0')
        + np.array([0, 0, 0, 1, 0, 0, 0], 'f').tobytes()
        + np.array([3, 0, 1, 2], np.int32).tobytes()
        + np.ones(3, 'f').tobytes()
    ),
}
"""Files of all kinds, of which four have one name."""
SIMPLE = b'<mujoco model="simple"><worldbody><body name="b"/></worldbody></mujoco>'
MESH = b'<mujoco><asset><mesh name="m" file="meshes/part.obj"/></asset></mujoco>'


def packed(files: dict[str, bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, 'w', zipfile.ZIP_DEFLATED) as archive:
        for name, each in files.items():
            archive.writestr(name, each)
    return content.getvalue()


@pytest.fixture
def zipped(tmp_path):
    """`zipped(files)`: the path of a zip."""

    def make(files: dict[str, bytes], name: str = 'robot.zip') -> Path:
        path = tmp_path / name
        path.write_bytes(packed(files))
        return path

    return make


def load(path: object) -> mujoco.MjModel:
    return compile_model(ModelSource(path=str(path)))


def refusal(path: object) -> str:
    with pytest.raises(ModelError) as caught:
        load(path)
    return str(caught.value)


def values(model: mujoco.MjModel) -> dict[str, object]:
    """All but the names of files, which differ by the folder."""
    named = {
        name: getattr(model, name)
        for name in dir(model)
        if not name.startswith('_') and not name.endswith('pathadr')
    }
    return {
        name: value.tolist() if isinstance(value, np.ndarray) else value
        for name, value in named.items()
        if isinstance(value, np.ndarray | int | bytes)
        and name not in ('nbuffer', 'npaths', 'paths')
    }


def test_a_model_is_that_of_the_unpacked_folder(zipped, tmp_path):
    for name, content in ROBOT.items():
        path = tmp_path / 'folder' / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    expected = values(load(tmp_path / 'folder/robot/model.xml'))
    assert expected['nmesh'] == 3
    assert (expected['nhfield'], expected['ntex'], expected['nskin']) == (1, 1, 1)
    assert values(load(zipped(ROBOT))) == expected


@pytest.mark.parametrize('name', ['robot.zip', 'Robot 2.ZIP', 'a.zip.zip'])
def test_the_only_model_of_a_zip_needs_no_name(zipped, name):
    assert load(zipped({'a/scene.xml': SIMPLE, 'a/x.txt': b''}, name)).body('b').id == 1


def test_another_file_of_a_zip_is_named_behind_an_exclamation_mark(zipped):
    path = zipped({'model.xml': b'<mujoco/>', 'a/scene.xml': SIMPLE, 'old.zip': b''})
    assert load(path).nbody == 1
    assert load(f'{path}!/').nbody == 1
    assert load(f'{path}!/a/scene.xml').nbody == 2
    assert load(f'zip:{path}!/a/scene.xml').nbody == 2


def test_a_zip_may_be_given_by_a_relative_path(zipped, monkeypatch):
    path = zipped(ROBOT)
    monkeypatch.chdir(path.parent)
    (path.parent / 'deep').mkdir()
    for relative in 'robot.zip', './robot.zip', 'deep//../robot.zip':
        assert load(relative).nmesh == 3
    monkeypatch.chdir('deep')
    assert load('../robot.zip').nmesh == 3


def test_a_zip_comes_from_any_resource_provider(monkeypatch, tmp_path):
    register_shipped()
    content = packed(ROBOT)
    index = tmp_path / 'share/ament_index/resource_index/packages'
    index.mkdir(parents=True)
    (index / 'arm').touch()
    (tmp_path / 'share/arm').mkdir()
    (tmp_path / 'share/arm/robot.zip').write_bytes(content)
    monkeypatch.setenv('AMENT_PREFIX_PATH', str(tmp_path))
    for uri in (
        'package://arm/robot.zip',
        memory.put('models/robot.zip', content),
        f'data:;base64,{base64.urlsafe_b64encode(content).decode()}#robot.zip',
    ):
        assert load(uri).nmesh == 3
        assert load(f'{uri}!/robot/hand/part.xml').nmesh == 1


@pytest.mark.slow
def test_a_provider_is_not_needed_for_the_path_of_a_zip(zipped):
    program = (
        'import sys; from mujoco_ros_py.simulation import ModelSource, compile_model;'
        'print(compile_model(ModelSource(path=sys.argv[1])).nmesh)'
    )
    done = subprocess.run(
        [sys.executable, '-c', program, zipped(ROBOT)], check=True, capture_output=True, text=True
    )
    assert done.stdout == '3\n'


def test_what_lies_beside_the_zip_or_in_the_working_directory_is_not_read(
    zipped, tmp_path, monkeypatch
):
    path = zipped({'model.xml': MESH})
    (tmp_path / 'meshes').mkdir()
    (tmp_path / 'meshes/part.obj').write_bytes(SMALL)
    monkeypatch.chdir(tmp_path)
    said = refusal(path)
    assert (
        f'zip:{path}!/meshes/part.obj: no such file in the archive; it contains model.xml' in said
    )


@pytest.mark.parametrize(
    ('files', 'reason'),
    [
        (
            {'a.txt': b''},
            r"must have a single XML file, or a file 'robot\.xml' or 'model\.xml'; it has: none",
        ),
        (
            {'a.xml': SIMPLE, 'b.xml': SIMPLE},
            r"must have a single XML file, or a file 'robot\.xml' or 'model\.xml'; it has: a\.xml,"
            r' b\.xml; choose one with .*robot\.zip!/<path>',
        ),
        ({'model.xml': SIMPLE, '../b.xml': SIMPLE}, r"has a file '\.\./b\.xml' that leads out"),
    ],
)
def test_a_zip_without_a_model_or_not_to_be_read_is_refused(zipped, files, reason):
    path = zipped(files)
    assert re.fullmatch(f'{re.escape(str(path))} {reason}.*', refusal(path))


@pytest.mark.parametrize(
    ('content', 'reason'),
    [
        (b' \n', 'is empty'),
        (b'\0\1', 'is binary, not XML'),
        (b'<!--' + b' ' * 1000 + b'-->', 'MJCF must have at most 1,000 bytes'),
        (b'<mujoco>\n<bodi/></mujoco>', 'XML Error: Schema violation: unrecognized element'),
    ],
)
def test_the_error_of_a_model_in_a_zip_names_the_file(zipped, monkeypatch, content, reason):
    monkeypatch.setattr(compilation, '_MAX_BYTES', 1000)
    path = zipped({'robot/model.xml': content})
    said = refusal(path)
    assert said.startswith(f'zip:{path}!/robot/model.xml: ')
    assert reason in said


def test_a_file_that_is_not_there_is_an_error_that_tells_what_is_near(zipped):
    path = zipped({'robot/scene.xml': SIMPLE})
    reason = 'no such file in the archive; it contains robot/scene.xml'
    assert refusal(f'{path}!/robot/scenes.xml') == f'zip:{path}!/robot/scenes.xml: {reason}'


def test_no_file_a_folder_and_what_is_no_zip_are_errors(tmp_path):
    (tmp_path / 'folder.zip').mkdir()
    (tmp_path / 'text.zip').write_text('text')
    assert refusal(tmp_path / 'none.zip') == f'{tmp_path}/none.zip: no such file'
    assert refusal(tmp_path / 'folder.zip') == f'{tmp_path}/folder.zip: is not a file'
    said = f'{tmp_path}/text.zip is not a readable zip file: File is not a zip file'
    assert refusal(tmp_path / 'text.zip') == said
    assert 'too long' in refusal(f'{"x" * 300}.zip')


def test_a_new_zip_of_the_same_name_is_read_anew(zipped):
    for vertices in 4, 5, 6:
        mesh = SMALL + b'v 2 2 2\n' * (vertices - 4)
        path = zipped({'model.xml': MESH, 'meshes/part.obj': mesh})
        assert load(path).nmeshvert == vertices


def test_zips_of_one_name_are_loaded_on_several_threads_at_once():
    register_shipped()
    uri, failures = memory.put('many/robot.zip', packed(ROBOT)), []

    def work() -> None:
        for _ in range(5):
            if load(uri).nmesh != 3:
                failures.append(uri)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_a_zip_is_not_held_when_its_model_is_compiled():
    register_shipped()
    uri = memory.put('once/robot.zip', packed(ROBOT))
    assert load(uri).nmesh == 3
    assert 'No such file' in refusal(f'zip:{uri}!/robot/model.xml')


def test_the_model_of_several_is_called_as_its_zip(zipped):
    part = {'a/model.xml': b'<mujoco/>', 'a/part.xml': b'<mujoco/>'}
    assert load(zipped({**part, 'a/robot.xml': SIMPLE})).nbody == 2
    assert load(zipped(part, 'other.zip')).nbody == 1


@pytest.mark.parametrize(
    'name',
    [
        '../other.zip!/part.xml',
        '{}/part.xml',
        'zip:{}/other.zip!/part.xml',
        'mem:robot/part.xml',
        "data:text/xml,<mujoco><include file='%2F{}/part.xml'/></mujoco>",
    ],
)
def test_a_model_in_a_zip_reads_no_file_that_is_not_in_it(zipped, tmp_path, name):
    register_shipped()
    part = b'<mujoco><worldbody><body name="stolen"/></worldbody></mujoco>'
    zipped({'part.xml': part}, 'other.zip')
    (tmp_path / 'part.xml').write_bytes(part)
    memory.put('robot/part.xml', part)
    file = name.format(str(tmp_path)).replace('<', '&lt;')
    robot = {'model.xml': f'<mujoco><include file="{file}"/></mujoco>'.encode()}
    refusal(zipped(robot))
    robot['part.xml'] = robot.pop('model.xml')
    robot['model.xml'] = b'<mujoco><include file="part.xml"/></mujoco>'
    assert 'it may name only files that come with it' in refusal(zipped(robot))


def test_a_folder_of_meshes_outside_of_a_zip_is_refused(zipped, tmp_path):
    (tmp_path / 'part.obj').write_bytes(SMALL)
    for folder in str(tmp_path), '../other.zip!':
        mesh = MESH.replace(b'meshes/part.obj', b'part.obj')
        model = mesh.replace(b'<asset>', f'<compiler meshdir="{folder}"/><asset>'.encode())
        assert f'names {folder!r}; it may name only' in refusal(zipped({'model.xml': model}))
