from __future__ import annotations

import pytest
from sensor_msgs.msg import JointState

from .harness import PENDULUM, seconds, wait_for_rate, wait_until

MIXED = """
<mujoco>
  <option timestep="0.001" gravity="0 0 0"/>
  <worldbody>
    <body><joint name="free" type="free"/><geom size="0.1"/></body>
    <body pos="1 0 0"><joint name="slide" type="slide"/><geom size="0.1"/></body>
    <body pos="2 0 0"><joint name="ball" type="ball"/><geom size="0.1"/></body>
    <body pos="3 0 0"><joint name="hinge"/><geom size="0.1"/></body>
  </worldbody>
</mujoco>
"""
VELOCITIES = 'initial_joint_velocities.joint_map'
DRIFT = {'mujoco_xml': MIXED, f'{VELOCITIES}.slide': 0.5, f'{VELOCITIES}.hinge': -0.25}


def test_values_are_those_of_hinge_and_slide_joints_at_the_stamped_simulation_time(start):
    _, client = start(DRIFT)
    messages = client.collect(JointState, 'joint_states')
    wait_until(lambda: len(messages) >= 20, '20 joint states')
    for state in messages[:20]:
        assert list(state.name) == ['slide', 'hinge']
        time = seconds(state.header.stamp)
        assert time / 0.001 == pytest.approx(round(time / 0.001), abs=1e-5), 'whole steps'
        assert list(state.position) == pytest.approx([0.5 * time, -0.25 * time], abs=1e-9)
        assert list(state.velocity) == pytest.approx([0.5, -0.25], abs=1e-9)
        assert list(state.effort) == [0, 0]


@pytest.mark.parametrize(
    ('rate_hz', 'realtime'),
    [
        (40.0, 2.0),
        pytest.param(400.0, 0.1, marks=pytest.mark.slow),
    ],
)
def test_the_rate_counts_in_simulated_time(start, rate_hz, realtime):
    _, client = start({**DRIFT, 'joint_states_rate': rate_hz, 'realtime': realtime})
    messages = client.collect(JointState, 'joint_states')
    wait_for_rate(messages, lambda state: state.header.stamp, rate_hz)

    stamps = [seconds(state.header.stamp) for state in messages]
    assert stamps == sorted(set(stamps))


@pytest.mark.slow
def test_a_node_that_comes_while_paused_gets_them(start):
    _, client = start({'mujoco_xml': PENDULUM, 'unpause': False})
    assert client.trigger('step').success

    messages = client.collect(JointState, 'joint_states')

    wait_until(lambda: messages, 'joint states')
    assert seconds(messages[-1].header.stamp) == pytest.approx(0.002)


@pytest.mark.slow
def test_without_a_rate_there_are_none(start):
    _, client = start({'mujoco_xml': PENDULUM, 'joint_states_rate': 0.0})

    wait_until(lambda: client.node.count_publishers('/clock'), 'the publisher of /clock')
    assert client.node.count_publishers('/joint_states') == 0


BARE_ARM = """
<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <body><joint name="elbow" axis="0 1 0"/><geom size="0.1" mass="1" pos="0.5 0 0"/></body>
  </worldbody>
</mujoco>
"""
HOLDING = '[{type: mujoco_ros_py/JointTrajectoryController, name: arm, joints: [elbow]}]'


@pytest.mark.slow
def test_the_effort_of_a_controller_without_an_actuator_is_published(start):
    """An arm of 1 kg, held level at 0.5 m by an effort on the joint itself, bears m g l."""
    _, client = start({'mujoco_xml': BARE_ARM, 'MujocoPlugins': HOLDING})
    messages = client.collect(JointState, 'joint_states')
    wait_until(lambda: len(messages) >= 20, '20 joint states')
    assert list(messages[-1].position) == pytest.approx([0.0], abs=1e-6)
    assert list(messages[-1].effort) == pytest.approx([-9.81 * 0.5], rel=1e-6)
