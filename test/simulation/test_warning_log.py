"""Warnings of MuJoCo: each kind is logged once, with time and names."""

from __future__ import annotations

import ctypes
import logging

import mujoco
import numpy as np
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.engine import Point, compile_callback
from mujoco_ros_py.engine.libmujoco import library
from mujoco_ros_py.simulation import Listener
from mujoco_ros_py.simulation.warning_log import WarningLog

ARM = """
<mujoco>
  <worldbody>
    <body name="upper"><joint name="shoulder" type="ball"/><geom size="0.1"/>
      <body name="lower" pos="1 0 0"><joint name="elbow"/><geom size="0.1"/></body>
    </body>
  </worldbody>
  <actuator><motor name="drive" joint="elbow"/></actuator>
</mujoco>
"""
NAN = 'Nan, Inf or huge value in QPOS at DOF {}. The simulation is unstable. Time = {}.'


@pytest.fixture
def arm() -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(ARM)


@pytest.fixture
def warned(caplog):
    """`warned()`: the warnings in the log so far."""
    caplog.set_level(logging.WARNING)
    return lambda: [r.getMessage() for r in caplog.records if r.levelno == logging.WARNING]


def break_elbow(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    data.qpos[4] = np.nan


def test_a_step_that_warns_is_made_when_whoever_follows_the_time_knows(simulate, arm):
    told = []

    class Standstill(Listener):
        def on_standstill(self):
            told.append(simulation.time)

    simulation = simulate(arm, listener=Standstill(), paused=True)
    simulation.submit(break_elbow).result(DEADLINE_S)
    for _ in range(5):
        simulation.step().result(DEADLINE_S)
        assert told[-1] == simulation.time
    assert len(told) == 5


def test_a_value_that_is_no_number_is_one_line_with_time_joint_and_body(simulate, arm, warned):
    simulation = simulate(arm, paused=True)
    simulation.step(10).result(DEADLINE_S)
    for _ in range(3):
        simulation.submit(break_elbow).result(DEADLINE_S)
        simulation.step(2).result(DEADLINE_S)
    (line,) = warned()
    assert 'Nan' in line
    assert "(joint 'elbow', body 'lower')" in line
    assert 'Time = 0.0200' in line
    status = simulation.status()
    assert status.warnings >= 1
    assert "joint 'elbow'" in status.latest_warning
    assert status.failure == ''


def test_what_full_buffers_leave_out_is_told_from_the_start_on(simulate, warned, until):
    sphere = '<body pos="{} 0 0"><freejoint/><geom size="0.5"/></body>'
    spheres = ''.join(sphere.format(0.1 * number) for number in range(12))
    crowd = mujoco.MjModel.from_xml_string(
        f'<mujoco><size memory="32K"/><worldbody>{spheres}</worldbody></mujoco>'
    )
    simulation = simulate(crowd, paused=True)
    simulation.step(5).result(DEADLINE_S)
    told = simulation.submit(lambda model, data: np.count_nonzero(data.warning.number))
    assert told.result(DEADLINE_S) == 2
    until(lambda: len(warned()) == 2)
    assert simulation.status().warnings == 2


def test_after_a_reset_it_is_told_again(simulate, arm, warned):
    simulation = simulate(arm, paused=True)
    for count in (1, 2, 3):
        simulation.submit(break_elbow).result(DEADLINE_S)
        simulation.step(2).result(DEADLINE_S)
        assert len(warned()) == count
        simulation.reset().result(DEADLINE_S)
        assert simulation.status().warnings == 0
        assert simulation.status().latest_warning == ''


def test_after_a_restored_state_it_is_told_again(simulate, arm, warned):
    simulation = simulate(arm, paused=True)
    saved = simulation.save().result(DEADLINE_S)
    for count in (1, 2, 3):
        simulation.submit(break_elbow).result(DEADLINE_S)
        simulation.step(2).result(DEADLINE_S)
        assert len(warned()) == count
        simulation.restore(saved).result(DEADLINE_S)
        assert simulation.status().warnings == 0


def test_after_a_load_it_is_told_again(simulate, arm, warned):
    simulation = simulate(arm, paused=True)
    for count in (1, 2):
        simulation.submit(break_elbow).result(DEADLINE_S)
        simulation.step(2).result(DEADLINE_S)
        assert len(warned()) == count
        simulation.load(arm).result(DEADLINE_S)


def test_every_kind_is_told(simulate, arm, warned):
    simulation = simulate(arm, paused=True)
    simulation.submit(break_elbow).result(DEADLINE_S)
    simulation.step(2).result(DEADLINE_S)
    simulation.submit(lambda m, d: d.qvel.__setitem__(0, 1e20)).result(DEADLINE_S)
    simulation.step(2).result(DEADLINE_S)
    simulation.submit(lambda m, d: d.ctrl.__setitem__(0, np.nan)).result(DEADLINE_S)
    simulation.step(2).result(DEADLINE_S)
    lines = warned()
    assert len(lines) == 3
    assert "joint 'shoulder', body 'upper'" in lines[1]
    assert "actuator 'drive'" in lines[2]


def test_a_warning_that_has_no_time_gets_that_of_the_simulation(simulate, arm, warned, recorder):
    """As MuJoCo's own of a stiff flex."""
    warn = ctypes.CDLL(str(library()._name)).mju_warning
    text = ctypes.create_string_buffer(b'the load is too high')
    address = ctypes.addressof(text)

    def complain(state, model, data):
        if data.time > 0.0055:
            warn(address)

    warn.argtypes, warn.restype = [ctypes.c_void_p], None
    callback = compile_callback(Point.LAST_STAGE, complain, None)
    simulation = simulate(arm, recorder([callback]), paused=True)
    simulation.step(5).result(DEADLINE_S)
    assert warned() == ['MuJoCo warns: the load is too high. Time = 0.0060.']


def test_time_that_mujoco_sets_back_is_told(simulate, pendulum, recorder):
    """Its answer to a value that is no number is to reset the data: time goes back to 0."""
    listener = recorder()
    simulation = simulate(pendulum, listener=listener, paused=True)
    simulation.step(100).result(DEADLINE_S)
    simulation.submit(lambda m, d: d.qpos.__setitem__(0, np.nan)).result(DEADLINE_S)
    receiver = simulation.receiver().result(DEADLINE_S)
    epoch = receiver.next(DEADLINE_S).epoch
    simulation.step().result(DEADLINE_S)
    assert simulation.time < 0.01
    assert listener.log == [('jump', 0.0), ('jump', simulation.time)]
    snapshot = receiver.next(DEADLINE_S, due=1.0, epoch=epoch)
    assert snapshot.time < 0.01
    assert snapshot.epoch != epoch


def test_a_warning_while_running_does_not_stop_it(simulate, arm, warned, until):
    simulation = simulate(arm, realtime=-1.0)
    simulation.submit(break_elbow).result(DEADLINE_S)
    until(lambda: warned())
    steps = simulation.status().steps
    until(lambda: simulation.status().steps > steps + 1000)
    assert not simulation.status().paused


def test_a_flood_of_warnings_is_one_line_and_no_stop(simulate, arm, warned, recorder):
    def flood(state, model, data):
        data.qvel[3] = 1e30

    callback = compile_callback(Point.LAST_STAGE, flood, None)
    simulation = simulate(arm, recorder([callback]), paused=True)
    simulation.step(3000).result(DEADLINE_S)
    assert simulation.status().steps == 3000
    assert len(warned()) == 1


@pytest.mark.parametrize(
    ('text', 'named'),
    [
        ('bad at DOF 0', "bad at DOF 0 (joint 'shoulder', body 'upper')"),
        ('bad at DOF 3.', "bad at DOF 3 (joint 'elbow', body 'lower')."),
        ('bad at ACTUATOR 0', "bad at ACTUATOR 0 (actuator 'drive')"),
        ('body 2 is bad', "body 2 (body 'lower') is bad"),
        ('bad at DOF 99', 'bad at DOF 99'),
        ('bad at DOF', 'bad at DOF'),
        ('no room', 'no room'),
    ],
)
def test_numbers_are_named(arm, text, named):
    assert WarningLog().add(arm, text) == named


def test_the_same_warning_with_other_numbers_is_the_same_kind(arm):
    log = WarningLog()
    assert log.add(arm, NAN.format(3, 0.02)) is not None
    assert log.add(arm, NAN.format(0, 1.5)) is None
    assert log.add(arm, NAN.format(3, '1e-05')) is None
    assert log.add(arm, 'something else') == 'something else'
    assert (log.total, log.latest) == (4, 'something else')
    log.clear()
    assert (log.total, log.latest) == (0, '')
    assert log.add(arm, NAN.format(3, 0.02)) is not None
