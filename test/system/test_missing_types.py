"""Servers in whose Python packages of message types cannot be imported, or lack some types."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from nav_msgs.msg import Odometry

from .cameras import configs, images, wait_for_more
from .faults import log_entries
from .harness import Client, wait_until

pytestmark = pytest.mark.slow

OURS = 'mujoco_ros_msgs', 'mujoco_ros_py_interfaces'
WITHOUT_ITS_TYPES = {
    "there are no services of the original server's types": ('gravity', '/step/_action/'),
    'there are no services of states, keyframes, values and options. ROS does not include': (
        '/save_state',
        '/set_options',
    ),
    'there are no standard services of simulators': ('/get_simulation_state',),
}
"""What the log says once, and parts of the services that there are not."""
WITHOUT_CONTROL_MSGS = {
    'gripper': 'no action /gripper/gripper_cmd',
    'arm': 'no action /arm/follow_joint_trajectory, no service /arm/query_state, '
    'no topic /arm/controller_state',
}
DRONE = """
<mujoco>
  <option timestep="0.002" gravity="0 0 0"/>
  <worldbody>
    <camera name="front" pos="0 -2 0" xyaxes="1 0 0 0 0 1"/>
    <camera name="chase" mode="trackcom" pos="0 -2 0" xyaxes="1 0 0 0 0 1"/>
    <body name="drone">
      <freejoint/>
      <geom size="0.3"/>
      <body name="rotor" pos="0 0 0.3">
        <joint name="finger" axis="0 0 1"/><geom size="0.1"/>
        <body><joint name="wrist" axis="0 0 1"/><geom size="0.1"/></body>
      </body>
    </body>
  </worldbody>
  <actuator><position joint="finger"/><position joint="wrist"/></actuator>
</mujoco>
"""
PLUGINS = """
[{type: mujoco_ros_py/Odometry, publish_tf: true},
 {type: mujoco_ros_py/Transforms, root: drone},
 {type: mujoco_ros_py/ParallelGripperController, name: gripper, joint: finger},
 {type: mujoco_ros_py/JointTrajectoryController, name: arm, joints: [wrist]}]
"""


def first_on_the_path(folder: Path, code: str) -> dict[str, str]:
    """Returns the environment in which Python runs this code before all else."""
    (folder / 'sitecustomize.py').write_text(code)
    before = filter(None, [os.environ.get('PYTHONPATH')])
    return {'PYTHONPATH': os.pathsep.join([str(folder), *before])}


def hiding(folder: Path, *names: str) -> dict[str, str]:
    code = f'import sys\nsys.modules.update(dict.fromkeys({names}))\n'
    return first_on_the_path(folder, code)


def services(client: Client) -> list[str]:
    """Returns the names of all services, once there are some of the server."""

    def found() -> list[str]:
        return [name for name, _ in client.node.get_service_names_and_types()]

    wait_until(lambda: '/mujoco_server/step' in found(), 'the services')
    return found()


@pytest.mark.usefixtures('graphics')
def test_without_any_of_our_types_all_else_works_and_the_log_says_how_to_get_them(start, tmp_path):
    fast = {'frequency': 50.0}
    parameters = {'mujoco_xml': DRONE, 'MujocoPlugins': PLUGINS, **configs(front=fast, chase=fast)}
    hidden = hiding(tmp_path, *OURS, 'simulation_interfaces', 'tf2_msgs', 'control_msgs')
    process, client = start(parameters, fresh=True, **hidden)
    came = [
        client.collect(Odometry, 'odom'),
        images(client, '/cameras/front/rgb'),
        images(client, '/cameras/chase/rgb'),
    ]
    for reloads in range(3):
        if reloads:
            assert client.trigger('reload').success
        for messages in came:
            wait_for_more(messages, process=process)
    assert process.output.count('4 of 4 plugins ready') == 3, process.output
    warnings = log_entries(process, 'WARN')
    for plugin, topics in (('odometry', 's /tf_static, /tf'), ('transforms', ' /tf')):
        missing = f"tf2_msgs is not installed: plugin '{plugin}' has no topic{topics}."
        (warning,) = [entry for entry in warnings if missing in entry]
        assert 'tf2-msgs' in warning
    assert re.search(r'\(python3-dev\): /\S+ /\S+/interfaces/install.py', warning)
    assert [client.node.count_publishers(topic) for topic in ('/tf', '/tf_static')] == [0, 0]
    for plugin, parts in WITHOUT_CONTROL_MSGS.items():
        missing = f'control_msgs is not installed: plugin {plugin!r} has {parts}.'
        assert len([entry for entry in warnings if missing in entry]) == 1
    assert client.node.count_subscribers('/arm/joint_trajectory') == 1
    assert not log_entries(process)
    for said, parts in WITHOUT_ITS_TYPES.items():
        assert process.output.count(said) == 1, said
        assert not [name for name in services(client) for part in parts if part in name]
    assert 'Traceback' not in process.output


def test_packages_that_have_no_services_count_as_missing(start, tmp_path):
    hidden = hiding(tmp_path, *(f'{package}.srv' for package in OURS))
    process, client = start({}, fresh=True, **hidden)
    assert client.trigger('reset').success
    for said, parts in [*WITHOUT_ITS_TYPES.items()][: len(OURS)]:
        assert process.output.count(said) == 1, said
        assert not [name for name in services(client) for part in parts if part in name]
    assert 'interfaces/install.py' in process.output
    assert 'Traceback' not in process.output


def test_with_the_types_of_the_ros_2_port_only_those_of_cameras_are_missing(start, tmp_path):
    pytest.importorskip('mujoco_ros_msgs.srv', reason='mujoco_ros_msgs was not built')
    code = 'from mujoco_ros_msgs import srv\ndel srv.GetCameraOptions, srv.SetCameraOptions\n'
    process, client = start({}, fresh=True, **first_on_the_path(tmp_path, code))
    assert client.trigger('reset').success
    assert 'Traceback' not in process.output
    names = services(client)
    assert [name for name in names if 'gravity' in name]
    assert not [name for name in names if 'camera_options' in name]
