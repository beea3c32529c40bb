"""Wrenches and mocap targets continue while other bodies and frames are added and removed."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.errors import ConfigError
from mujoco_ros_py.session import Session

pytestmark = pytest.mark.slow

WORLD = """
<mujoco>
  <option gravity="0 0 0"/>
  <worldbody>
    {first}
    <body name="brick"><freejoint/><geom type="box" size=".1 .2 .3"/><site name="corner"/></body>
    {frame}
    <body name="hand" mocap="true" pos="0 0 5"/>
  </worldbody>
</mujoco>
"""
FIRST = """
<body name="ball" pos="9 0 0"><freejoint/><geom size="0.1"/><site name="spot"/></body>
<body name="marker" mocap="true"/>
"""
FRAME = '<body name="turned" pos="3 0 0" euler="0 0 30"/>'
WRENCH = {'type': 'mujoco_ros_py/BodyWrench', 'name': 'wrench', 'body': 'brick', 'site': 'corner'}
POSE = {'type': 'mujoco_ros_py/MocapPose', 'name': 'pose', 'body': 'hand',
        'max_linear_velocity': 0.5}  # fmt: skip


def world(first: str = '', frame: str = FRAME) -> mujoco.MjSpec:
    return mujoco.MjSpec.from_string(WORLD.format(first=first, frame=frame))


def session_of(*plugins: Any) -> Session:
    session = Session(world(), plugins=plugins)
    assert not session.problems
    return session


def push(session: Session, frame: str = 'turned') -> None:
    wrench: Any = session.plugins['wrench']
    session.call(lambda m, d: wrench.set_wrench((1.0, 2.0, 0.5), (0.1, 0.0, 0.2), frame))


def brick(session: Session) -> list[float]:
    data = session.snapshot().data
    joint = data.body('brick')
    return [*joint.xfrc_applied, *data.qpos[-7:], *data.qvel[-6:]]


def test_a_wrench_pushes_on_in_the_axes_of_its_frame_and_a_target_is_reached():
    ends = []
    for changes in (False, True):
        with session_of(WRENCH, POSE) as session:
            plugins: Any = dict(session.plugins)
            push(session)
            session.call(lambda m, d, p=plugins: p['pose'].set_pose((1.0, 0.0, 5.0)))
            for change in (world(FIRST), world(), world(FIRST)):
                session.step(20)
                if changes:
                    session.change(change)
            session.step(20)
            assert session.plugins == plugins
            data = session.snapshot().data
            assert plugins['pose'].state.moves
            hand = data.mocap_pos[-1]
            assert 0.0 < hand[0] < 1.0
            ends.append([*brick(session), *hand])
    assert ends[0] == ends[1]


def test_messages_name_frames_of_the_world_as_it_is_now():
    with session_of(WRENCH, POSE) as session:
        with pytest.raises(ConfigError, match='unknown frame'):
            push(session, 'spot')
        session.change(world(FIRST))
        push(session, 'spot')
        pose: Any = session.plugins['pose']
        session.call(lambda m, d: pose.set_pose((0.0, 1.0, 0.0), frame='ball'))
        assert pose.state.target_position == pytest.approx([9.0, 1.0, 0.0])
        session.change(world())
        with pytest.raises(ConfigError, match=r'unknown frame .*spot.*; known: .*turned'):
            push(session, 'spot')


def test_a_wrench_ends_with_its_frame_and_takes_its_force_away(caplog):
    with session_of(WRENCH) as session:
        push(session)
        session.step(5)
        session.change(world(FIRST, frame=''))
        assert 'the wrench has ended: its frame no longer exists' in caplog.text
        session.step(2)
        assert not session.snapshot().data.xfrc_applied.any()
        assert list(session.plugins) == ['wrench']


def test_a_plugin_whose_body_is_gone_is_taken_out_with_the_reason_and_the_other_stays():
    with session_of(WRENCH, POSE) as session:
        push(session)
        session.step(5)
        session.delete('brick')
        session.step(5)
        assert list(session.plugins) == ['pose']
        assert 'brick' in session.problems[0]
        assert 'unknown body' in session.problems[0]
        assert not session.snapshot().data.xfrc_applied.any()
        session.delete('hand')
        session.step(1)
        assert not session.plugins
        assert 'unknown mocap body' in session.problems[1]


def test_a_wrench_without_its_site_leaves_no_force_behind():
    bare = WORLD.replace('<site name="corner"/>', '').format(first=FIRST, frame=FRAME)
    with session_of(WRENCH) as session:
        push(session)
        session.step(5)
        session.change(mujoco.MjSpec.from_string(bare))
        session.step(2)
        assert 'site of body brick' in session.problems[0]
        assert not session.snapshot().data.xfrc_applied.any()


def test_a_reload_of_the_same_model_forgets_wrench_and_target():
    with session_of(WRENCH, POSE) as session:
        plugins: Any = dict(session.plugins)
        push(session)
        session.call(lambda m, d: plugins['pose'].set_pose((1.0, 0.0, 5.0)))
        session.step(20)
        session.reload()
        session.step(20)
        assert session.plugins == plugins
        data = session.snapshot().data
        np.testing.assert_array_equal(data.qvel, 0.0)
        np.testing.assert_array_equal(data.mocap_pos, [[0.0, 0.0, 5.0]])
