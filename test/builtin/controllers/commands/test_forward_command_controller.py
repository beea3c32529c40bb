"""ForwardCommandController without ROS; its topic is in system/test_controllers.py."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import mujoco
import pytest

from mujoco_ros_py.errors import ConfigError
from mujoco_ros_py.session import Session

TWO_JOINTS = """
<mujoco>
  <option timestep="0.001"/>
  <worldbody>
    <body><joint name="a" axis="0 0 1"/><geom size="0.1"/></body>
    <body pos="1 0 0"><joint name="b" axis="0 0 1"/><geom size="0.1"/></body>
  </worldbody>
  <actuator><motor joint="a"/><velocity joint="b" kv="1"/></actuator>
</mujoco>
"""
TYPE = 'mujoco_ros_py/ForwardCommandController'


@pytest.fixture
def session(request: Any) -> Iterator[Session]:
    """A session with a controller that drives both joints by the parametrized interface."""
    plugin = {'type': TYPE, 'name': 'arm', 'joints': ['b', 'a'], 'interface_name': request.param}
    model = mujoco.MjModel.from_xml_string(TWO_JOINTS)
    with Session(model, plugins=[plugin], strict=True) as made:
        yield made


def forward(session: Session, *values: float) -> None:
    session.call(lambda model, data: session.plugins['arm'].set_commands(values))


@pytest.mark.parametrize('session', ['position'], indirect=True)
def test_positions_go_to_the_joints_in_the_order_of_the_configuration(session):
    forward(session, 0.3, -0.2)
    session.step(2000)
    assert list(session.snapshot().data.qpos) == pytest.approx([-0.2, 0.3], abs=1e-3)


@pytest.mark.parametrize('session', ['velocity'], indirect=True)
def test_velocities_go_to_the_joints(session):
    forward(session, 0.3, -0.2)
    session.step(2000)
    assert list(session.snapshot().data.qvel) == pytest.approx([-0.2, 0.3], abs=1e-3)


@pytest.mark.parametrize('session', ['effort'], indirect=True)
def test_efforts_go_to_the_joints(session):
    forward(session, 0.03, -0.02)
    session.step()
    assert list(session.snapshot().data.qfrc_actuator) == pytest.approx([-0.02, 0.03])


@pytest.mark.parametrize('session', ['position'], indirect=True)
@pytest.mark.parametrize(
    ('values', 'came'),
    [
        ((1.0,), '1 numbers'),
        ((1.0, 2.0, 3.0), '3 numbers'),
        (([1.0, 2.0],), 'no flat list of numbers'),
        ((1.0, math.nan), 'some that are not finite'),
        ((math.inf, 1.0), 'some that are not finite'),
    ],
)
def test_a_wrong_command_is_refused_as_a_whole(session, values, came):
    message = f'a command must have 2 finite numbers, one for each of b, a; got {came}'
    with pytest.raises(ConfigError, match=message):
        forward(session, *values)
    session.step(100)
    assert list(session.snapshot().data.qpos) == pytest.approx([0.0, 0.0], abs=1e-9)


@pytest.mark.parametrize(
    ('config', 'reason'),
    [
        ({'interface_name': 'position'}, 'joints must be given'),
        ({'joints': ['a']}, 'interface_name must be given'),
        (
            {'joints': ['a'], 'interface_name': 'torque'},
            'interface_name must be one of position, velocity, effort',
        ),
        ({'joints': ['c'], 'interface_name': 'effort'}, "unknown joint 'c'; known: a, b"),
    ],
)
def test_a_wrong_configuration_is_refused(config, reason):
    plugin = {'type': TYPE, 'name': 'arm', **config}
    with Session(mujoco.MjModel.from_xml_string(TWO_JOINTS), plugins=[plugin]) as session:
        assert reason in session.problems[0]
