"""Runs compiled functions that recurse, most of them endlessly, and prints the results.

A separate process, because a stack overflow ends the process.
"""

from __future__ import annotations

import json
import logging
import threading
import traceback

import mujoco
from numba import njit

from mujoco_ros_py.engine import (
    PHYSICS,
    CallbackTable,
    CompiledPaint,
    Loop,
    Point,
    compile_callback,
    new_state,
)
from mujoco_ros_py.engine.engine_plugins import Capability, EnginePlugin, register

MODEL = '<mujoco><worldbody><body><joint/><geom size="1"/></body></worldbody></mujoco>'
WITH_PLUGIN = """
<mujoco>
  <extension><plugin plugin="test.endless"><instance name="it"/></plugin></extension>
  <worldbody><body><plugin instance="it"/><joint/><geom size="1"/></body></worldbody>
</mujoco>
"""
ENDLESS, SMALL_STACK = 1_000_000_000_000, 256 * 1024


@njit
def alone(depth):
    if depth == 0:
        return 1.0
    return 1.0 + alone(depth - 1)


@njit
def first(depth):
    if depth == 0:
        return 1.0
    return 1.0 + second(depth - 1)


@njit
def second(depth):
    if depth == 0:
        return 2.0
    return 1.0 + third(depth - 1)


@njit
def third(depth):
    if depth == 0:
        return 3.0
    return 1.0 + first(depth - 1)


@njit
def retyped(depth, value):
    if depth == 0:
        return 1.0
    return value + retyped(depth - 1, 1)


@njit('float64(int64)')
def declared(depth):
    if depth == 0:
        return 1.0
    return 1.0 + declared(depth - 1)


@njit
def stepping(model, data, depth):
    mujoco.mj_forward(model, data)
    if depth == 0:
        return 1.0
    return 1.0 + stepping(model, data, depth - 1)


def call_alone(state, model, data):
    state.result = alone(state.depth)


def call_mutual(state, model, data):
    state.result = second(state.depth)
    state.result = first(state.depth)


def call_retyped(state, model, data):
    state.result = retyped(state.depth, 1.0)


def call_declared(state, model, data):
    state.result = declared(state.depth)


def call_stepping(state, model, data):
    state.result = stepping(model, data, state.depth)


def paint(state, model, data, scene):
    state.result = alone(state.depth)


class Endless(EnginePlugin):
    name = 'test.endless'
    capabilities = Capability.PASSIVE

    @staticmethod
    def compute_passive(p, model, data):
        data.qfrc_passive[0] = alone(ENDLESS)


CASES = {
    'alone': call_alone,
    'mutual': call_mutual,
    'retyped': call_retyped,
    'declared': call_declared,
    'stepping': call_stepping,
}


def told(error):
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return [type(error).__name__, str(error), frame.name, frame.line]


def count(state, model, data):
    state.calls += 1


def run(function, depth):
    """Returns results or exceptions of a callback in two steps, and another's calls."""
    model = mujoco.MjModel.from_xml_string(MODEL)
    state, other, faults = new_state(depth=depth, result=0.0), new_state(calls=0), []
    callbacks = [
        compile_callback(PHYSICS[0], function, state),
        compile_callback(PHYSICS[0], count, other),
    ]
    loop = Loop()
    loop.adopt(model, mujoco.MjData(model))
    loop.use(CallbackTable(callbacks, lambda index, error: faults.append(told(error))))
    loop.record.paused, loop.record.burst = 1, 2
    loop.run()
    loop.release()
    return {'result': float(state.result), 'faults': faults, 'others': int(other.calls)}


def run_in_a_thread(function, depth):
    """Runs the same on a thread, where the stack is small."""
    results = []
    threading.stack_size(SMALL_STACK)
    thread = threading.Thread(target=lambda: results.append(run(function, depth)))
    thread.start()
    thread.join()
    threading.stack_size(0)
    return results[0]


def outcomes(how, depth):
    return {name: how(function, depth) for name, function in CASES.items()}


def render():
    model = mujoco.MjModel.from_xml_string(MODEL)
    data, scene = mujoco.MjData(model), mujoco.MjvScene(model, 10)
    callback = compile_callback(Point.RENDER, paint, new_state(depth=ENDLESS, result=0.0))
    try:
        CompiledPaint(callback)(model, data, scene)
    except RecursionError as error:
        return told(error)
    return None


class Errors(logging.Handler):
    def __init__(self):
        super().__init__(logging.ERROR)
        self.entries = []

    def emit(self, record):
        self.entries.append([record.getMessage(), *told(record.exc_info[1])])


def step_an_engine_plugin():
    errors = Errors()
    logging.getLogger().addHandler(errors)
    register(Endless)
    model = mujoco.MjModel.from_xml_string(WITH_PLUGIN)
    mujoco.mj_step(model, mujoco.MjData(model), 3)
    return errors.entries[-1]


if __name__ == '__main__':
    outcome = {
        'bounded': outcomes(run, 6),
        'endless': outcomes(run, ENDLESS),
        'endless in a thread': outcomes(run_in_a_thread, ENDLESS),
        'render callback': render(),
        'engine plugin': step_an_engine_plugin(),
    }
    print(json.dumps(outcome))
