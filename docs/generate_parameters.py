"""Generates the parameter tables of the pages from the source; run it after changes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import is_dataclass
from pathlib import Path
from types import NoneType
from typing import Any, Literal, get_args, get_origin

import yaml

from mujoco_ros_py.builtin.bodies.body_wrench import BodyWrenchConfig
from mujoco_ros_py.builtin.bodies.mocap_pose import MocapPoseConfig
from mujoco_ros_py.builtin.controllers import DriveConfig, Gains, JointLimits
from mujoco_ros_py.builtin.controllers.bases.base_config import AxisLimits, BaseConfig
from mujoco_ros_py.builtin.controllers.bases.diff_drive_controller import (
    DiffDriveControllerConfig,
)
from mujoco_ros_py.builtin.controllers.bases.mecanum_drive_controller import (
    BaseFrameOffset,
    MecanumDriveControllerConfig,
    MecanumKinematics,
)
from mujoco_ros_py.builtin.controllers.bases.omni_wheel_drive_controller import (
    OmniWheelDriveControllerConfig,
)
from mujoco_ros_py.builtin.controllers.bases.planar_drive_controller import (
    PlanarDriveControllerConfig,
)
from mujoco_ros_py.builtin.controllers.commands.actuator_commands import ActuatorCommandsConfig
from mujoco_ros_py.builtin.controllers.commands.forward_command_controller import (
    ForwardCommandControllerConfig,
)
from mujoco_ros_py.builtin.controllers.commands.joint_controller import JointControllerConfig
from mujoco_ros_py.builtin.controllers.emergency_stop import EmergencyStopConfig
from mujoco_ros_py.builtin.controllers.grippers.actuator_gripper_controller import (
    ActuatorGripperControllerConfig,
)
from mujoco_ros_py.builtin.controllers.grippers.gripper_plugin import GripperConfig
from mujoco_ros_py.builtin.controllers.grippers.parallel_gripper_controller import (
    ParallelGripperControllerConfig,
)
from mujoco_ros_py.builtin.controllers.hardware.topic_based_hardware import (
    TopicBasedHardwareConfig,
)
from mujoco_ros_py.builtin.controllers.trajectories.trajectory_config import (
    JointTrajectoryControllerConfig,
)
from mujoco_ros_py.builtin.descriptions.robot_description import RobotDescriptionConfig
from mujoco_ros_py.builtin.imperfections.distributions import (
    Burst,
    Distribution,
    Drop,
    Gamma,
    Normal,
    Saturation,
    Stale,
)
from mujoco_ros_py.builtin.imperfections.imperfections import ImperfectionsConfig
from mujoco_ros_py.builtin.imperfections.targets import Target
from mujoco_ros_py.builtin.imperfections.timeline import Entry
from mujoco_ros_py.builtin.joints.joint_states import JointStatesConfig
from mujoco_ros_py.builtin.markers.markers import MarkersConfig
from mujoco_ros_py.builtin.recordings.recorded_commands import RecordedCommandsConfig
from mujoco_ros_py.builtin.recordings.recorder_config import RecorderConfig
from mujoco_ros_py.builtin.sensors import AxisNoise, SensorConfig, VectorNoise
from mujoco_ros_py.builtin.sensors.compound.air_pressure import AirPressureConfig
from mujoco_ros_py.builtin.sensors.compound.altimeter import AltimeterConfig, AltimeterNoise
from mujoco_ros_py.builtin.sensors.compound.battery import BatteryConfig
from mujoco_ros_py.builtin.sensors.compound.force_torque import ForceTorqueConfig, WrenchNoise
from mujoco_ros_py.builtin.sensors.compound.imu import ImuConfig, ImuNoise
from mujoco_ros_py.builtin.sensors.compound.magnetometer import MagnetometerConfig
from mujoco_ros_py.builtin.sensors.compound.nav_sat import (
    NavSatConfig,
    NavSatNoise,
    SphericalCoordinates,
)
from mujoco_ros_py.builtin.sensors.compound.pose import PoseConfig, PoseNoise
from mujoco_ros_py.builtin.sensors.compound.twist import TwistConfig, TwistNoise
from mujoco_ros_py.builtin.sensors.contacts.contacts import ContactsConfig
from mujoco_ros_py.builtin.sensors.depth.depth_cloud import DepthCloudConfig
from mujoco_ros_py.builtin.sensors.named.sensors import SensorsConfig
from mujoco_ros_py.builtin.sensors.rays.laser_scan import LaserScanConfig
from mujoco_ros_py.builtin.sensors.rays.lidar import LidarConfig
from mujoco_ros_py.builtin.sensors.rays.range_sensor import RangeConfig
from mujoco_ros_py.builtin.sensors.rays.ray_config import AngleRange, RangeLimits, RayConfig
from mujoco_ros_py.builtin.shadow.shadow_config import Hypothesis, MeasuredNoise, ShadowConfig
from mujoco_ros_py.builtin.transforms.odometry import OdometryConfig
from mujoco_ros_py.builtin.transforms.transforms import TransformsConfig
from mujoco_ros_py.config import CameraConfig, Parameter, ServerConfig, parameters_of
from mujoco_ros_py.identification.measurements.options import MeasurementOptions, TopicOptions
from mujoco_ros_py.identification.options import FitOptions, FittedValue, Prior

PAGES = {
    'reference/parameters.md': [ServerConfig],
    'reference/cameras.md': [CameraConfig],
    'reference/transforms.md': [TransformsConfig, OdometryConfig],
    'reference/plugins.md': [JointStatesConfig],
    'reference/urdf.md': [RobotDescriptionConfig],
    'reference/controllers/joint-trajectory-controller.md': [JointTrajectoryControllerConfig],
    'reference/controllers/parallel-gripper.md': [
        GripperConfig,
        ParallelGripperControllerConfig,
        ActuatorGripperControllerConfig,
    ],
    'reference/controllers/topic-based-hardware.md': [TopicBasedHardwareConfig],
    'reference/controllers/body-wrench.md': [BodyWrenchConfig],
    'reference/controllers/mocap-pose.md': [MocapPoseConfig],
    'reference/controllers/forward-command-controller.md': [ForwardCommandControllerConfig],
    'reference/controllers/actuator-commands.md': [ActuatorCommandsConfig],
    'reference/controllers/joint-controller.md': [JointControllerConfig],
    'reference/controllers/emergency-stop.md': [EmergencyStopConfig],
    'reference/controllers.md': [
        JointLimits,
        Gains,
        DriveConfig,
    ],
    'reference/controllers/bases.md': [AxisLimits, BaseConfig],
    'reference/controllers/diff-drive.md': [DiffDriveControllerConfig],
    'reference/controllers/mecanum-drive.md': [
        MecanumDriveControllerConfig,
        MecanumKinematics,
        BaseFrameOffset,
    ],
    'reference/controllers/omni-wheel-drive.md': [OmniWheelDriveControllerConfig],
    'reference/controllers/planar-drive.md': [PlanarDriveControllerConfig],
    'reference/sensors.md': [SensorConfig],
    'reference/sensors/noise.md': [AxisNoise, VectorNoise],
    'reference/sensors/named-sensors.md': [SensorsConfig],
    'reference/sensors/compound-sensors.md': [
        ImuConfig, ImuNoise,
        ForceTorqueConfig, WrenchNoise,
        TwistConfig, TwistNoise,
        PoseConfig, PoseNoise,
        MagnetometerConfig,
        NavSatConfig, NavSatNoise, SphericalCoordinates,
        AirPressureConfig,
        AltimeterConfig, AltimeterNoise,
        BatteryConfig,
    ],
    'reference/sensors/scans.md': [
        LaserScanConfig, RayConfig, RangeLimits, LidarConfig, AngleRange, RangeConfig,
    ],
    'reference/imperfections.md': [
        ImperfectionsConfig, Entry, Target, Distribution, Normal, Gamma, Drop, Burst, Stale,
        Saturation,
    ],
    'reference/identify.md': [FitOptions, FittedValue, Prior, MeasurementOptions, TopicOptions],
    'reference/shadow.md': [ShadowConfig, MeasuredNoise, Hypothesis],
    'reference/markers.md': [MarkersConfig],
    'reference/recordings.md': [RecorderConfig, RecordedCommandsConfig],
    'reference/sensors/contacts.md': [ContactsConfig],
    'reference/sensors/depth-cloud.md': [DepthCloudConfig],
}  # fmt: skip
SHARED = DriveConfig, BaseConfig, GripperConfig, SensorConfig, RayConfig, AxisNoise
"""The base classes of configurations that have their own tables."""
OF_LIVE_FIELDS = (
    AxisNoise, VectorNoise, ImuNoise, WrenchNoise, TwistNoise, PoseNoise, NavSatNoise,
    AltimeterNoise, Entry, Target, Distribution, Normal, Gamma, Drop, Burst, Stale, Saturation,
)  # fmt: skip
"""The configurations of live fields, which can change while the server runs."""
OF_FILES = FitOptions, FittedValue, Prior, MeasurementOptions, TopicOptions
"""The configurations that commands read, without a server that could reload them."""
BEGIN = '<!-- from here: generate_parameters.py {} -->\n'
END = '<!-- to here -->\n'
HEAD = (
    '| parameter | type | default | range | read | meaning |\n'
    '|---|---|---|---|---|---|\n'
)  # fmt: skip
HEAD_OF_FILES = HEAD.replace(' read |', '').replace('|---', '', 1)

_TYPES = {bool: 'bool', int: 'integer', float: 'double', str: 'string'}
_READ = {
    'now': 'at once',
    'reload': 'at a reload',
    'trusted': 'at the start; with `trust_network` at a reload',
    'start': 'at the start',
}


def table(config: type) -> str:
    """Returns a table with one row per parameter, in the order of the configuration.

    Skips parameters inherited from a configuration in SHARED, unless they differ.
    """
    above = [each for each in SHARED if issubclass(config, each) and config is not each]
    inherited = {name: row for each in above for name, row in parameters_of(each).items()}
    rows = parameters_of(config).items()
    live = config in OF_LIVE_FIELDS
    lines = [_row(name, row, live=live) for name, row in rows if row != inherited.get(name)]
    if config in OF_FILES:
        return HEAD_OF_FILES + ''.join(map(_without_read, lines))
    return HEAD + ''.join(lines)


def filled(page: str, configs: list[type]) -> str:
    """Returns the page with new tables between their marks."""
    for config in configs:
        begin = BEGIN.format(config.__name__)
        before, found, rest = page.partition(begin)
        _, ended, after = rest.partition(END)
        if not (found and ended):
            raise SystemExit(f'the page must have {begin.strip()} and {END.strip()}')
        page = before + begin + table(config) + END + after
    return page


def _row(name: str, parameter: Parameter[Any], *, live: bool) -> str:
    cells = [
        f'`{name}`',
        _type(parameter.hint),
        '' if parameter.required else f'`{_as_yaml(parameter.default)}`',
        f'{parameter.rule} {parameter.unit}'.strip(),
        _READ['now' if live else parameter.when],
        re.sub('(`[^`]*`)|<', lambda found: found[1] or '&lt;', parameter.description),
    ]
    return f'| {" | ".join(cells)} |\n'


def _without_read(line: str) -> str:
    """Returns a row without the cell that says when the parameter is read."""
    cells = line.split(' | ')
    return ' | '.join(cells[:4] + cells[5:])


def _type(hint: Any) -> str:
    """Returns the ROS name of a type; unions list their members, tuples become arrays."""
    if get_origin(hint) is tuple:
        return f'{_type(get_args(hint)[0])} array'
    if get_origin(hint) is Mapping or is_dataclass(hint):
        return 'struct'
    if get_origin(hint) is Literal:
        return 'string'
    if hint in _TYPES:
        return _TYPES[hint]
    return ' or '.join(_type(each) for each in get_args(hint) if each is not NoneType)


def _as_yaml(value: object) -> str:
    if is_dataclass(value):
        return '{}'
    plain = list(value) if isinstance(value, tuple) else value
    return yaml.safe_dump(plain, default_flow_style=True).splitlines()[0]


if __name__ == '__main__':
    for name, configs in PAGES.items():
        path = Path(__file__).parent / name
        path.write_text(filled(path.read_text(), configs))
