"""BodyWrench without ROS, against Newton's and Euler's laws."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.errors import ConfigError
from mujoco_ros_py.session import Session

BRICK = """
<mujoco>
  <option timestep="0.001" gravity="0 0 0" {option}/>
  <worldbody>
    <body name="brick" pos="0 0 1" quat="{quat}">
      <freejoint/>
      <inertial pos="0.1 0 0" mass="2" diaginertia="0.5 0.5 0.5"/>
      <site name="corner" pos="0.1 0.3 0" euler="0 0 90"/>
    </body>
    <body name="other"><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body>
  </worldbody>
</mujoco>
"""
TURNED = f'{math.cos(math.pi / 4)} 0 0 {math.sin(math.pi / 4)}'
"""A rotation of 90 degrees about z, as a quaternion."""
TYPE = 'mujoco_ros_py/BodyWrench'


@pytest.fixture
def begin() -> Iterator[Callable[..., Session]]:
    """`begin(*configs, quat=..., option=...)` creates a session with one plugin per config."""
    sessions: list[Session] = []

    def make(*configs: Any, quat: str = '1 0 0 0', option: str = '') -> Session:
        model = mujoco.MjModel.from_xml_string(BRICK.format(quat=quat, option=option))
        plugins = [
            {'type': TYPE, 'name': f'wrench{number}', 'body': 'brick', **config}
            for number, config in enumerate(configs or [{}])
        ]
        sessions.append(Session(model, plugins=plugins, strict=True))
        return sessions[-1]

    yield make
    for session in sessions:
        session.close()


def push(session: Session, *given: Any, plugin: int = 0) -> None:
    session.call(lambda m, d: session.plugins[f'wrench{plugin}'].set_wrench(*given))


def applied(session: Session) -> list[float]:
    return list(session.snapshot().data.xfrc_applied[1])


def velocity(session: Session) -> np.ndarray[Any, Any]:
    """Returns the linear velocity of the centre of mass and the angular velocity, in the world."""

    def measure(model: Any, data: Any) -> Any:
        mujoco.mj_forward(model, data)
        result = np.empty(6)
        kind = mujoco.mjtObj.mjOBJ_BODY
        mujoco.mj_objectVelocity(model, data, kind, 1, result, 0)
        return np.array([*result[3:], *result[:3]])

    return session.call(measure)


@pytest.mark.parametrize('option', ['', 'integrator="RK4"', 'integrator="implicitfast"'])
def test_a_force_at_the_centre_of_mass_accelerates_without_turning(begin, option):
    session = begin(option=option)
    push(session, (4.0, 0.0, 0.0))
    session.step(500)
    assert velocity(session) == pytest.approx([1.0, 0, 0, 0, 0, 0], abs=1e-9)


def test_a_torque_turns_in_the_axes_of_the_world(begin):
    session = begin(quat=TURNED)
    push(session, (0.0, 0.0, 0.0), (0.0, 0.2, 0.0))
    session.step(500)
    assert velocity(session) == pytest.approx([0, 0, 0, 0, 0.2, 0], abs=1e-6)


def test_a_wrench_in_the_frame_of_the_body_or_of_a_site_has_the_axes_of_that(begin):
    session = begin(quat=TURNED)
    push(session, (4.0, 0.0, 0.0), (0.0, 0.0, 0.0), 'brick')
    session.step()
    assert applied(session) == pytest.approx([0, 4, 0, 0, 0, 0])
    push(session, (4.0, 0.0, 0.0), (1.0, 0.0, 0.0), 'corner')
    session.step()
    assert applied(session) == pytest.approx([-4, 0, 0, -1, 0, 0])
    push(session, (4.0, 0.0, 0.0), (0.0, 0.0, 0.0), 'world')
    session.step()
    assert applied(session) == pytest.approx([4, 0, 0, 0, 0, 0])


def test_a_force_in_the_frame_of_the_body_turns_with_it(begin):
    session = begin()
    push(session, (1.0, 0.0, 0.0), (0.0, 0.0, 1.0), 'brick')
    session.step(1000)
    angle = 0.5 * (1.0 / 0.5)  # half the angular acceleration, after a second
    force = applied(session)[:2]
    assert force == pytest.approx([math.cos(angle), math.sin(angle)], abs=2e-3)


@pytest.mark.parametrize(
    ('config', 'arm'),
    [
        ({}, (0.0, 0.0)),
        ({'site': 'corner'}, (0.0, 0.3)),
        ({'offset': [0.0, 0.5, 0.0]}, (0.0, 0.5)),
        ({'site': 'corner', 'offset': [0.2, 0.0, 0.0]}, (0.0, 0.5)),
    ],
)
def test_a_force_acts_at_the_point_that_is_configured(begin, config, arm):
    session = begin(config)
    push(session, (1.0, 0.0, 0.0))
    session.step()
    assert applied(session) == pytest.approx([1, 0, 0, 0, 0, -arm[1]], abs=1e-9)


@pytest.mark.parametrize('option', ['', 'integrator="RK4"'])
@pytest.mark.parametrize('duration', [0.001, 0.1, 0.25])
def test_a_wrench_acts_exactly_as_long_as_it_is_configured(begin, option, duration):
    session = begin({'duration': duration}, option=option)
    session.step(137)
    push(session, (4.0, 0.0, 0.0))
    session.step(400)
    assert velocity(session)[0] == pytest.approx(2.0 * duration, rel=1e-9)
    assert applied(session) == [0.0] * 6


def test_without_a_duration_it_acts_until_the_next_one(begin):
    session = begin()
    push(session, (4.0, 0.0, 0.0))
    session.step(300)
    push(session, (0.0, 0.0, 0.0))
    session.step(300)
    assert velocity(session)[0] == pytest.approx(0.6, rel=1e-9)


def test_two_plugins_on_one_body_add_and_leave_what_another_program_has_set(begin):
    session = begin({}, {'duration': 0.1})
    session.call(lambda m, d: d.xfrc_applied.__setitem__((1, 0), 3.0))
    push(session, (4.0, 1.0, 0.0))
    push(session, (0.0, 2.0, 0.0), plugin=1)
    session.step(10)
    assert applied(session)[:3] == pytest.approx([7.0, 3.0, 0.0])
    session.step(200)
    assert applied(session)[:3] == pytest.approx([7.0, 1.0, 0.0])
    push(session, (0.0, 0.0, 0.0))
    session.step(1)
    assert applied(session)[:3] == pytest.approx([3.0, 0.0, 0.0], abs=1e-12)


def test_a_reset_forgets_it_and_a_restored_state_has_it_again(begin):
    session = begin()
    push(session, (4.0, 0.0, 0.0))
    session.step(10)
    saved = session.save()
    session.reset()
    session.step(10)
    assert applied(session) == [0.0] * 6
    session.restore(saved)
    session.step(10)
    assert applied(session)[0] == 4.0
    session.call(lambda m, d: mujoco.mj_resetData(m, d))
    session.step(10)
    assert applied(session) == [0.0] * 6, 'as after unstable data'


@pytest.mark.parametrize(
    ('given', 'reason'),
    [
        (((math.nan, 0.0, 0.0),), 'a force or a torque is not finite'),
        (((0.0, 0.0, 0.0), (0.0, math.inf, 0.0)), 'a force or a torque is not finite'),
        (((1.0, 0.0, 0.0), (0.0, 0.0, 0.0), 'bric'), "unknown frame 'bric' .did you mean 'brick'"),
    ],
)
def test_a_wrong_wrench_is_refused_and_the_present_one_goes_on(begin, given, reason):
    session = begin()
    push(session, (4.0, 0.0, 0.0))
    with pytest.raises(ConfigError, match=reason):
        push(session, *given)
    session.step()
    assert applied(session) == [4.0, 0, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ('config', 'reason'),
    [
        ({}, 'body must be given'),
        ({'body': 'brik'}, "unknown body 'brik' (did you mean 'brick'?); known: brick, other"),
        ({'body': 'world'}, "unknown body 'world'"),
        ({'body': 'other', 'site': 'corner'}, "unknown site of body other 'corner'; known: none"),
        ({'body': 'brick', 'duration': -1.0}, 'duration must be at least 0'),
    ],
)
def test_a_wrong_configuration_is_refused(config, reason):
    model = mujoco.MjModel.from_xml_string(BRICK.format(quat='1 0 0 0', option=''))
    with Session(model, plugins=[{'type': TYPE, 'name': 'wrench', **config}]) as session:
        assert reason in session.problems[0]
