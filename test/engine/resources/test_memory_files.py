from __future__ import annotations

import threading

import mujoco
import numpy as np
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.engine.resources import Memory, read, register
from mujoco_ros_py.errors import ResourceError

from .assets import OBJ, ROBOT, check_robot, with_meshes


@pytest.fixture
def memory() -> Memory:
    memory = Memory()
    register(memory)
    return memory


def test_a_model_with_all_that_it_names_is_given_by_the_program(memory):
    uris = {memory.put(f'robot/{name}', content) for name, content in ROBOT.items()}
    assert 'mem://robot/main.xml' in uris
    check_robot(mujoco.MjModel.from_xml_path('mem://robot/main.xml'))


@pytest.mark.parametrize(
    'uri', ['mem:a/b.obj', 'mem:/a/b.obj', 'mem://a/b.obj', 'mem:a/../a/./b.obj', 'MEM:a/b.obj']
)
def test_a_name_is_a_path(memory, uri):
    memory.put('/a/b.obj', OBJ)
    assert mujoco.MjModel.from_xml_string(with_meshes(uri)).nmesh == 1


def test_content_is_copied(memory):
    content = np.frombuffer(OBJ, np.uint8).copy()
    uri = memory.put('a.obj', content)
    content[:] = 0
    assert read(uri) == OBJ


def test_content_that_was_put_anew_is_loaded_anew(memory):
    for vertices in range(4, 8):
        uri = memory.put('a.obj', OBJ + b'v 2 2 2\n' * (vertices - 4))
        for _ in range(2):
            model = mujoco.MjModel.from_xml_string(with_meshes(uri))
            assert model.nmeshvert == vertices


def test_an_unknown_name_is_an_error_that_tells_what_there_is(memory):
    memory.put('b.xml', b'<mujoco/>')
    memory.put('a.obj', OBJ)
    with pytest.raises(
        ValueError, match=r'mem:c\.obj: there is no file .*; known: a\.obj, b\.xml'
    ):
        mujoco.MjModel.from_xml_string(with_meshes('mem:c.obj'))
    memory.remove('a.obj')
    memory.remove('b.xml')
    assert memory.names() == []
    with pytest.raises(ResourceError, match=r"there is no file 'a\.obj'; known: none"):
        read('mem:a.obj')
    with pytest.raises(KeyError):
        memory.remove('a.obj')


def test_many_threads_put_load_and_remove(memory):
    failures = []

    def work(number: int) -> None:
        try:
            for vertices in range(4, 24):
                uri = memory.put(f'{number}.obj', OBJ + b'v 2 2 2\n' * (vertices - 4))
                model = mujoco.MjModel.from_xml_string(with_meshes(uri))
                assert model.nmeshvert == vertices
                memory.remove(f'{number}.obj')
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=[number]) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(DEADLINE_S)
    assert not failures
    assert memory.names() == []
