"""ActuatorCommands without ROS; its topic is in system/test_controllers.py."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import mujoco
import numpy as np
import pytest
from builtin.controllers.driving import said

from mujoco_ros_py.errors import ConfigError
from mujoco_ros_py.session import Session

MODEL = """
<mujoco>
  <worldbody>
    <body><joint name="a" axis="0 0 1" damping="0.1"/><geom size="0.1"/></body>
    <body pos="1 0 0"><joint name="b" axis="0 0 1"/><geom size="0.1"/></body>
    <body pos="2 0 0"><joint name="c" axis="0 0 1"/><geom size="0.1"/></body>
  </worldbody>
  <actuator>
    <motor name="fan" joint="a" ctrlrange="-2 3"/>
    <position name="flap" joint="b" kp="5" kv="1" gear="2"/>
    <velocity name="wheel" joint="c" kv="1"/>
  </actuator>
</mujoco>
"""
NAMES = ['wheel', 'fan', 'flap']


@pytest.fixture
def load() -> Iterator[Callable[..., Session]]:
    """`load(**config)` creates a session with the plugin `controls`."""
    sessions: list[Session] = []

    def begin(*others: Any, **config: Any) -> Session:
        plugin = {'type': 'mujoco_ros_py/ActuatorCommands', 'name': 'controls',
                  'actuators': NAMES, **config}  # fmt: skip
        model = mujoco.MjModel.from_xml_string(MODEL)
        sessions.append(Session(model, plugins=[plugin, *others]))
        return sessions[-1]

    yield begin
    for session in sessions:
        session.close()


def command(session: Session, *values: float) -> None:
    session.call(lambda model, data: session.plugins['controls'].set_controls(data, values))


def controls(session: Session) -> list[float]:
    return list(session.snapshot().data.ctrl)


def test_the_numbers_are_the_controls_of_the_actuators_by_name(load):
    session = load()
    session.step(10)
    assert controls(session) == [0.0, 0.0, 0.0]
    command(session, 0.5, 1.5, -0.25)
    session.step(10)
    assert controls(session) == [1.5, -0.25, 0.5]


def test_a_control_outside_of_its_range_is_clamped_and_said(load, caplog):
    session = load()
    command(session, 0.0, 9.0, 0.0)
    session.step(10)
    assert controls(session) == [3.0, 0.0, 0.0]
    assert said(caplog, session, 'limits') == [
        'controls: control fan must be from -2 to 3, got 9: clamped to these limits'
    ]


@pytest.mark.parametrize('values', [(1.0, 2.0), (1.0, math.nan, 2.0), (math.inf, 0.0, 0.0), ()])
def test_a_wrong_command_is_refused_as_a_whole(load, values):
    session = load()
    with pytest.raises(ConfigError, match='3 finite numbers, one for each of wheel, fan, flap'):
        command(session, *values)
    session.step(10)
    assert controls(session) == [0.0, 0.0, 0.0]


def test_after_a_reset_the_controls_are_what_the_reset_made_them(load):
    session = load()
    command(session, 0.5, 1.5, -0.25)
    session.step(10)
    session.reset()
    session.step(10)
    assert controls(session) == [0.0, 0.0, 0.0]


def stop(session: Session, stopped: bool) -> None:
    plugin: Any = session.plugins['controls']
    session.call(lambda model, data: plugin.emergency_stop(model, data, stopped))


def test_an_emergency_stop_holds_servos_and_lets_all_else_go(load):
    session = load()
    command(session, 0.5, 1.5, -0.25)
    session.step(300)
    there = float(session.snapshot().data.qpos[1])
    stop(session, True)
    command(session, 9.0, 1.0, 1.0)
    session.step(1)
    assert controls(session) == pytest.approx([0.0, 2 * there, 0.0])
    session.step(1000)
    assert session.snapshot().data.qpos[1] == pytest.approx(there, abs=5e-2)
    stop(session, False)
    session.step(10)
    assert controls(session) == pytest.approx([0.0, 2 * there, 0.0])
    command(session, 0.0, 1.0, 0.0)
    session.step(1)
    assert controls(session) == [1.0, 0.0, 0.0]


def test_late_commands_end_and_this_is_said_once(load, caplog):
    session = load(command_timeout=0.1)
    command(session, 0.5, 1.5, 0.0)
    session.step(40)
    assert controls(session)[0] == 1.5
    session.step(20)
    assert controls(session)[::2] == [0.0, 0.0]
    assert said(caplog, session, 'no command') == [
        'controls: no command for 0.1 s: the last commands of wheel, fan, flap have ended'
    ]
    command(session, 0.5, 1.0, 0.0)
    session.step(1)
    assert controls(session)[0] == 1.0


@pytest.mark.skipif(not hasattr(mujoco.mjtGain, 'mjGAIN_PID'), reason='since MuJoCo 4')
def test_an_actuator_with_several_controls_takes_as_many_numbers():
    pid = '<pid name="servo" joint="b" kp="5" kv="1"/>'
    xml = MODEL.replace('<position name="flap" joint="b" kp="5" kv="1" gear="2"/>', pid)
    plugin = {'type': 'mujoco_ros_py/ActuatorCommands', 'name': 'controls',
              'actuators': ['servo', 'wheel']}  # fmt: skip
    with Session(mujoco.MjModel.from_xml_string(xml), plugins=[plugin]) as session:
        command(session, 0.5, 0.25, 0.75)
        session.step()
        assert controls(session) == [0.0, 0.5, 0.25, 0.75]


def test_an_unknown_actuator_is_refused_and_the_known_ones_are_named(load):
    (problem,) = load(actuators=['fun']).problems
    assert "unknown actuator 'fun' (did you mean 'fan'?); known: fan, flap, wheel" in problem


def test_the_actuator_of_a_driven_joint_belongs_to_its_controller(load):
    arm = {'type': 'mujoco_ros_py/ForwardCommandController', 'name': 'arm', 'joints': ['a'],
           'interface_name': 'effort'}  # fmt: skip
    (problem,) = load(arm).problems
    assert problem.endswith('actuator fan belongs to controls (ActuatorCommands)')


def test_a_restored_state_goes_on_to_the_bit(load):
    session = load()
    command(session, 0.5, 1.5, -0.25)
    session.step(20)
    saved = session.save()
    session.step(50)
    first = session.snapshot().data.qpos
    command(session, 0.0, 0.0, 0.0)
    session.step(10)
    session.restore(saved)
    session.step(50)
    np.testing.assert_array_equal(session.snapshot().data.qpos, first)
