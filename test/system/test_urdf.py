"""A robot of ROS as `modelfile`: its frames, its joints, and the controllers that drive them."""

from __future__ import annotations

import pytest
from rclpy.qos import DurabilityPolicy, QoSProfile
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray

from .harness import wait_until

pytestmark = pytest.mark.slow

TFMessage = pytest.importorskip('tf2_msgs.msg', reason='tf2_msgs is not installed').TFMessage
MESH = b'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n'
URDF = """
<robot name="arm">
  <link name="base_link"/>
  <link name="upper">
    <inertial><origin xyz="0.15 0 0"/><mass value="1"/>
      <inertia ixx="0.001" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><geometry><mesh filename="package://arm_description/meshes/upper.obj"/></geometry>
    </visual>
  </link>
  <link name="tool"/>
  <joint name="turn" type="revolute">
    <parent link="base_link"/><child link="upper"/><axis xyz="0 0 1"/>
    <limit lower="-3" upper="3" effort="80" velocity="2"/>
  </joint>
  <joint name="flange" type="fixed">
    <parent link="upper"/><child link="tool"/><origin xyz="0.3 0 0"/>
  </joint>
  <ros2_control name="arm" type="system">
    <hardware><plugin>mock_components/GenericSystem</plugin></hardware>
    <joint name="turn"><command_interface name="position"/><state_interface name="position"/>
    </joint>
  </ros2_control>
  <gazebo><plugin name="gz_ros2_control"/></gazebo>
</robot>
"""
PLUGINS = """
- {type: mujoco_ros_py/Transforms}
- {type: mujoco_ros_py/ForwardCommandController, name: position, joints: [turn],
   interface_name: position}
"""


@pytest.fixture
def package(tmp_path):
    """A package with the robot."""
    share = tmp_path / 'prefix/share/arm_description'
    index = tmp_path / 'prefix/share/ament_index/resource_index/packages'
    (share / 'meshes').mkdir(parents=True)
    index.mkdir(parents=True)
    (index / 'arm_description').touch()
    (share / 'meshes/upper.obj').write_bytes(MESH)
    (share / 'arm.urdf').write_text(URDF)
    return share


def test_a_robot_of_a_package_has_its_frames_and_is_driven(start, package):
    process, client = start(
        {'modelfile': 'package://arm_description/arm.urdf', 'MujocoPlugins': PLUGINS},
        AMENT_PREFIX_PATH=str(package.parents[1]),
    )
    latched = QoSProfile(depth=100, durability=DurabilityPolicy.TRANSIENT_LOCAL)
    frames = {}

    def note(message) -> None:
        for each in message.transforms:
            frames[each.child_frame_id] = each.header.frame_id, each.transform.translation.x

    client.node.create_subscription(TFMessage, '/tf', note, 10)
    client.node.create_subscription(TFMessage, '/tf_static', note, latched)
    states = client.collect(JointState, '/joint_states')
    wait_until(lambda: {'base_link', 'upper', 'tool'} <= set(frames), 'all frames')
    assert frames['base_link'][0] == 'world'
    assert frames['upper'][0] == 'base_link'
    assert frames['tool'] == ('upper', pytest.approx(0.3))

    commands = client.node.create_publisher(Float64MultiArray, '/position/commands', 10)

    def there() -> bool:
        commands.publish(Float64MultiArray(data=[0.5]))
        return bool(states) and abs(states[-1].position[0] - 0.5) < 0.01

    wait_until(there, 'the position')
    assert states[-1].name == ['turn']
    told = 'not converted: Gazebo plugins: gz_ros2_control'
    assert process.output.count(told) == 1


def test_a_broken_robot_keeps_the_one_that_runs(start, package, tmp_path):
    (tmp_path / 'arm.urdf').write_text(URDF.replace('package://arm_description', str(package)))
    _, client = start({'modelfile': str(tmp_path / 'arm.urdf')})
    broken = URDF.replace('<child link="tool"/>', '<child link="gripper"/>')
    (tmp_path / 'arm.urdf').write_text(broken)
    answer = client.trigger('reload')
    assert not answer.success
    assert 'Line 15: error while parsing element <joint name="flange">' in answer.message
    assert "unknown link 'gripper'; known: base_link, upper, tool" in answer.message
    states = client.collect(JointState, '/joint_states')
    wait_until(lambda: bool(states), 'joint states')
    client.set_parameters(mujoco_xml=URDF.replace('package://arm_description', str(package)))
    assert client.trigger('reload').success
