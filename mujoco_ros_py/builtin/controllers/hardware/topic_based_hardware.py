"""mujoco_ros_py/TopicBasedHardware: the simulated side of ros2_control's hardware over topics."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import mujoco
import numpy as np

from ....config import listed, ranged
from ....errors import ConfigError, PluginError
from ....plugins import compiled
from ...joints.joint_effort import joint_effort
from ..commands.joint_names import NAMED_TWICE, UNKNOWN_JOINT, name_fields, wrong_name
from ..drive.command_following import drive_joints
from ..drive.command_report import CommandReport, Sentences, fault_counts
from ..drive.drive_config import DriveConfig, Interface
from ..drive.joint_drive import JointDrive
from ..drive.joint_plugin import JointPlugin
from ..drive.model_joints import joint_id
from .hardware_commands import IDLE_JOINT, INFINITE, WRONG_LENGTH, take_message

_log = logging.getLogger(__name__)
_KINDS: tuple[Interface, ...] = ('position', 'velocity', 'effort')
_NO_INTERFACE = 'none'


@dataclass(frozen=True, kw_only=True, slots=True)
class TopicBasedHardwareConfig(DriveConfig):
    """The configuration of the TopicBasedHardware plugin."""

    joints: Mapping[str, str | tuple[str, ...]]
    """The command interfaces of each joint of the hardware, as its URDF names them: position,
    velocity, effort, or a list of them, of which the first one drives the joint; none for a joint
    without, such as a mimic joint."""
    joint_commands_topic: str = '/robot_joint_commands'
    """The topic of the commands (sensor_msgs/JointState), to which the hardware publishes."""
    joint_states_topic: str = '/robot_joint_states'
    """The topic of the states (sensor_msgs/JointState), to which the hardware subscribes."""
    rate: float = ranged(100.0, above=0.0, maximum=10_000.0, unit='Hz')
    """States per second of simulated time; at least the update rate of the controller manager."""

    def __post_init__(self) -> None:
        for name, given in self.joints.items():
            kinds = (given,) if isinstance(given, str) else given
            if kinds != (_NO_INTERFACE,) and not (kinds and set(kinds) <= set(_KINDS)):
                raise ConfigError(
                    f'joints.{name} must be position, velocity, effort, a list of them, or none,'
                    f' got {given!r}'
                )
        if not any(self.interfaces(name) for name in self.joints):
            raise ConfigError('joints must have one with a command interface')

    def interfaces(self, joint: str) -> tuple[Interface, ...]:
        """Returns the command interfaces of a joint; the first one drives it."""
        given = self.joints[joint]
        listed = (given,) if isinstance(given, str) else given
        return tuple(kind for each in listed for kind in _KINDS if kind == each)


class TopicBasedHardware(JointPlugin[TopicBasedHardwareConfig]):
    """Takes the joint commands of a controller manager in another process, and sends it states.

    A joint with several command interfaces is driven by the first one that the configuration
    lists; the others are its feedforward.
    """

    places = (
        *JointPlugin.places,
        *(f'hardware.{name}' for name in ('driven', 'drives', 'qpos', 'dof')),
    )

    topics: Set[str] = frozenset()
    """The full names of the topics, which no other plugin of this type may have."""

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Claims the joints, and connects the topics where there is ROS."""
        config = self.config
        interfaces = {name: config.interfaces(name) for name in config.joints}
        driven = {name: kinds[0] for name, kinds in interfaces.items() if kinds}
        self.drive = JointDrive(self, model, data, list(driven), list(driven.values()))
        rows = np.zeros(len(interfaces), _ROW)
        for row, (name, kinds) in zip(rows, interfaces.items(), strict=True):
            row['interfaces'] = [kind in kinds for kind in _KINDS]
            row['driven'] = self.drive.joints.index(name) if kinds else -1
            row['drives'] = _KINDS.index(kinds[0]) if kinds else -1
        self._find(rows, model)
        self.state = self.drive.new_state(
            **name_fields(list(interfaces)),
            hardware=rows,
            counts=np.zeros(len(_KINDS), int),
            next=np.zeros(len(_KINDS), int),
            faults=np.zeros(IDLE_JOINT + 1, int),
            **dict.fromkeys(_NUMBERS, 0),
        )
        faults = self.state.faults
        CommandReport(self, lambda: fault_counts(faults, self._sentences))
        if self.ros:
            self._connect()

    def adapt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Goes on with another model: the commands stay."""
        self.drive.adapt(model, data)
        self._find(self.state.hardware, model)  # type: ignore[union-attr]

    def set_commands(self, names: Sequence[str], **commands: Sequence[float]) -> None:
        """Takes `position`, `velocity` and `effort` as a message does; on the physics thread.

        Raises ConfigError, and takes none, for what is refused in a message.
        """
        state: Any = self.state
        before = state.faults.copy()
        arrays = {kind: np.array(commands.get(kind, ()), float) for kind in _KINDS}
        texts = [np.frombuffer(name.encode(), np.uint8) for name in names]
        take_message(state, self.drive.data, SimpleNamespace(name=texts, **arrays))
        for fault, sentence in self._sentences.items():
            if fault != IDLE_JOINT and state.faults[fault] > before[fault]:
                raise ConfigError(sentence())

    def _connect(self) -> None:
        from sensor_msgs.msg import JointState  # a session has no ROS

        from ....messages.topic_qos import COMMANDS, STATES

        config, zeros = self.config, [0.0] * len(self.config.joints)
        names, state = list(config.joints), self.state
        self.topics = {
            self.ros.full_name(config.joint_commands_topic),
            self.ros.full_name(config.joint_states_topic),
        }
        self._refuse_shared_topics()
        taken = self.ros.subscribe(
            JointState, config.joint_commands_topic, self.take, COMMANDS, state=state
        )
        self.ros.publish(
            JointState, config.joint_states_topic, STATES, fill=self.fill, rate_hz=config.rate,
            template=JointState(name=names, position=zeros, velocity=zeros, effort=zeros),
            state=state,
        )  # fmt: skip
        _log.info('%s: commands come on %s', self.name, taken.topic_name)

    def _find(self, rows: Any, model: mujoco.MjModel) -> None:
        """Writes the addresses of all joints of the hardware, also of those without commands."""
        for row, name in zip(rows, self.config.joints, strict=True):
            joint = joint_id(model, f'{self.environment.prefix}{name}')
            row['qpos'], row['dof'] = model.jnt_qposadr[joint], model.jnt_dofadr[joint]

    def _refuse_shared_topics(self) -> None:
        """Raises PluginError if another plugin of this type has one of the topics.

        One controller manager would drive both, as the names in messages have no prefix.
        """
        for name, other in self.environment.plugins.items():
            if isinstance(other, TopicBasedHardware) and (shared := self.topics & other.topics):
                raise PluginError(
                    f'{name} has {listed(sorted(shared))} already: joint_commands_topic and'
                    ' joint_states_topic must be others'
                )

    @property
    def _sentences(self) -> Sentences:
        """The sentence for each fault of a message."""
        return {
            UNKNOWN_JOINT: self._unknown,
            NAMED_TWICE: self._twice,
            WRONG_LENGTH: self._misfit,
            INFINITE: self._infinite,
            IDLE_JOINT: self._idle,
        }

    def _unknown(self) -> str:
        known = listed(list(self.config.joints))
        name = wrong_name(self.state)
        return f'a command was refused: {name} is no joint of the hardware: {known}'

    def _twice(self) -> str:
        return f'a command was refused: it names {wrong_name(self.state)} twice'

    def _misfit(self) -> str:
        state: Any = self.state
        kind, wanted = _KINDS[int(state.wrong_kind)], int(state.wanted_length)
        return (
            f'a command was refused: {kind} has {int(state.wrong_length)} numbers, and of the'
            f' {int(state.wrong_named)} joints that it names {wanted} take {kind} commands'
        )

    def _infinite(self) -> str:
        kind = _KINDS[int(self.state.wrong_kind)]  # type: ignore[union-attr]
        return f'a command was refused: {kind} has an infinite number'

    def _idle(self) -> str:
        name = list(self.config.joints)[int(self.state.idle_joint)]  # type: ignore[union-attr]
        drives, *others = self.config.interfaces(name)
        return (
            f'{name} holds still: {drives} drives it, of which no command has come, and'
            f' {" and ".join(others)} only go along with that; the first interface that'
            f' joints.{name} lists drives the joint'
        )

    @compiled
    def control_callback(state: Any, model: Any, data: Any) -> None:
        """Drives the joints by the last commands."""
        drive_joints(state, model, data)

    @compiled
    def take(state: Any, model: Any, data: Any, message: Any) -> None:
        """Takes the commands of a message."""
        take_message(state, data, message)

    @compiled
    def fill(state: Any, model: Any, data: Any, message: Any) -> None:
        """Writes positions, velocities and efforts of the joints into the message."""
        for k in range(len(state.hardware)):
            joint = state.hardware[k]
            message.position[k] = data.qpos[joint.qpos]
            message.velocity[k] = data.qvel[joint.dof]
            message.effort[k] = joint_effort(data, joint.dof)


_NUMBERS = ('wrong_kind', 'wrong_length', 'wanted_length', 'wrong_named', 'idle_joint')
_ROW = np.dtype(
    [
        ('driven', int),
        ('drives', int),
        ('interfaces', np.uint8, len(_KINDS)),
        ('qpos', int),
        ('dof', int),
    ],
    align=True,
)
