"""Every change of the time is reported to all followers, whoever makes it."""

from __future__ import annotations

from collections.abc import Callable

import mujoco
import numpy as np
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.engine import Point, compile_callback, new_state, python_callback
from mujoco_ros_py.simulation import SnapshotFeed

PHYSICS = int(mujoco.mjtState.mjSTATE_INTEGRATION)
KEYED = """
<mujoco>
  <option timestep="0.002"/>
  <worldbody><body><joint name="hinge"/><geom size="0.1" pos="0.3 0 0"/></body></worldbody>
  <keyframe><key time="0.5"/><key time="70"/></keyframe>
</mujoco>
"""


@pytest.fixture
def model() -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(KEYED)


def set_time(time: float) -> Callable[..., None]:
    return lambda model, data: setattr(data, 'time', time)


def set_state(time: float) -> Callable[..., None]:
    """As a test or an optimiser goes back to a state that it has kept."""

    def restore(model: mujoco.MjModel, data: mujoco.MjData) -> None:
        kept = mujoco.MjData(model)
        kept.time = time
        state = np.empty(mujoco.mj_stateSize(model, PHYSICS))
        mujoco.mj_getState(model, kept, state, PHYSICS)
        mujoco.mj_setState(model, data, state, PHYSICS)

    return restore


WAYS = {
    'data.time goes back': (set_time(0.25), 0.25),
    'data.time goes ahead': (set_time(50.0), 50.0),
    'mj_setState goes back': (set_state(0.125), 0.125),
    'mj_setState goes ahead': (set_state(60.0), 60.0),
    'mj_resetData': (lambda model, data: mujoco.mj_resetData(model, data), 0.0),
    'mj_resetDataKeyframe goes back': (
        lambda model, data: mujoco.mj_resetDataKeyframe(model, data, 0), 0.5,
    ),
    'mj_resetDataKeyframe goes ahead': (
        lambda model, data: mujoco.mj_resetDataKeyframe(model, data, 1), 70.0,
    ),
}  # fmt: skip
BEFORE_S = 2.0


class Followed:
    """A simulation that stands at 2 s, and what a follower with a slow rate was told since."""

    def __init__(self, simulation, recorder) -> None:
        self.simulation, self.recorder = simulation, recorder
        self.told: list[tuple[float, int]] = []
        self._feed = SnapshotFeed(simulation, 1000.0)
        self._feed.follow(0.001, lambda s: self.told.append((s.time, s.epoch)))
        self._feed.start()

    def stop(self) -> None:
        self._feed.close()


@pytest.fixture
def followed(simulate, recorder, model, until):
    made = []

    def start(callbacks=(), realtime=1.0) -> Followed:
        told = recorder(callbacks)
        simulation = simulate(model, told, paused=True, realtime=realtime, listener=told)
        made.append(Followed(simulation, told))
        until(lambda: made[-1].told)
        simulation.step(round(BEFORE_S / model.opt.timestep)).result(DEADLINE_S)
        return made[-1]

    yield start
    for each in made:
        each.stop()


@pytest.mark.parametrize('paused', [True, False], ids=['paused', 'running'])
@pytest.mark.parametrize('way', WAYS)
def test_followers_hear_at_once_of_a_time_that_a_command_sets(followed, until, way, paused):
    change, starts = WAYS[way]
    seen = followed()
    simulation, epoch = seen.simulation, seen.simulation.epoch
    simulation.set_paused(paused).result(DEADLINE_S)
    simulation.submit(change).result(DEADLINE_S)
    until(lambda: simulation.epoch == epoch + 1)
    simulation.set_paused(False).result(DEADLINE_S)
    until(lambda: any(told_epoch == epoch + 1 for _, told_epoch in seen.told))
    first = next(time for time, told_epoch in seen.told if told_epoch == epoch + 1)
    assert starts <= first < starts + 1.0
    ((_, told),) = [each for each in seen.recorder.log if each[0] == 'jump'][1:]
    assert told == pytest.approx(starts, abs=0.0021)


@pytest.mark.parametrize('point', [Point.CONTROL, Point.PASSIVE, Point.LAST_STAGE])
@pytest.mark.parametrize('kind', ['python', 'compiled'])
@pytest.mark.parametrize('starts', [0.25, 90.0])
def test_followers_hear_of_a_time_that_a_callback_sets(
    simulate, recorder, model, until, point, kind, starts
):
    told = recorder()
    state = new_state(once=0, starts=starts)

    def set_python() -> None:
        if state.once == 0 and found[0].time > 1.0:
            state.once = 1
            found[0].time = starts

    def set_compiled(state, model, data):
        if state.once == 0 and data.time > 1.0:
            state.once = 1
            data.time = state.starts

    made = (
        python_callback(point, set_python)
        if kind == 'python'
        else compile_callback(point, set_compiled, state)
    )
    told.callbacks = [made]
    found = []
    simulation = simulate(paused=False, realtime=-1.0, listener=told)
    simulation.between_steps(lambda: None).result(DEADLINE_S)
    told_load = told.load

    def load(model, data):
        found.append(data)
        return told_load(model, data)

    told.load = load
    simulation.load(model, told).result(DEADLINE_S)
    until(lambda: state.once)
    until(lambda: [each for each in told.log if each[0] == 'jump'][1:])
    ((_, time),) = [each for each in told.log if each[0] == 'jump'][1:]
    assert time == pytest.approx(starts, abs=0.0021)


@pytest.mark.parametrize('way', ['load', 'reset'])
def test_an_epoch_begins_at_the_time_that_plugins_set(simulate, recorder, model, way):
    class Sets(recorder):
        def load(self, model, data):
            data.time = 7.0
            return super().load(model, data)

        def reset(self, model, data):
            data.time = 8.0

    told = Sets()
    simulation = simulate(model, told, paused=True, listener=told)
    starts = 7.0
    if way == 'reset':
        simulation.reset().result(DEADLINE_S)
        starts = 8.0
    epoch = simulation.epoch
    assert told.log[-1] == ('jump', starts)
    assert simulation.time == starts
    simulation.step(5).result(DEADLINE_S)
    assert simulation.epoch == epoch, 'once'


@pytest.mark.parametrize('paused', [True, False], ids=['paused', 'running'])
@pytest.mark.parametrize('there_s', [0.25, BEFORE_S, 50.0], ids=['back', 'same time', 'ahead'])
def test_a_restored_state_begins_one_epoch_which_followers_hear_of_at_once(
    followed, until, there_s, paused
):
    seen = followed()
    simulation = seen.simulation
    simulation.submit(set_time(there_s)).result(DEADLINE_S)
    saved = simulation.save().result(DEADLINE_S)
    simulation.submit(set_time(BEFORE_S)).result(DEADLINE_S)
    simulation.step(5).result(DEADLINE_S)  # the epochs of these commands have begun
    simulation.set_paused(paused).result(DEADLINE_S)
    epoch, jumps = simulation.epoch, seen.recorder.log.count(('jump', there_s))
    assert simulation.restore(saved).result(DEADLINE_S) == []
    assert simulation.epoch == epoch + 1
    assert seen.recorder.log[-1] == ('jump', there_s)
    assert seen.recorder.log.count(('jump', there_s)) == jumps + 1
    simulation.set_paused(False).result(DEADLINE_S)
    until(lambda: any(told_epoch == epoch + 1 for _, told_epoch in seen.told))
    first = next(time for time, told_epoch in seen.told if told_epoch == epoch + 1)
    assert there_s <= first < there_s + 1.0
    simulation.set_paused(True).result(DEADLINE_S)
    assert simulation.epoch == epoch + 1, 'once'


@pytest.mark.parametrize('integrator', ['Euler', 'RK4', 'implicitfast'])
def test_steps_commands_and_another_timestep_begin_no_epoch(simulate, model, integrator):
    model.opt.integrator = getattr(mujoco.mjtIntegrator, f'mjINT_{integrator.upper()}')
    simulation = simulate(model, paused=True)
    simulation.set_paused(True).result(DEADLINE_S)
    epoch = simulation.epoch
    for timestep in (0.002, 0.1, 1e-5, 0.002):
        set_timestep = lambda m, d, h=timestep: setattr(m.opt, 'timestep', h)  # noqa: E731
        simulation.submit(set_timestep).result(DEADLINE_S)
        simulation.step(50).result(DEADLINE_S)
    simulation.submit(set_time(1e9)).result(DEADLINE_S)
    simulation.step(50).result(DEADLINE_S)
    assert simulation.epoch == epoch + 1
    simulation.step(50).result(DEADLINE_S)
    assert simulation.epoch == epoch + 1, 'a step is less than the last digit of such a time'


def test_a_time_that_is_no_number_is_one_jump_there_and_one_back(simulate, model):
    simulation = simulate(model, paused=True)
    epoch = simulation.epoch
    simulation.submit(set_time(float('nan'))).result(DEADLINE_S)
    simulation.step(20).result(DEADLINE_S)
    assert simulation.epoch == epoch + 1
    simulation.submit(set_time(3.0)).result(DEADLINE_S)
    simulation.step(20).result(DEADLINE_S)
    assert simulation.epoch == epoch + 2
