"""Ends of messages are closed by other threads while compiled code is in them, without the GIL."""

from __future__ import annotations

import gc
import subprocess
import sys
import weakref
from pathlib import Path

import mujoco
import numpy as np
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.engine import Memory, new_state, numbers_at
from mujoco_ros_py.simulation import NoPlugins

from .exchanged import Sent

ROOT = Path(__file__).parents[2]
CODE = """
import ctypes
import random
import sys
import threading

import mujoco
import numpy as np

from mujoco_ros_py.engine import Derived, Inlet, Outlet, Port, compile_message_function
from mujoco_ros_py.simulation import Simulation

LAYOUT = np.dtype([('value', float)], align=True)
BODY = '<body pos="{} {} 1"><freejoint/><geom size="0.1"/></body>'
MODEL = '<mujoco><worldbody><geom type="plane" size="9 9 1"/>{}</worldbody></mujoco>'


def code(state, model, data, message):
    message.value = data.qpos[0]


def port(message):
    '''A port whose functions do nothing and return 0, without the GIL.'''
    nothing = ctypes.cast(ctypes.CDLL(None).sched_yield, ctypes.c_void_p).value
    return Port(
        call=nothing, handle=0, message=message.ctypes.data, forget_error=nothing,
        nothing=401, keep=message, release=lambda: released.append(message),
    )


def outlet(derived):
    ends = port(np.zeros((), LAYOUT))
    made = Outlet('test', loaded, None, ends, print, period_s=0.001, derived=derived)
    return made, simulation.exchange.add_outlet, simulation.exchange.remove_outlet


def inlet():
    made = Inlet('test', loaded, None, port(np.zeros((), LAYOUT)), print)
    return made, simulation.exchange.add_inlet, simulation.exchange.remove_inlet


kind, closes = sys.argv[1], int(sys.argv[2])
bodies = ''.join(BODY.format(i % 6, i // 6) for i in range(30 if kind != 'INLET' else 1))
released, pause = [], threading.Event()
simulation = Simulation(realtime=-1.0 if kind == 'INLET' else 1.0)
simulation.start()
simulation.load(mujoco.MjModel.from_xml_string(MODEL.format(bodies))).result()
loaded = compile_message_function(code, None, LAYOUT)
for _ in range(closes):
    end, add, remove = inlet() if kind == 'INLET' else outlet(Derived[kind])
    add(end)
    simulation.between_steps(lambda: None).result()
    pause.wait(random.uniform(0.0, 0.002))
    remove(end)
assert simulation.close()
print(len(released), 'released')
"""


@pytest.mark.parametrize(
    'closes',
    [pytest.param(100, marks=pytest.mark.slow), pytest.param(1000, marks=pytest.mark.nightly)],
)
@pytest.mark.parametrize('kind', ['SENSORS', 'POSES', 'INLET'])
def test_ends_are_closed_and_released_while_they_are_called(kind, closes):
    ended = subprocess.run(
        [sys.executable, '-X', 'faulthandler', '-c', CODE, kind, str(closes)],
        cwd=ROOT, capture_output=True, text=True, timeout=DEADLINE_S,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout == f'{closes} released\n'


def test_what_is_closed_with_its_model_gets_no_moment_of_the_next_one(simulate, pendulum, until):
    def fill(state, model, data, message):
        message.value = data.qpos[0]

    class Closes(NoPlugins):
        def unload(self):
            simulation.exchange.remove_outlet(sent.outlet)

    sent = Sent(fill, 500.0)
    simulation = simulate(pendulum, Closes())
    simulation.exchange.add_outlet(sent.outlet, thread=True)
    until(lambda: sent.messages)
    larger = '<mujoco><worldbody><body><freejoint/><geom size="1"/></body></worldbody></mujoco>'
    simulation.load(mujoco.MjModel.from_xml_string(larger)).result(DEADLINE_S)
    steps = simulation.status().steps
    until(lambda: simulation.status().failure or simulation.status().steps > steps + 10)
    assert simulation.status().failure == ''
    until(lambda: sent.released)


def test_what_a_function_points_to_lives_until_it_has_returned(simulate, pendulum, until):
    """The plugin that has made it may be gone, as nobody waits for a message that is under way."""

    def fill(state, model, data, message):
        turns = numbers_at(state.turns, 2)
        while turns[1] == 0.0:  # until the test lets it go on
            mujoco.mju_zero(turns, 1)  # a call, so that the number is read each time
            turns[0] = 1.0
        message.value = numbers_at(state.value, 1)[0]

    turns, value = Memory(np.zeros(2)), Memory(np.array([7.0]))
    alive = weakref.ref(value)
    sent = Sent(fill, 500.0, new_state(turns=turns, value=value))
    del value
    simulation = simulate(pendulum)
    simulation.exchange.add_outlet(sent.outlet)
    until(lambda: turns.array[0])
    simulation.exchange.remove_outlet(sent.outlet)
    try:
        gc.collect()
        assert alive()
        assert not sent.released
    finally:
        turns.array[1] = 1.0
    until(lambda: sent.released)
    assert sent.faults == []
