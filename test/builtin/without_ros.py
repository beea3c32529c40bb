"""Runs all shipped plugins in a session, a batch and a test, while packages are hidden.

This is a program. Its arguments are the comma-separated plugin types, and the packages that cannot
be imported. It prints JSON.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Collection, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from mujoco_ros_py.plugins.host.description_files import Base
from mujoco_ros_py.plugins.host.plugin_types import shipped_types
from mujoco_ros_py.session import Session
from mujoco_ros_py.session.batch import Batch
from mujoco_ros_py.testing import serve

XML = """
<mujoco>
  <worldbody>
    <geom type="plane" size="9 9 1"/>
    <camera name="eye" pos="0 -2 1"/>
    <body name="hand" mocap="true" pos="2 2 2"/>
    <body name="base" pos="0 0 1">
      <freejoint/>
      <geom size=".2"/>
      <site name="top"/>
      <body pos="0 0 .3">
        <joint name="turn" axis="0 1 0"/>
        <geom size=".05" pos="0 0 .1"/>
        <body pos="0 0 .3">
          <joint name="finger" type="slide" axis="0 0 1"/>
          <geom size=".05"/>
        </body>
      </body>
    </body>
    <body pos="4 4 .5">
      <joint name="x" type="slide" axis="1 0 0"/>
      <joint name="y" type="slide" axis="0 1 0"/>
      <joint name="yaw" axis="0 0 1"/>
      <geom size=".1"/>
    </body>
    <body pos="-4 4 .5">
      <freejoint/>
      <geom size=".1"/>
      <body pos=".3 .3 0"><joint name="a"/><geom size=".1"/></body>
      <body pos="-.3 .3 0"><joint name="b"/><geom size=".1"/></body>
      <body pos=".3 -.3 0"><joint name="c"/><geom size=".1"/></body>
      <body pos="-.3 -.3 0"><joint name="d"/><geom size=".1"/></body>
    </body>
    <body pos="-9 4 .5">
      <freejoint/>
      <geom size=".1"/>
      <body pos=".3 0 0"><joint name="p" axis="1 0 0"/><geom size=".1"/></body>
      <body pos="-.15 .25981 0"><joint name="q" axis="-.5 .86603 0"/><geom size=".1"/></body>
      <body pos="-.15 -.25981 0"><joint name="r" axis="-.5 -.86603 0"/><geom size=".1"/></body>
    </body>
    <body pos="4 -4 1"><joint name="spare" axis="0 1 0"/><geom size=".1"/></body>
    <body pos="-4 -4 1">
      <joint name="held" axis="0 1 0"/>
      <geom size=".1"/>
      <body pos=".3 0 0">
        <joint name="forwarded" axis="0 1 0"/>
        <geom size=".1"/>
        <body pos=".3 0 0"><joint name="outside" axis="0 1 0"/><geom size=".1"/></body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <position name="turn" joint="turn" kp="10"/>
    <motor name="free" joint="spare"/>
    <position name="grip" joint="outside"/>
  </actuator>
  <sensor><gyro name="gyro" site="top"/><jointpos name="angle" joint="turn"/></sensor>
</mujoco>
"""
_SITE = {'site': 'top'}
_BASE = {'enable_odom_tf': False}
CONFIGS: dict[str, Mapping[str, Any]] = {
    'JointController': {'joints': ['held']},
    'JointTrajectoryController': {'joints': ['turn']},
    'ForwardCommandController': {'joints': ['forwarded'], 'interface_name': 'effort'},
    'ActuatorCommands': {'actuators': ['free']},
    'ParallelGripperController': {'joint': 'finger'},
    'ActuatorGripperController': {'actuator': 'grip'},
    'TopicBasedHardware': {'joints': {'x': 'position'}},
    'BodyWrench': {'body': 'base'},
    'MocapPose': {'body': 'hand'},
    'EmergencyStop': {},
    'Cameras': {},
    'JointStates': {},
    'Transforms': {},
    'RobotDescription': {},
    'Odometry': {},
    'Markers': {},
    'Sensors': {},
    'Imu': _SITE,
    'ForceTorque': _SITE,
    'Twist': _SITE,
    'Pose': _SITE,
    'Magnetometer': _SITE,
    'NavSat': {**_SITE, 'spherical_coordinates': {'latitude_deg': 48.0, 'longitude_deg': 11.0}},
    'AirPressure': _SITE,
    'Altimeter': _SITE,
    'Battery': {'voltage': 12.0, 'capacity': 5.0},
    'LaserScan': {**_SITE, 'samples': 8, 'spin_steps': 4},
    'Range': _SITE,
    'Lidar': _SITE,
    'Contacts': {},
    'DepthCloud': {'camera': 'eye'},
    'Recorder': {},
    'Shadow': {'states': '/robot/joint_states'},
    'Imperfections': {
        'timeline': {
            'late': {'of': '/joint_states', 'latency': 0.1},
            'worn': {'of': {'joint': 'spare'}, 'offset': 0.1},
        },
    },
}
"""The configuration of each type that can be loaded together with all others."""
BASES: dict[str, Mapping[str, Any]] = {
    'DiffDriveController': {
        **_BASE, 'left_wheel_names': ['a'], 'right_wheel_names': ['b'],
        'wheel_separation': 0.6, 'wheel_radius': 0.1,
    },
    'MecanumDriveController': {
        **_BASE, 'front_left_wheel_command_joint_name': 'a',
        'front_right_wheel_command_joint_name': 'c', 'rear_left_wheel_command_joint_name': 'b',
        'rear_right_wheel_command_joint_name': 'd',
        'kinematics': {'wheels_radius': 0.1, 'sum_of_robot_center_projection_on_X_Y_axis': 0.6},
    },
    'OmniWheelDriveController': {
        **_BASE, 'wheel_names': ['p', 'q', 'r'], 'robot_radius': 0.3, 'wheel_radius': 0.1,
    },
    'PlanarDriveController': {
        **_BASE, 'x_joint': 'x', 'y_joint': 'y', 'yaw_joint': 'yaw',
    },
}  # fmt: skip
"""The same for types that drive the same wheels, or the joints of another plugin."""


def types() -> set[str]:
    """Returns the plugin types that the package exports, without the package's name.

    RecordedCommands needs a recording of topics.
    """
    names = {each.name.partition('/')[2] for each in shipped_types(Base.SERVER)}
    return names - {'RecordedCommands'}


def listed(configs: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Returns the entries of plugins, each with the name of its type."""
    return [
        {'type': f'mujoco_ros_py/{name}', 'name': name, **config}
        for name, config in configs.items()
    ]


def measured(plugins: Mapping[str, Any]) -> dict[str, str]:
    """Returns the type of the message of each plugin that measures."""
    told = {name: plugins['Sensors'].measure(name) for name in ('gyro', 'angle')}
    for name, plugin in plugins.items():
        if name != 'Sensors' and hasattr(plugin, 'measure'):
            told[name] = plugin.measure()
    return {name: type(message).__name__ for name, message in told.items()}


def run(folder: Path, names: Collection[str]) -> dict[str, Any]:
    """Returns the problems, and the measurements."""
    configs, bases = (
        {name: each for name, each in some.items() if name in names} for some in (CONFIGS, BASES)
    )
    if 'Recorder' in configs:
        configs['Recorder'] = {'file': str(folder / 'run.mcap'), 'topics': ['/imu']}
    everything = listed(configs)
    with Session(mujoco_xml=XML, plugins=everything, positions={'turn': 0.5}) as session:
        session.step(10)
        problems, told = session.problems, measured(session.plugins)
        states, sensors = session.plugins['JointStates'].measure(), session.plugins['Sensors']
        turned = dict(zip(states.name, states.position, strict=True))['turn']
        same = turned == sensors.measure('angle').value == _angle(session) != 0.0
    for name, config in bases.items():
        with Session(mujoco_xml=XML, plugins=listed({name: config})) as session:
            session.step(10)
            problems += session.problems
    quiet = listed({name: each for name, each in configs.items() if name != 'Recorder'})
    with Batch(mujoco_xml=XML, plugins=quiet, worlds=2) as batch:
        batch.step(count=10)
        in_batch = [measured(world.plugins) for world in batch]
    with serve(XML, plugins=quiet) as server:
        server.step(10)
    return {'problems': problems, 'told': told, 'in_batch': in_batch, 'same': same}


def _angle(session: Session) -> float:
    return float(session.snapshot().data.joint('turn').qpos[0])


def main() -> None:
    """Hides the packages, runs the plugins, and prints the results."""
    names, *hidden = sys.argv[1:]
    sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type]
    logging.basicConfig(level=logging.INFO, format='%(levelname)s %(message)s')
    with TemporaryDirectory() as folder:
        print(json.dumps(run(Path(folder), names.split(','))))


if __name__ == '__main__':
    main()
