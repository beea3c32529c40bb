"""mujoco_ros_py/TopicBasedHardware: the simulated side of topic-based ros2_control hardware."""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence, Set
from types import SimpleNamespace
from typing import Any

import mujoco
import numpy as np

from ....config import listed
from ....errors import ConfigError, PluginError
from ....plugins import State, compiled, ros_type
from ....plugins.topic_qos import COMMANDS, STATES
from ...joints.joint_effort import joint_effort
from ..commands.joint_names import NAMED_TWICE, UNKNOWN_JOINT, name_fields, wrong_name
from ..commands.old_commands import OLD, UNHEARD
from ..commands.set_points import JointSetPointPlugin, old_command_fields
from ..drive.command_report import CommandReport, Sentences, fault_counts
from ..drive.drive_record import EFFORT, POSITION, VELOCITY
from ..drive.joint_drive import JointDrive
from ..drive.joint_plugin import JointPlugin
from ..drive.model_joints import joint_id
from .hardware_commands import IDLE_JOINT, INFINITE, WRONG_LENGTH, take_message
from .hardware_config import KINDS, TopicBasedHardwareConfig

_log = logging.getLogger(__name__)
_LOOK_S = 1.0
"""The wall time in s between checks for a publisher; simulated time would stop during a pause."""


class TopicBasedHardware(JointSetPointPlugin[TopicBasedHardwareConfig]):
    """Follows the joint commands of a controller manager in another process, and publishes states.

    The first command interface in the configuration drives a joint; other interfaces are
    feedforward. A controller manager sends the commands of all its joints in one message, and
    after a reset only some of these commands can be old. Each joint is therefore checked
    separately for commands from before the reset.
    """

    places = (
        *JointPlugin.places,
        *(f'hardware.{name}' for name in ('driven', 'drives', 'qpos', 'dof')),
    )

    topics: Set[str] = frozenset()
    """The full names of the topics; no other plugin of this type can use them."""

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Claims the joints, and connects the topics if ROS is available."""
        self.hardware = self.config.hardware(self.environment.urdf)
        interfaces = self.hardware.commands
        driven = {name: kinds[0] for name, kinds in interfaces.items() if kinds}
        self.drive = JointDrive(self, model, data, list(driven), list(driven.values()))
        rows = np.zeros(len(interfaces), _ROW)
        for row, (name, kinds) in zip(rows, interfaces.items(), strict=True):
            states = self.hardware.states[name]
            row['interfaces'] = [kind in kinds for kind in KINDS]
            row['states'] = [kind in states for kind in KINDS]
            row['driven'] = self.drive.joints.index(name) if kinds else -1
            row['drives'] = KINDS.index(kinds[0]) if kinds else -1
        self._find(rows, model)
        self.state = self.drive.new_state(
            **name_fields(list(interfaces)),
            hardware=rows,
            counts=np.zeros(len(KINDS), int),
            next=np.zeros(len(KINDS), int),
            given=np.zeros(len(KINDS)),
            **old_command_fields(len(interfaces), self.config, len(KINDS)),
            faults=np.zeros(IDLE_JOINT + 1, int),
            **dict.fromkeys(_NUMBERS, 0),
        )
        faults = self.state.faults
        CommandReport(self, lambda: (*fault_counts(faults, self._sentences), *self.old_counts()))
        self._connect()

    def adapt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Adapts to another model; keeps the commands."""
        self.drive.adapt(model, data)
        self._find(self.state.hardware, model)

    def take_command(
        self,
        model: mujoco.MjModel,
        data: mujoco.MjData,
        /,
        *,
        name: Sequence[str],
        position: Sequence[float] = (),
        velocity: Sequence[float] = (),
        effort: Sequence[float] = (),
    ) -> None:
        """Sets the commands from the values of a sensor_msgs/JointState."""
        self.set_commands(name, position=position, velocity=velocity, effort=effort)

    def set_commands(self, names: Sequence[str], **commands: Sequence[float]) -> None:
        """Sets `position`, `velocity` and `effort` commands, as a message would.

        Call this on the physics thread. Raises ConfigError, and sets no command, if a message with
        these values would be refused.
        """
        self.forget_old()
        state = self.state
        before = state.faults.copy()
        arrays = {kind: np.array(commands.get(kind, ()), float) for kind in KINDS}
        texts = [np.frombuffer(name.encode(), np.uint8) for name in names]
        take_message(state, self.drive.data, SimpleNamespace(name=texts, **arrays), False)
        for fault, sentence in self._sentences.items():
            if fault != IDLE_JOINT and state.faults[fault] > before[fault]:
                raise ConfigError(sentence())

    def distrust_first(self) -> bool:
        """Ignores each joint's first command until it changes, unless the first command is NaN.

        Call this on the physics thread. Returns False, and does nothing, if the configuration
        accepts old commands.
        """
        if self.config.ignore_old_commands_after_reset:
            self.state.old[:] = UNHEARD
        return self.config.ignore_old_commands_after_reset

    def _connect(self) -> None:
        kind, config = ros_type('sensor_msgs/msg/JointState'), self.config
        hardware, names, state = self.hardware, list(self.hardware.commands), self.state
        zeros = [0.0] * len(names)
        topics = hardware.commands_topic, hardware.states_topic
        self.topics = frozenset(map(self.ros.resolve_topic_name, topics))
        self._refuse_shared_topics()
        taken = self.ros.create_compiled_subscription(
            kind, hardware.commands_topic, self.take, COMMANDS, state=state
        )
        self.ros.create_compiled_publisher(
            kind, hardware.states_topic, self.fill, qos=STATES,
            rate_hz=config.rate or config.update_rate,
            template=kind(name=names, position=zeros, velocity=zeros, effort=zeros),
            state=state,
        )  # fmt: skip
        self.ros.need_clock(config.update_rate)
        if self.ros:
            _log.info('%s: subscribed to commands on %s', self.name, taken.topic_name)
            _PublisherWatch(self, taken)

    def _find(self, rows: Any, model: mujoco.MjModel) -> None:
        """Writes the addresses of all joints of the hardware, also of joints without commands."""
        for row, name in zip(rows, self.hardware.commands, strict=True):
            joint = joint_id(model, f'{self.environment.prefix}{name}')
            row['qpos'], row['dof'] = model.jnt_qposadr[joint], model.jnt_dofadr[joint]

    def _refuse_shared_topics(self) -> None:
        """Raises PluginError if another plugin of this type uses one of the topics.

        Otherwise one controller manager would drive the joints of both plugins, because joint
        names in messages have no prefix.
        """
        for name, other in self.environment.plugins.items():
            if isinstance(other, TopicBasedHardware) and (shared := self.topics & other.topics):
                raise PluginError(
                    f'{name} already uses {listed(sorted(shared))}: joint_commands_topic and'
                    ' joint_states_topic must differ between plugins'
                )

    @property
    def _sentences(self) -> Sentences:
        """The warnings about faulty messages."""
        return {
            UNKNOWN_JOINT: self._unknown,
            NAMED_TWICE: self._twice,
            WRONG_LENGTH: self._misfit,
            INFINITE: self._infinite,
            IDLE_JOINT: self._idle,
        }

    def _unknown(self) -> str:
        known = listed(list(self.hardware.commands))
        name = wrong_name(self.state, UNKNOWN_JOINT)
        return f'a command was refused: {name} is not a joint of the hardware: {known}'

    def _twice(self) -> str:
        name = wrong_name(self.state, NAMED_TWICE)
        return f'a command was refused: it names {name} twice'

    def _misfit(self) -> str:
        state = self.state
        kind, wanted = KINDS[int(state.wrong_kind)], int(state.wanted_length)
        return (
            f'a command was refused: {kind} has {int(state.wrong_length)} numbers, but {wanted} of'
            f' the {int(state.wrong_named)} named joints take {kind} commands'
        )

    def _infinite(self) -> str:
        kind = KINDS[int(self.state.infinite_kind)]
        return f'a command was refused: {kind} has an infinite number'

    def _idle(self) -> str:
        name = list(self.hardware.commands)[int(self.state.idle_joint)]
        drives, *others = self.hardware.commands[name]
        return (
            f'{name} holds still: no {drives} command was received, and {" and ".join(others)}'
            f' commands are only feedforward; the first interface in joints.{name} drives the'
            ' joint'
        )

    def _repeated(self) -> str:
        ignored = (self.state.old == OLD) & np.isfinite(self.state.last_commands).any(axis=1)
        known = list(self.hardware.commands)
        names = [name for name, old in zip(known, ignored, strict=True) if old]
        return (
            f'the commands of {listed(names or known)} are the same as before'
            ' the reset or the start, and are ignored until they change'
            ' (ignore_old_commands_after_reset)'
        )

    @staticmethod
    @compiled
    def take(state: State, model: mujoco.MjModel, data: mujoco.MjData, message: Any) -> None:
        """Sets the commands from a message."""
        stamp = message.header.stamp
        take_message(state, data, message, stamp.sec != 0 or stamp.nanosec != 0)

    @staticmethod
    @compiled
    def fill(state: State, model: mujoco.MjModel, data: mujoco.MjData, message: Any) -> None:
        """Writes the joint states; NaN for state interfaces that the hardware does not declare."""
        for k in range(len(state.hardware)):
            joint = state.hardware[k]
            has = joint.states
            message.position[k] = data.qpos[joint.qpos] if has[POSITION] else math.nan
            message.velocity[k] = data.qvel[joint.dof] if has[VELOCITY] else math.nan
            message.effort[k] = joint_effort(data, joint.dof) if has[EFFORT] else math.nan


_NUMBERS = (
    *('wrong_kind', 'wrong_length', 'wanted_length', 'wrong_named', 'infinite_kind'), 'idle_joint',
)  # fmt: skip
_ROW = np.dtype(
    [
        ('driven', int),
        ('drives', int),
        ('interfaces', np.uint8, len(KINDS)),
        ('states', np.uint8, len(KINDS)),
        ('qpos', int),
        ('dof', int),
    ],
    align=True,
)


class _PublisherWatch:
    """Checks once a second whether the command topic has a silent publisher; needs ROS."""

    def __init__(self, hardware: TopicBasedHardware, subscription: Any) -> None:
        self._hardware, self._subscription = hardware, subscription
        self._hinted, self._silent = False, 0
        hardware.ros.create_timer(_LOOK_S, self._look)

    def _look(self) -> None:
        if not self._subscription.publishers:
            self._silent = 0
            return
        if self._hardware.environment.simulation.paused and not self._hinted:
            self._hinted = True
            _log.info(
                '%s: the simulation is paused, and %s has a publisher: a controller manager on'
                ' simulated time does not update during a pause, and answers "Switch controller'
                ' timed out" until set_pause resumes the simulation',
                self._hardware.name, self._subscription.topic_name,
            )  # fmt: skip
        if not self._subscription.taken:
            self._silent += 1
            if self._silent == 2:  # at the first check, the publisher may only just have appeared
                self._hardware.environment.submit(lambda model, data: self._expect_old())

    def _expect_old(self) -> None:
        """Ignores the first command of a publisher that is silent at first.

        A new controller manager sends NaN from its start. A silent manager was running before this
        server started: the server has set the clock back, and the manager sleeps until the clock
        reaches the old time again.
        """
        if not self._subscription.taken and self._hardware.distrust_first():
            _log.info(
                '%s: no message has arrived from the publisher of %s: a controller manager waits'
                ' for the clock, or sleeps until the time that it had before this server started;'
                ' if its first command is a number, the command is old, and is ignored until it'
                ' changes (ignore_old_commands_after_reset)',
                self._hardware.name, self._subscription.topic_name,
            )  # fmt: skip
