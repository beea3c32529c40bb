"""MocapPose without ROS: the body's pose, its velocity on the way, and refused messages."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import mujoco
import numpy as np
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.errors import ConfigError
from mujoco_ros_py.session import Session

HAND = """
<mujoco>
  <option timestep="0.001" gravity="0 0 0"/>
  <worldbody>
    <body name="hand" mocap="true" pos="0 0 1"><geom size="0.1"/></body>
    <body name="base" pos="1 0 0" quat="0.7071067811865476 0 0 0.7071067811865476">
      <joint name="rail" type="slide" axis="1 0 0"/>
      <geom size="0.1"/><site name="tool" pos="0 0 1"/>
    </body>
  </worldbody>
</mujoco>
"""
TYPE = 'mujoco_ros_py/MocapPose'
TURNED = (math.cos(math.pi / 4), 0.0, 0.0, math.sin(math.pi / 4))


@pytest.fixture
def begin() -> Iterator[Callable[..., Session]]:
    sessions: list[Session] = []

    def make(**config: Any) -> Session:
        plugin = {'type': TYPE, 'name': 'hand', 'body': 'hand', **config}
        model = mujoco.MjModel.from_xml_string(HAND)
        sessions.append(Session(model, plugins=[plugin], strict=True))
        return sessions[-1]

    yield make
    for session in sessions:
        session.close()


def place(session: Session, *given: Any) -> None:
    session.call(lambda m, d: session.plugins['hand'].set_pose(*given))


def pose(session: Session) -> tuple[list[float], list[float]]:
    data = session.snapshot().data
    return data.mocap_pos[0].tolist(), data.mocap_quat[0].tolist()


@pytest.mark.parametrize('frame', ['', 'world'])
def test_a_pose_is_taken_at_once_with_a_normalised_rotation(begin, frame):
    session = begin()
    place(session, (1, 2, 3), (2.0, 0.0, 0.0, 2.0), frame)
    session.step()
    position, quat = pose(session)
    assert position == [1.0, 2.0, 3.0]
    assert quat == pytest.approx(TURNED)
    assert session.snapshot().data.xpos[1] == pytest.approx([1, 2, 3])


def test_a_pose_in_the_frame_of_a_body_or_a_site_is_where_that_is_now(begin):
    session = begin()
    session.call(lambda m, d: d.qvel.__setitem__(0, 1.0))
    session.step(500)
    now = session.snapshot().data.qpos[0]
    place(session, (1.0, 0.0, 0.0), (1, 0, 0, 0), 'base')
    position, quat = pose(session)
    assert position == pytest.approx([1.0, 1.0 + now, 0.0])
    assert quat == pytest.approx(TURNED)
    place(session, (0.0, 0.0, 0.5), TURNED, 'tool')
    position, quat = pose(session)
    assert position == pytest.approx([1.0, now, 1.5])
    assert np.abs(quat) == pytest.approx([0, 0, 0, 1], abs=1e-9)


def test_it_goes_to_a_pose_within_its_velocities(begin):
    session = begin(max_linear_velocity=0.5, max_angular_velocity=2.0)
    place(session, (0.3, 0.4, 1.0), TURNED)
    session.step(100)
    position, quat = pose(session)
    assert position == pytest.approx([0.03, 0.04, 1.0])
    assert 2.0 * math.atan2(quat[3], quat[0]) == pytest.approx(0.2)
    session.step(1000)
    assert pose(session)[0] == [0.3, 0.4, 1.0]
    assert pose(session)[1] == pytest.approx(TURNED)


def test_it_turns_the_shorter_way(begin):
    session = begin(max_angular_velocity=1.0)
    place(session, (0, 0, 1), tuple(-each for each in TURNED))
    session.step(100)
    quat = pose(session)[1]
    assert 2.0 * math.atan2(quat[3], quat[0]) == pytest.approx(0.1)


def test_a_reset_puts_it_back_and_forgets_the_target(begin):
    session = begin(max_linear_velocity=0.5)
    place(session, (1, 0, 1))
    session.step(100)
    session.reset()
    session.step(100)
    assert pose(session) == ([0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 0.0])
    place(session, (1, 0, 1))
    session.step(100)
    session.call(lambda m, d: mujoco.mj_resetData(m, d))
    session.step(100)
    assert pose(session)[0] == [0.0, 0.0, 1.0], 'as after unstable data'


def test_a_restored_state_goes_on_to_its_target(begin):
    session = begin(max_linear_velocity=0.5)
    place(session, (1, 0, 1))
    session.step(100)
    saved = session.save()
    session.reset()
    session.restore(saved)
    session.step(100)
    assert pose(session)[0] == pytest.approx([0.1, 0.0, 1.0])


def test_an_emergency_stop_holds_it_until_the_next_pose_after_the_release(begin):
    session = begin(max_linear_velocity=0.5)
    place(session, (1, 0, 1))
    session.step(100)
    stop = session.plugins['hand'].environment.emergency_stop
    assert stop(True).result(DEADLINE_S) == ['hand']
    place(session, (0, 1, 1))
    session.step(100)
    assert pose(session)[0] == pytest.approx([0.05, 0.0, 1.0])
    stop(False).result(DEADLINE_S)
    session.step(100)
    assert pose(session)[0] == pytest.approx([0.05, 0.0, 1.0])


@pytest.mark.parametrize(
    ('given', 'reason'),
    [
        (((math.nan, 0, 0),), 'a position or an orientation is not finite'),
        (((0, 0, 0), (1, 0, math.inf, 0)), 'a position or an orientation is not finite'),
        (((0, 0, 0), (0, 0, 0, 0)), 'an orientation is zero'),
        (((0, 0, 0), (1, 0, 0, 0), 'odom'), "unknown frame 'odom'; known: base, hand, tool, wor"),
    ],
)
def test_a_wrong_pose_is_refused_as_a_whole(begin, given, reason):
    session = begin()
    with pytest.raises(ConfigError, match=reason):
        place(session, *given)
    session.step()
    assert pose(session) == ([0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 0.0])


def test_a_body_has_one_plugin_and_must_be_a_mocap_body():
    model = mujoco.MjModel.from_xml_string(HAND)
    plugins = [
        {'type': TYPE, 'name': 'first', 'body': 'hand'},
        {'type': TYPE, 'name': 'second', 'body': 'hand'},
        {'type': TYPE, 'name': 'third', 'body': 'base'},
    ]
    with Session(model, plugins=plugins) as session:
        second, third = session.problems
    assert 'body hand already belongs to first' in second
    assert "unknown mocap body 'base'; known: hand" in third
