"""Several robots in one world over DDS: each has a namespace, joint states, TF and commands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from action_msgs.msg import GoalStatus
from builtin.controllers.trajectories.trajectory_messages import trajectory
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray

pytest.importorskip('control_msgs', reason='control_msgs is not there')
pytest.importorskip('tf2_msgs', reason='tf2_msgs is not there')
from control_msgs.action import FollowJointTrajectory
from tf2_msgs.msg import TFMessage

from .harness import answered_goal, wait_until

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[2] / 'examples' / 'plugins'
ARMS = ('arm1', 'arm2', 'arm3')
JOINTS = [f'joint{number}' for number in range(1, 8)]
CONTROLLER = '{type: mujoco_ros_py/JointTrajectoryController, name: arm, joints: [joint1, joint2]}'
WRIST = (
    '{type: mujoco_ros_py/ForwardCommandController, name: wrist, joints: [joint7],'
    ' interface_name: position}'
)
TRANSFORMS = '{type: mujoco_ros_py/Transforms}'
GROUPS = ''.join(
    f'- {{namespace: {arm}, plugins: [{CONTROLLER}, {WRIST}, {TRANSFORMS}]}}\n' for arm in ARMS
)


def children(messages: list[Any]) -> set[str]:
    return {each.child_frame_id for message in list(messages) for each in message.transforms}


def test_three_arms_of_a_factory_are_driven_in_three_namespaces(start):
    parameters = {
        'modelfile': 'python://example_plugins.scenes:arena?arms=3',
        'model_modules': ['example_plugins'],
        'MujocoPlugins': GROUPS,
        'realtime': 4.0,
        'joint_states_rate': 25.0,
    }
    process, client = start(parameters, PYTHONPATH=str(EXAMPLES))
    states = {arm: client.collect(JointState, f'/{arm}/joint_states') for arm in ARMS}
    frames = client.collect(TFMessage, '/tf')
    whole = client.collect(JointState, '/joint_states')
    wait_until(lambda: whole and frames and all(states.values()), 'joint states and TF')
    for arm in ARMS:
        assert list(states[arm][-1].name) == JOINTS
    assert set(whole[-1].name) >= {f'{arm}/joint1' for arm in ARMS}
    ends = {'arm1/link1', 'arm2/link7', 'arm3/link3'}
    wait_until(lambda: ends <= children(frames), 'the frames of all arms')

    actions = client.actions(FollowJointTrajectory, '/arm2/arm/follow_joint_trajectory')
    assert actions.wait_for_server(60.0)
    wrist = client.node.create_publisher(Float64MultiArray, '/arm3/wrist/commands', 10)
    wait_until(wrist.get_subscription_count, 'the subscription of the third wrist')
    wrist.publish(Float64MultiArray(data=[0.7]))
    goal = FollowJointTrajectory.Goal(
        trajectory=trajectory((1.0, (0.5, -0.4), (0.0, 0.0)), joints=('joint1', 'joint2'))
    )
    result = answered_goal(actions, goal).get_result_async()
    wait_until(result.done, 'the result')
    assert result.result().status == GoalStatus.STATUS_SUCCEEDED

    def position(arm: str, joint: str) -> float:
        last = states[arm][-1]
        return float(last.position[list(last.name).index(joint)])

    def there() -> bool:
        moved = position('arm2', 'joint1'), position('arm3', 'joint7')
        return moved == pytest.approx((0.5, 0.7), abs=0.02)

    wait_until(there, 'the second arm and the third wrist')
    assert abs(position('arm1', 'joint1') - position('arm3', 'joint1')) < 0.02
    assert abs(position('arm1', 'joint7')) < 0.05
    assert 'Traceback' not in process.output
