"""/tf and /tf_static against the poses of the bodies."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
from sensor_msgs.msg import JointState

from .harness import seconds, wait_for_rate, wait_until
from .plugin_site import PluginSite

pytestmark = pytest.mark.slow

TFMessage = pytest.importorskip(
    'tf2_msgs.msg', reason='tf2_msgs is not installed, see interfaces/'
).TFMessage

CHAIN = """
<mujoco>
  <option timestep="0.002" gravity="0 0 0"/>
  <worldbody>
    <body name="base" pos="0.5 0 0.2" euler="0 0 30">
      <geom size="0.1" mass="1"/>
      <body name="upper" pos="0 0 0.3">
        <joint name="shoulder" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0 0 0.4" size="0.03"/>
        <body name="lower" pos="0 0 0.4" euler="0 45 0">
          <joint name="elbow" axis="1 0 0"/>
          <geom type="capsule" fromto="0 0 0 0 0 0.3" size="0.03"/>
          <body name="tool" pos="0.01 0.02 0.3" euler="10 20 30"><geom size="0.02"/></body>
        </body>
      </body>
    </body>
    <body><joint name="drawer" type="slide" axis="1 0 0"/><geom size="0.05"/></body>
  </worldbody>
</mujoco>
"""
VELOCITIES = 'initial_joint_velocities.joint_map'
MOVING = {
    'mujoco_xml': CHAIN,
    f'{VELOCITIES}.shoulder': 1.0,
    f'{VELOCITIES}.elbow': -2.0,
    f'{VELOCITIES}.drawer': 0.1,
    'joint_states_rate': 50.0,
    'realtime': 1.0,
    'unpause': False,
    'MujocoPlugins': '[{type: mujoco_ros_py/Transforms}]',
}


def listed(**config: object) -> dict[str, str]:
    struct = ', '.join(f'{key}: {value}' for key, value in config.items())
    return {'MujocoPlugins': f'[{{type: mujoco_ros_py/Transforms, {struct}}}]'}


@pytest.fixture
def moving(share):
    """`moving(**parameters)`: a client of a server whose joints move."""

    def begin(**parameters):
        _, client = share(MOVING, given=parameters)
        assert client.pause(False).success
        return client

    return begin


def transforms_of(client) -> tuple[list[TFMessage], list[TFMessage]]:
    """Returns the repeated transforms, and those that a late subscriber receives."""
    found = client.collect(TFMessage, '/tf'), client.collect(TFMessage, '/tf_static', latched=True)
    wait_until(lambda: all(found), 'transforms')
    return found


def pose(transform) -> list[float]:
    at, turn = transform.transform.translation, transform.transform.rotation
    return [at.x, at.y, at.z, turn.w, turn.x, turn.y, turn.z]


def in_parent(model: mujoco.MjModel, data: mujoco.MjData, body: str) -> list[float]:
    """Homogeneous coordinates: the world's to the parent, and from the body."""
    frames = []
    for index in (model.body(body).parentid[0], model.body(body).id):
        frame = np.eye(4)
        frame[:3, :3], frame[:3, 3] = data.xmat[index].reshape(3, 3), data.xpos[index]
        frames.append(frame)
    relative = np.linalg.inv(frames[0]) @ frames[1]
    quat = np.empty(4)
    mujoco.mju_mat2Quat(quat, relative[:3, :3].ravel())
    return [*relative[:3, 3], *quat]


def test_what_moves_is_where_the_joints_say_at_the_same_time(moving):
    client = moving()
    transforms, states = (
        client.collect(TFMessage, '/tf'),
        client.collect(JointState, 'joint_states'),
    )
    both = wait_until(
        lambda: len(
            times := {seconds(s.header.stamp): s for s in states}.keys()
            & {seconds(m.transforms[0].header.stamp): m for m in transforms}.keys()
        ) >= 20 and times,
        'transforms and joint states of the same moments',
    )  # fmt: skip
    model = mujoco.MjModel.from_xml_string(CHAIN)
    data = mujoco.MjData(model)
    positions = {
        seconds(s.header.stamp): dict(zip(s.name, s.position, strict=True)) for s in states
    }

    for message in transforms:
        time = seconds(message.transforms[0].header.stamp)
        if time not in both:
            continue
        for joint, position in positions[time].items():
            data.joint(joint).qpos = position
        mujoco.mj_kinematics(model, data)
        names = [transform.child_frame_id for transform in message.transforms]
        assert names == ['upper', 'lower', 'unnamed_body_5']
        for transform in message.transforms:
            body = transform.child_frame_id.replace('unnamed_body_5', '')
            if not body:
                assert pose(transform)[0] == pytest.approx(positions[time]['drawer'], abs=1e-9)
                continue
            parent = model.body(model.body(body).parentid[0]).name
            assert transform.header.frame_id == parent
            assert pose(transform) == pytest.approx(in_parent(model, data, body), abs=1e-6)


FLOATING = """
<mujoco>
  <option timestep="0.002" gravity="0 0 0" integrator="RK4"/>
  <worldbody>
    <body name="drone" pos="1 2 3" euler="0 0 90">
      <freejoint name="float"/><geom size="0.1" mass="1"/>
    </body>
    <body name="torso" pos="0 0 1" euler="30 0 0">
      <body name="head" pos="0.1 0.2 0.3" euler="0 40 0">
        <joint name="neck" type="ball"/><geom size="0.1" mass="1"/>
      </body>
    </body>
    <body name="target" mocap="true" pos="0 -1 0.5"/>
  </worldbody>
</mujoco>
"""
"""Spheres, so that what turns keeps turning about the same axis; nothing touches."""
LINEAR, SPIN, NOD = (0.3, -0.2, 0.1), (0.0, 0.5, 1.0), (1.0, 0.0, 2.0)
GUIDE = """
import math
from mujoco_ros_py.plugins import MujocoPlugin

class Guide(MujocoPlugin):
    def last_stage_callback(self, model, data):
        data.mocap_pos[0, 0] = data.time
        data.mocap_quat[0] = math.cos(data.time), 0, 0, math.sin(data.time)
"""


def turned(body: str, velocity: tuple[float, ...], time: float) -> np.ndarray:
    """What the model's axes of a body have become, its velocity being in the body."""
    by, quat = np.empty(4), np.empty(4)
    speed = float(np.linalg.norm(velocity))
    mujoco.mju_axisAngle2Quat(by, np.array(velocity) / speed, speed * time)
    model = mujoco.MjModel.from_xml_string(FLOATING)
    mujoco.mju_mulQuat(quat, model.body(body).quat, by)
    return quat


def test_bodies_that_float_turn_on_a_ball_or_are_led_are_where_mechanics_has_them(start, tmp_path):
    site = PluginSite(tmp_path)
    site.add_module('guide', GUIDE)
    plugins = '[{type: guide/Guide}, {type: mujoco_ros_py/Transforms}]'
    velocities = {f'{VELOCITIES}.float': [*LINEAR, *SPIN], f'{VELOCITIES}.neck': [*NOD]}
    parameters = {'mujoco_xml': FLOATING, **velocities, 'MujocoPlugins': plugins}
    _, client = start(parameters, **site.environment)
    transforms = client.collect(TFMessage, '/tf')
    wait_until(lambda: len(transforms) >= 50, 'transforms')

    for message in transforms[:50]:
        time = seconds(message.transforms[0].header.stamp)
        place = np.array([1, 2, 3]) + time * np.array(LINEAR)
        expected = {
            ('world', 'drone'): (place, turned('drone', SPIN, time)),
            ('torso', 'head'): ([0.1, 0.2, 0.3], turned('head', NOD, time)),
            ('world', 'target'): ([time, -1, 0.5], [np.cos(time), 0, 0, np.sin(time)]),
        }
        for transform in message.transforms:
            assert seconds(transform.header.stamp) == time
            at, quat = expected.pop((transform.header.frame_id, transform.child_frame_id))
            assert pose(transform)[:3] == pytest.approx(list(at), abs=1e-6)
            same = abs(np.dot(pose(transform)[3:], quat))
            assert same == pytest.approx(1.0, abs=1e-9), transform.child_frame_id
        assert expected == {}


def test_what_is_fixed_is_latched_and_does_not_come_again(moving):
    client = moving()
    transforms, (message,) = transforms_of(client)
    wait_until(lambda: len(transforms) > 5, 'transforms')

    assert {t.child_frame_id: t.header.frame_id for t in message.transforms} == {
        'base': 'world',
        'tool': 'lower',
    }
    model = mujoco.MjModel.from_xml_string(CHAIN)
    for transform in message.transforms:
        body = model.body(transform.child_frame_id)
        assert pose(transform) == pytest.approx([*body.pos, *body.quat])
    assert not {t.child_frame_id for m in transforms for t in m.transforms} & {'base', 'tool'}


def test_a_root_is_in_the_world_and_what_is_not_below_it_is_left_out(moving):
    client = moving(**listed(root='lower'))
    transforms, late = transforms_of(client)
    states = client.collect(JointState, 'joint_states')
    positions = {}

    def known() -> list[TFMessage]:
        for state in tuple(states):
            positions[seconds(state.header.stamp)] = dict(
                zip(state.name, state.position, strict=True)
            )
        return [m for m in transforms if seconds(m.transforms[0].header.stamp) in positions]

    wait_until(lambda: len(known()) > 20, 'transforms and joint states')
    assert [t.child_frame_id for t in late[0].transforms] == ['tool']
    model = mujoco.MjModel.from_xml_string(CHAIN)
    data = mujoco.MjData(model)
    for message in known():
        (transform,) = message.transforms
        assert (transform.header.frame_id, transform.child_frame_id) == ('world', 'lower')
        for joint, position in positions[seconds(transform.header.stamp)].items():
            data.joint(joint).qpos = position
        mujoco.mj_kinematics(model, data)
        assert pose(transform)[:3] == pytest.approx(list(data.body('lower').xpos), abs=1e-9)


def test_a_root_and_excluded_bodies_can_be_left_to_others(moving):
    client = moving(**listed(root='base', publish_root=False, exclude='[upper]'))
    transforms, late = transforms_of(client)

    assert {t.child_frame_id: t.header.frame_id for t in transforms[0].transforms} == {
        'lower': 'upper'
    }
    assert [t.child_frame_id for t in late[0].transforms] == ['tool']


def test_the_prefix_stands_before_every_frame(start):
    _, client = start({**MOVING, 'frame_prefix': 'left/'})
    transforms, late = transforms_of(client)
    frames = {
        frame
        for transform in [*transforms[0].transforms, *late[0].transforms]
        for frame in (transform.child_frame_id, transform.header.frame_id)
    }
    assert frames == {
        f'left/{name}' for name in ('world', 'base', 'upper', 'lower', 'tool', 'unnamed_body_5')
    }


def test_the_rate_counts_in_simulated_time(moving):
    client = moving(**listed(rate=20.0), realtime=3.0)
    transforms = client.collect(TFMessage, '/tf')
    wait_for_rate(transforms, lambda message: message.transforms[0].header.stamp, 20.0)


def test_a_wrong_configuration_is_refused_with_the_rule(share):
    process, client = share(MOVING, given={'MujocoPlugins': '[]'})
    for config, rule in (
        ({'rate': 0.0}, 'rate must be greater than 0'),
        ({'rat': 5.0}, "unknown parameter 'rat'"),
        ({'root': '[a]'}, 'root must be a string'),
        ({'exclude': '[uper]'}, "exclude: unknown body 'uper' (did you mean 'upper'?)"),
        (
            {'root': 'uper'},
            "unknown body 'uper' (did you mean 'upper'?); known: base, lower, tool,",
        ),
    ):
        assert client.set_parameters(**listed(**config))[0].successful
        assert rule in client.trigger('reload').message, config
    assert rule in client.diagnostics()['plugin transforms'][1]
    assert rule in process.output
