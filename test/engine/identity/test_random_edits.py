"""After any edit, cached code gives the same results as an empty cache and as Python."""

from __future__ import annotations

import os
import random
import shutil
from pathlib import Path
from types import FunctionType

import mujoco
import numba
import pytest
from numba.extending import overload, register_jitable

from mujoco_ros_py.engine import (
    CallbackTable,
    Loop,
    Point,
    cache,
    compile_callback,
    inlined,
    machine_code,
    new_state,
)

from .programs import MODULES, Program, World

pytestmark = pytest.mark.slow

EDITS = int(os.environ.get('EDITS', '100'))
EDITS_OF_A_PROGRAM = 10
NUMBA = {'njit': numba.njit, 'inlined': inlined, 'jitable': register_jitable, 'overload': overload}


def plain(*functions, **options):
    """A decorator that returns functions unchanged, with or without arguments."""
    return functions[0] if functions and callable(functions[0]) else lambda function: function


def plain_overload(function):
    """Makes Python run the code that numba would compile instead of a function."""

    def decorate(overloaded):
        implementation = overloaded()
        function.__code__ = implementation.__code__
        function.__defaults__ = implementation.__defaults__

    return decorate


PYTHON = {'njit': plain, 'inlined': plain, 'jitable': plain, 'overload': plain_overload}


class Runner:
    """Runs callbacks one after the other in the same simulation."""

    def __init__(self) -> None:
        self.loop = Loop()
        xml = '<mujoco><worldbody><body><joint/><geom size="1"/></body></worldbody></mujoco>'
        model = mujoco.MjModel.from_xml_string(xml)
        self.loop.adopt(model, mujoco.MjData(model))

    def result(self, function) -> float:
        state, faults = new_state(out=-1.0), []
        callback = compile_callback(Point.CONTROL, function, state)
        self.loop.use(CallbackTable([callback], lambda _, error: faults.append(error)))
        self.loop.record.paused, self.loop.record.burst = 1, 1
        self.loop.run()
        assert not faults
        return float(state.out)


@pytest.fixture(scope='module')
def runner():
    runner = Runner()
    runner.result(lambda state, model, data: None)  # the loop itself is compiled
    yield runner
    runner.loop.release()


@pytest.fixture
def kept(tmp_path, monkeypatch) -> Path:
    """Returns the folder of the cache."""
    monkeypatch.setattr(cache, 'folder', lambda: tmp_path / 'kept')
    monkeypatch.setattr(machine_code, '_loaded', {})
    return tmp_path / 'kept'


def count(folder: Path) -> int:
    return len(list(folder.glob('*')))


def uncached(runner, function, folder: Path, monkeypatch) -> float:
    """Returns the result with an empty cache."""
    with monkeypatch.context() as patch:
        patch.setattr(cache, 'folder', lambda: folder)
        patch.setattr(machine_code, '_loaded', {})
        result = runner.result(function)
    shutil.rmtree(folder)
    return result


def edit_in_memory(generator: random.Random, program: Program, worlds: list[World]) -> None:
    """Makes the same change in all worlds, without running their text again."""
    module, index = generator.choice(MODULES), generator.randrange(2)
    value = program.value(index)
    called = [each for each in program.helpers if each.kind in ('njit', 'njit()', 'inlined')]
    pick = generator.random() if called else 0
    target = generator.choice(called) if called else None
    for world in worlds:
        if pick < 0.5:
            setattr(world.modules[module], f'C{index}', value)
        elif pick < 0.7:
            python(world, target).__defaults__ = (float(value),)
        elif pick < 0.85:
            (cell,) = world.callback.__closure__
            cell.cell_contents = float(value)
        elif world.decorators is NUMBA and target.kind != 'inlined':
            options = getattr(world.modules[target.module], target.name).targetoptions
            options['fastmath'] = not options.get('fastmath')


def python(world: World, target) -> FunctionType:
    function = getattr(world.modules[target.module], target.name)
    return getattr(function, 'py_func', function)


def edit(generator: random.Random, program: Program, worlds: list[World], file_name) -> None:
    """Edits the objects in memory, or edits the text and runs it again."""
    if generator.random() < 0.3:
        edit_in_memory(generator, program, worlds)
        return
    program.edit()
    for world in worlds:
        world.run(program, file_name)


def seeds() -> list[object]:
    others = range(1, -(-EDITS // EDITS_OF_A_PROGRAM))
    return [0, *(pytest.param(seed, marks=pytest.mark.nightly) for seed in others)]


@pytest.mark.parametrize('seed', seeds())
def test_code_from_the_cache_is_that_of_an_empty_one(runner, kept, tmp_path, monkeypatch, seed):
    generator = random.Random(seed)
    program, worlds = Program(generator), [World(NUMBA), World(PYTHON)]
    file_name = generator.choice([lambda name: f'{name}.py', lambda name: '<string>'])
    for world in worlds:
        world.run(program, file_name)
    for _ in range(EDITS_OF_A_PROGRAM):
        edit(generator, program, worlds, file_name)
        if generator.random() < 0.5:
            machine_code._loaded.clear()  # as in another process
        function, expected = (world.callback for world in worlds)
        before, state = count(kept), new_state(out=-1.0)
        result = runner.result(function)
        expected(state, None, None)
        assert result == pytest.approx(float(state.out)), program.parts()
        if count(kept) == before:  # otherwise it was compiled just now
            assert result == uncached(runner, function, tmp_path / 'empty', monkeypatch)


@pytest.mark.parametrize('seed', seeds())
def test_programs_that_are_equal_share_their_code(runner, kept, seed):
    program = Program(random.Random(seed))
    files = []
    for _ in range(2):
        world = World(NUMBA)
        world.run(program, lambda name: f'{name}.py')
        machine_code._loaded.clear()
        runner.result(world.callback)
        files.append(count(kept))
    assert files[0] == files[1] > 0
