"""Drives the joints of a plugin: claims them, creates their record, and adapts to new models."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import mujoco
import numpy as np

from ....config import listed
from ....errors import ConfigError, MujocoRosError, PluginError
from ....log_throttle import Throttle
from ....plugins import new_state
from .actuator_choice import DrivenJoint, driven_joint
from .actuator_laws import Law
from .claims import Claims, check_free
from .command_following import ROUNDING, leave_joints
from .command_report import CommandReport, DriveCounts
from .drive_config import DriveConfig, Interface
from .drive_record import (
    HOLDS,
    HOLDS_ANEW,
    live_fields,
    record_fields,
    renew_record,
    renew_rows,
    tune_rows,
)
from .holding import leave
from .joint_commands import forget_commands, withdraw_commands
from .model_joints import check_names, check_unique
from .moved_joints import movers

if TYPE_CHECKING:
    from .joint_plugin import JointPlugin

_log = logging.getLogger(__name__)


class JointDrive:
    """Drives joints of a plugin by position, velocity or effort, with any kind of actuator.

    The plugin creates the drive in `load`, assigns the result of `new_state` to its `state`, and
    calls `drive_joints` in its `control_callback` and `advance_joints` in its
    `last_stage_callback`. Call all methods on the physics thread, except `goes_with`.
    """

    def __init__(
        self,
        plugin: JointPlugin[Any],
        model: mujoco.MjModel,
        data: mujoco.MjData,
        joints: Sequence[str],
        interfaces: Interface | Sequence[Interface],
        config: DriveConfig | None = None,
    ) -> None:
        """Claims the joints, and chooses an actuator for each joint.

        `interfaces` is one interface for all joints, or one per joint. `config` defaults to the
        plugin's configuration. Raises PluginError if a joint does not exist, cannot be driven or
        belongs to another plugin, and ConfigError if gains or limits do not fit.
        """
        self._plugin, self._starts = plugin, Throttle()
        self._config: DriveConfig = plugin.config if config is None else config
        self.data = data
        """The MjData in which the joints are driven."""
        self.joints = tuple(joints)
        """The names of the joints without the name prefix of the plugin's group, in the order of
        the record's rows and arrays."""
        self.interfaces = _one_for_each(self.joints, interfaces)
        """The interface of each joint."""
        driven = self._found(model)
        self.claims = self._claims_of(driven)
        """The joints and actuators that belong to the plugin, by their names in the model."""
        check_free(plugin, self.claims)
        self._model, self._driven = model, driven
        self._fields = record_fields(model, driven, self._config)
        self._say_direct([joint.name for joint in driven if joint.actuator is None])

    def new_state(self, **own: Any) -> Any:
        """Creates the plugin's record from the drive's fields and the plugin's `own` fields.

        The joints hold their current positions. Raises TypeError if an own field has the name of a
        field of the drive.
        """
        if taken := self._fields.keys() & own.keys():
            raise TypeError(f'the drive already has a state field {listed(sorted(taken))}')
        state = new_state(**self._fields, **own)
        forget_commands(state, self.data)
        self._state = state
        self._warn_of_starts(self.data)
        CommandReport(self._plugin, DriveCounts(self.joints, self.interfaces, state))
        return state

    def endless(self, model: mujoco.MjModel) -> np.ndarray[Any, Any]:
        """Returns for each joint whether it is a hinge without position limits (continuous)."""
        rows = self._fields['drive']
        hinge = model.jnt_type[[joint.id for joint in self._driven]] == mujoco.mjtJoint.mjJNT_HINGE
        endless = np.isinf(rows['position_low']) & np.isinf(rows['position_high'])
        return np.asarray(hinge & endless)

    def reset(self, data: mujoco.MjData) -> None:
        """Discards all commands: the joints hold their positions. An emergency stop continues."""
        forget_commands(self._state, data)
        self._warn_of_starts(data)

    def adapt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Adapts to another model: looks up joints and actuators by name, and updates the record.

        Keeps commands, references, integrals, held positions, loads and an emergency stop. Gains
        are taken from the configuration, so call `set_gains` again if you used it. Raises
        PluginError if a joint is gone, cannot be driven now or belongs to another plugin, or if
        the number of actuators that the drive silences has changed. Raises ConfigError in the same
        cases as the constructor.
        """
        driven = self._found(model)
        claims = self._claims_of(driven)
        check_free(self._plugin, claims)
        fields = record_fields(model, driven, self._config)
        if len(fields['drive_other']) != len(self._state.drive_other):
            count = sum(len(joint.others) for joint in driven)
            raise PluginError(
                f'joints {listed(self.joints)} now have {count} actuators besides the driving'
                f' ones, but had {int(self._state.drive_others)}: reload to drive the joints'
            )
        self._model = model  # set first, because `goes_with` relies on this order
        self._driven, self._fields, self.claims, self.data = driven, fields, claims, data
        self._let_go(driven, data)
        renew_record(self._state, fields)

    def goes_with(self, model: mujoco.MjModel) -> bool:
        """Returns whether the addresses in the record are for this model. Thread-safe.

        First read the addresses, then call this with the model of the snapshot: the drive may
        already have adapted to another model.
        """
        return self._model is model

    def configure(self, config: DriveConfig) -> None:
        """Applies the live values of a configuration; keeps references and integrals.

        Raises ConfigError, and changes nothing, if a gain does not fit its joint.
        """
        check_names('gains', config.gains, self.joints)
        tune_rows(self._state.drive, self._model, self._driven, config)
        for name, value in live_fields(config).items():
            setattr(self._state, name, value)
        self._config = config

    def set_gains(self, p: Any, d: Any) -> None:
        """Sets the gains of the position PD, in N m/rad and N m s/rad, or N/m and N s/m.

        Each gain is one number for all joints, or an array with one number per joint.
        """
        rows = self._state.drive
        rows['p'] = rows['hold_p'] = p
        rows['d'] = rows['hold_d'] = d
        rows['i'] = rows['hold_i'] = rows['feeds'] = 0

    def emergency_stop(self, stopped: bool) -> None:
        """Makes the joints hold their positions from the next step on, until the stop ends.

        After the stop, they hold still until a new command arrives.
        """
        if stopped != self._state.stopped:
            withdraw_commands(self._state)
            self._state.stopped = stopped
            if stopped:
                held = self._state.drive['held']
                held[held == HOLDS] = HOLDS_ANEW

    def withdraw(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Stops driving the joints: removes applied efforts; position servos hold their joints.

        If the drive could not adapt to this model, only the joints that still exist are handled.
        """
        if model is self._model:
            leave_joints(self._state, model, data)
        else:
            self._leave_rest(model, data)

    def _found(self, model: mujoco.MjModel) -> list[DrivenJoint]:
        """Finds the joints in a model, and chooses their actuators.

        Raises PluginError and ConfigError in the same cases as the constructor.
        """
        _check(model, self._config, self.joints)
        prefix, others = self._plugin.environment.prefix, movers(model)
        return [
            driven_joint(model, name, interface, self._config, prefix, others)
            for name, interface in zip(self.joints, self.interfaces, strict=True)
        ]

    def _claims_of(self, driven: Sequence[DrivenJoint]) -> Claims:
        actuators = (each for joint in driven for each in (joint.actuator, *joint.others))
        prefix = self._plugin.environment.prefix
        return Claims(
            joints=frozenset(f'{prefix}{joint}' for joint in self.joints),
            actuators=frozenset(each.name for each in actuators if each is not None),
        )

    def _let_go(self, driven: Sequence[DrivenJoint], data: mujoco.MjData) -> None:
        """Removes the efforts that were applied directly to joints that now have an actuator."""
        for law, joint, dof in zip(
            self._state.drive['law'], driven, self._fields['dof_address'], strict=True
        ):
            if law == Law.DIRECT and joint.actuator is not None:
                data.qfrc_applied[dof] = 0.0

    def _leave_rest(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Stops driving the joints that still exist in a model the drive has not adapted to."""
        prefix = self._plugin.environment.prefix
        for k, (name, interface) in enumerate(zip(self.joints, self.interfaces, strict=True)):
            try:
                joint = driven_joint(model, name, interface, self._config, prefix, {})
                row = record_fields(model, [joint], self._config)['drive']
            except MujocoRosError:  # the joint is gone, and so are its actuators
                continue
            renew_rows(self._state.drive[k : k + 1], row)
            leave(self._state.drive[k], model, data, self._state.drive_compensates)

    def _warn_of_starts(self, data: mujoco.MjData) -> None:
        """Warns of joints that start outside their limits, because commands move them inside."""
        rows = self._state.drive
        for name, row, position in zip(self.joints, rows, data.qpos[rows['qpos']], strict=True):
            low, high = float(row['position_low']), float(row['position_high'])
            if low - ROUNDING <= position <= high + ROUNDING:
                continue
            text = (
                f'{self._plugin.name}: joint {name} starts at {position:g}, outside its limits'
                f' ({low:g} to {high:g}): its next command moves it back inside'
            )
            if line := self._starts.line(text, 'start', name):
                _log.warning('%s', line)

    def _say_direct(self, joints: Sequence[str]) -> None:
        if joints:
            _log.info(
                '%s: no actuator drives %s, so efforts are applied directly (qfrc_applied)',
                self._plugin.name,
                listed(joints),
            )


def _one_for_each(
    joints: Sequence[str], interfaces: Interface | Sequence[Interface]
) -> tuple[Interface, ...]:
    if isinstance(interfaces, str):
        return (interfaces,) * len(joints)
    if len(interfaces) != len(joints):
        raise ConfigError(
            f'interfaces must have one entry for each of the {len(joints)} joints,'
            f' got {len(interfaces)}'
        )
    return tuple(interfaces)


def _check(model: mujoco.MjModel, config: DriveConfig, joints: Sequence[str]) -> None:
    """Checks the names in the configuration, and that the model allows actuation.

    Raises ConfigError for a wrong name, and PluginError if the model disables actuation.
    """
    check_unique('joints', joints)
    check_names('gains', config.gains, joints)
    check_names('joint_limits', config.joint_limits, joints)
    if model.opt.disableflags & int(mujoco.mjtDisableBit.mjDSBL_ACTUATION):
        raise PluginError('the model disables actuation, so its joints cannot be driven')
