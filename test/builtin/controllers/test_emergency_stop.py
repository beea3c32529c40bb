"""EmergencyStop without ROS reaches every stoppable plugin, and no other plugins."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest
from builtin.controllers.stoppable import MOTIONS, STOP
from deadline import DEADLINE_S

from mujoco_ros_py.plugins import MujocoPlugin, Stoppable
from mujoco_ros_py.plugins.host.description_files import Base
from mujoco_ros_py.plugins.host.plugin_types import load_class, shipped_types
from mujoco_ros_py.session import Session

MODEL = """
<mujoco>
  <worldbody>
    <body><joint name="a" axis="0 0 1"/><geom size="0.1"/></body>
    <body pos="1 0 0"><joint name="b" axis="0 0 1"/><geom size="0.1"/></body>
  </worldbody>
  <actuator><motor name="first" joint="a"/><motor name="second" joint="b"/></actuator>
</mujoco>
"""
ARM = {'type': 'mujoco_ros_py/ForwardCommandController', 'name': 'arm', 'joints': ['a'],
       'interface_name': 'velocity'}  # fmt: skip
FAN = {'type': 'mujoco_ros_py/ActuatorCommands', 'name': 'fan', 'actuators': ['second']}


class Deaf(MujocoPlugin[Any]):
    """A plugin that cannot be stopped."""


class Failing(MujocoPlugin[Any], Stoppable):
    """A plugin that fails during an emergency stop."""

    def emergency_stop(self, model: Any, data: Any, stopped: bool) -> None:
        """Raises an error."""
        raise ValueError('no brake')


def session_of(*plugins: Any) -> Session:
    return Session(mujoco.MjModel.from_xml_string(MODEL), plugins=plugins)


def set_stopped(session: Session, stopped: bool) -> list[str]:
    plugin: Any = session.plugins['emergency_stop']
    return plugin.set_stopped(stopped).result(DEADLINE_S)


def test_all_controllers_are_stopped_between_the_same_two_steps_and_released():
    with session_of(STOP, ARM, {'type': Deaf}, FAN) as session:
        session.call(lambda m, d: session.plugins['arm'].set_commands([1.0]))
        session.call(lambda m, d: session.plugins['fan'].set_controls(d, [0.1]))
        session.step(100)
        assert set_stopped(session, True) == ['arm', 'fan']
        there = session.snapshot().data.qpos[0]
        session.step(1)
        assert session.snapshot().data.ctrl[1] == 0.0
        session.step(1000)
        assert session.snapshot().data.qpos[0] == pytest.approx(there, abs=1e-3)
        assert set_stopped(session, False) == ['arm', 'fan']
        session.call(lambda m, d: session.plugins['arm'].set_commands([1.0]))
        session.step(500)
        assert session.snapshot().data.qvel[0] == pytest.approx(1.0, abs=1e-3)


def test_a_plugin_that_fails_over_a_stop_is_taken_out_alone():
    with session_of({'type': Failing, 'name': 'first'}, STOP, ARM) as session:
        assert set_stopped(session, True) == ['arm']
        assert list(session.plugins) == ['emergency_stop', 'arm']
        assert session.plugins['arm'].state.stopped


def stops(session: Session) -> list[bool]:
    return [bool(session.plugins[name].state.stopped) for name in ('arm', 'emergency_stop')]


def test_a_stop_outlasts_a_reset_and_a_restored_state():
    with session_of(STOP, ARM) as session:
        session.call(lambda m, d: session.plugins['arm'].set_commands([1.0]))
        session.step(100)
        saved = session.save()
        set_stopped(session, True)
        session.reset()
        assert stops(session) == [True, True]
        session.restore(saved)
        there = session.snapshot().data.qpos[0]
        session.step(100)
        assert stops(session) == [True, True]
        assert session.snapshot().data.qpos[0] == pytest.approx(there, abs=0.01)


def test_a_state_that_was_saved_during_a_stop_brings_the_stop_back():
    with session_of(STOP, ARM) as session:
        set_stopped(session, True)
        saved = session.save()
        set_stopped(session, False)
        session.restore(saved)
        session.step(1)
        assert stops(session) == [True, True]
        assert set_stopped(session, False) == ['arm']
        assert stops(session) == [False, False]


def test_without_anything_to_stop_it_says_so():
    with session_of(STOP, {'type': Deaf}) as session:
        assert set_stopped(session, True) == []


def test_every_plugin_that_heeds_the_stop_is_among_those_that_move_here():
    """The tests below run with all of these plugins."""
    heeding = [
        each.name.removeprefix('mujoco_ros_py/')
        for each in shipped_types(Base.SERVER)
        if issubclass(found := load_class(each), Stoppable)
        and found.emergency_stop is not Stoppable.emergency_stop
    ]
    assert sorted(MOTIONS) == sorted(heeding)


@pytest.mark.slow
@pytest.mark.parametrize('motion', MOTIONS.values(), ids=MOTIONS)
def test_a_release_without_a_stop_changes_no_motion(motion):
    ends = []
    for released in (False, True):
        with motion.session() as session:
            session.step(250)
            before = places(session)
            if released:
                assert set_stopped(session, False) == ['moved']
            session.step(250)
            ends.append(places(session))
            assert np.abs(ends[-1] - before).max() > 0.01, 'it still moves'
    np.testing.assert_array_equal(*ends)


def places(session: Session) -> np.ndarray[Any, Any]:
    data = session.snapshot().data
    return np.concatenate([data.qpos, data.mocap_pos.ravel()])
