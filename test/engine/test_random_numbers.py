"""Random numbers are drawn in Python; compiled plugin functions cannot draw any."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import mujoco
import numba
import numpy as np
import pytest
from numba.extending import overload
from numpy.random import normal

from mujoco_ros_py.engine import (
    CallbackTable,
    Point,
    compile_callback,
    compile_message_function,
    inlined,
    new_state,
    separate,
)
from mujoco_ros_py.errors import PluginError

MODEL = '<mujoco><worldbody><body><joint/><geom size="1"/></body></worldbody></mujoco>'
GENERATOR = np.random.default_rng(3)


def by_module(state, model, data):
    state.out = np.random.uniform(0.0, 1.0)


def by_variable(state, model, data):
    drawn = np.random
    state.out = drawn.rand()


def by_name(state, model, data):
    state.out = normal()


def by_python(state, model, data):
    state.out = random.random()


def by_a_method_of_python(state, model, data):
    state.out = random.gauss(0.0, 1.0)


def by_shuffling(state, model, data):
    np.random.shuffle(data.qpos)


def by_seed(state, model, data):
    np.random.seed(3)


def by_a_new_generator(state, model, data):
    state.out = np.random.default_rng(3).normal()


def by_a_generator(state, model, data):
    state.out = GENERATOR.normal()


def by_mujoco(state, model, data):
    state.out = mujoco.mju_standardNormal(None)


@numba.njit
def draw():
    return np.random.rand()


@inlined
def draw_inlined():
    return random.uniform(0.0, 1.0)


@separate
def draw_separately(numbers):
    numbers[0] = np.random.rand()


def draw_overloaded() -> float:
    raise AssertionError('numba runs the implementation below')


@overload(draw_overloaded)
def _overloaded() -> Callable[[], Any]:
    return lambda: np.random.exponential(2.0)


def by_a_helper(state, model, data):
    state.out = draw()


def by_inlining(state, model, data):
    state.out = draw_inlined()


def by_a_separate_function(state, model, data):
    draw_separately(data.ctrl)


def by_an_overload(state, model, data):
    state.out = draw_overloaded()


REFUSED = [
    (by_module, 'numpy.random.uniform'),
    (by_variable, 'numpy.random.rand'),
    (by_name, 'numpy.random.normal'),
    (by_python, 'random.random'),
    (by_a_method_of_python, 'random.gauss'),
    (by_shuffling, 'numpy.random.shuffle'),
    (by_seed, 'numpy.random.seed'),
    (by_a_new_generator, 'numpy.random.default_rng'),
    (by_a_generator, 'a generator (Generator)'),
    (by_mujoco, 'mujoco.mju_standardNormal'),
    (by_a_helper, 'numpy.random.rand'),
    (by_inlining, 'random.uniform'),
    (by_a_separate_function, 'numpy.random.rand'),
    (by_an_overload, 'numpy.random.exponential'),
]


@pytest.mark.parametrize(('function', 'name'), REFUSED)
def test_a_callback_that_draws_random_numbers_is_refused_with_what_to_do(function, name):
    with pytest.raises(PluginError) as raised:
        compile_callback(Point.CONTROL, function, new_state(out=0.0))
    sentence = (
        f'{name} uses random numbers that no run could repeat; draw them in Python, from'
        ' numpy.random.default_rng(seed), into an array of the state, in `'
    )
    assert f' does not compile: {sentence}' in str(raised.value)
    assert __file__ in str(raised.value)


def test_a_function_of_messages_draws_none_either():
    def fill(state, model, data, message):
        message.x = np.random.rand()

    layout = np.dtype([('x', float)])
    with pytest.raises(PluginError, match=r'numpy\.random\.rand uses random numbers'):
        compile_message_function(fill, None, layout, fills=True)


@pytest.mark.slow
def test_compiled_functions_that_python_calls_draw_as_numba_has_it():
    @numba.njit
    def drawn(generator):
        np.random.seed(5)
        return np.random.rand(), generator.random()

    for function, _ in REFUSED[:2]:
        with pytest.raises(PluginError):
            compile_callback(Point.CONTROL, function, new_state(out=0.0))
    expected = np.random.RandomState(5).rand(), np.random.default_rng(7).random()
    assert drawn(np.random.default_rng(7)) == expected


def test_numbers_that_were_drawn_into_the_state_are_the_same_in_each_run(run):
    def push(state, model, data):
        state.drawn += 1
        data.qfrc_applied[0] = state.numbers[state.drawn - 1]

    def positions() -> list[float]:
        numbers = np.random.default_rng(11).normal(size=5)
        state = new_state(numbers=numbers, drawn=0)
        table = CallbackTable([compile_callback(Point.CONTROL, push, state)])
        model = mujoco.MjModel.from_xml_string(MODEL)
        data = mujoco.MjData(model)
        run(model, data, table, steps=5)
        assert data.qfrc_applied[0] == numbers[4]
        return [data.qpos[0], data.qvel[0]]

    assert positions() == positions()
