"""Mixins for the optional capabilities of plugins.

A plugin derives from `MujocoPlugin` and from the mixins that it needs::

    class Spring(MujocoPlugin[Config], Reconfigurable):
        def configure(self, config): ...

The server calls a mixin's methods only if the plugin's class derives from that mixin. It refuses a
class that defines such a method without deriving from the mixin.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, ClassVar

import mujoco
import numpy as np

from ..engine import State, copy_state, restore_state
from ..simulation import ModelChange, check_alike, check_places


class Reconfigurable:
    """For plugins whose `live` configuration fields can change while the plugin runs."""

    def configure(self, config: Any) -> None:
        """Apply new live values: `config` has the new values, `self.config` still the old ones.

        Called on the physics thread, between two steps. Raise ConfigError to refuse the values and
        keep `self.config` as it is. Also called after `restore`, with the current configuration,
        because the saved state may date from a time when the live values were different.
        """

    def check_live(self, config: Any) -> None:
        """Raise ConfigError to refuse new live values; the caller that sets them gets the message.

        Any thread may call this while the simulation is stepping: change nothing, and do not
        access the model or the data. If this method accepts the values, `configure` receives them
        later.
        """


class Adaptable:
    """For plugins that keep running when the model is changed or replaced."""

    def adapt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Continue with a new model, whose ids and addresses differ from the old ones.

        Repeat every look-up in the model that `load` did. The plugin keeps its state, topics,
        services, followers and views. If the time also restarts, `reset` is called afterwards. An
        exception disables the plugin. A follower on another thread may still hold a snapshot of
        the old model.

        The server unloads a plugin that does not override this method, or whose configuration has
        changed, and loads a new instance.
        """

    def model_changed(
        self, model: mujoco.MjModel, data: mujoco.MjData, change: ModelChange
    ) -> None:
        """Update any values that the plugin has cached from the model: an element has changed.

        Called on the physics thread, between two steps, once for each element that a service has
        changed: the mass of a body, a geom, an equality constraint, gravity or another physics
        option. Ids and addresses stay the same. Poses are already recomputed; forces are
        recomputed after all plugins have been called.
        """


class Savable:
    """For plugins that choose what a saved state contains; by default it contains `self.state`."""

    state: Any

    places: ClassVar[Sequence[str]] = ()
    """The fields of the state that hold ids or addresses, such as `joint`, or `rows.joint` for a
    field of the nested record `rows`.

    A state that a client sends is refused if these fields differ from the current ones, because
    compiled code uses them unchecked.
    """

    def save(self) -> Any:
        """Return the data that `restore` needs as a picklable copy; by default, the state.

        Called on the physics thread, between two steps.
        """
        return saved_state(self.state)

    def check_saved(self, saved: Any) -> None:
        """Raise ConfigError to refuse saved data that a client sends; nothing is restored then.

        Called on the physics thread, between two steps, before `restore`. By default, the saved
        data must have the same structure as the current result of `save`: the same types, keys,
        lengths and shapes. In a record, the fields in `places` must have their current values.
        """
        check_saved_state(saved, self.save(), self.places)

    def restore(self, saved: Any) -> None:
        """Restore `saved`, which is the data that `save` returned.

        Called on the physics thread, between two steps, after the simulation's data is restored.
        By default this writes the saved values back into the state, except the addresses. If the
        state refers to a `Memory`, override `save` and `restore` to include its contents.
        """
        restore_saved_state(self.state, saved)


class Stoppable:
    """For plugins that move something, and must stop the motion in an emergency or a failure."""

    def emergency_stop(self, model: mujoco.MjModel, data: mujoco.MjData, stopped: bool) -> None:
        """Stop all motion, and ignore commands until this is called with `stopped=False`.

        Called on the physics thread, between two steps, for all plugins that override it; see
        `Environment.emergency_stop`. A joint controller should hold its joints at their current
        positions.
        """

    def withdraw(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Clear the forces and controls that the plugin has set, because the plugin has failed.

        Called on the physics thread, between two steps, after an exception on any thread. If this
        method does nothing, the last forces and controls stay in effect. Set forces to 0, and set
        controls to values that hold still. After this call the server calls only `unload`.
        """


class Commandable:
    """For plugins that take commands from tests, also without ROS, and report what they drive."""

    take_command: Callable[..., None] | None = None
    """Executes a command as a message on a topic would; None if the plugin does not define it.

    Define it as a method ``take_command(self, model, data, /, *, <fields of the message>)``. The
    physics thread calls it between two steps. Raise ConfigError, TypeError or ValueError to refuse
    the command; any other exception disables the plugin.
    """

    @property
    def driven_actuators(self) -> Collection[str]:
        """The names, in the model, of the actuators whose controls the plugin sets in each step.

        Tests are not allowed to set these controls, because the plugin would overwrite them.
        """
        return ()


class Hardware:
    """For plugins that stand between the control callbacks and the robot, like real hardware.

    In each pass over the control callbacks, the server calls `read_callback` of all plugins in
    load order, then `control_callback` of all plugins, then `write_callback` of all plugins in
    reverse order: the plugin that is loaded first is the closest to the robot. Both can be
    `@compiled`. A forward pass inside one of these callbacks calls none of them.

    If the plugin fails, `write_callback` is called until the end of the step, because it has to
    restore what `read_callback` has changed. The server undoes nothing: neither callback should be
    able to raise, and `write_callback` must restore only what `read_callback` has changed.
    """

    nearest: ClassVar[bool] = False
    """Whether the plugin is closer to the robot than all plugins without this attribute, in any
    load order: `read_callback` then reads the true values."""

    def read_callback(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Change what control callbacks read: `data.qpos`, `qvel` or `sensordata`.

        Called as often as `control_callback`, before the first of them. Keep the true values, and
        restore them in `write_callback`.
        """

    def write_callback(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Restore the true values, and change what control callbacks have written: `data.ctrl`.

        Called as often as `control_callback`, after the last of them, and before the parameter
        `command_limit` limits controls and forces.
        """

    def restore_model(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Restore the values of the model that `write_callback` has changed, such as gains.

        Called on the physics thread before the model is changed or replaced while the simulation
        continues, because values that were changed at run time are carried over to the new model.
        """


class Diagnosable:
    """For plugins that add values to their status in `/diagnostics`."""

    def diagnostics(self) -> Mapping[str, object]:
        """Return the values by name; they are published as texts.

        Called about once a second on a thread of the server, while the simulation is stepping:
        change nothing, and do not access the model or the data.
        """
        return {}


class Switchable:
    """For plugins with parts that a user of the viewer can switch on and off."""

    def switches(self) -> Mapping[str, bool]:
        """Return the names of the parts, and whether each is on.

        Called several times a second on a thread of the viewer, while the simulation is stepping:
        change nothing, and do not access the model or the data.
        """
        return {}

    def switch(self, name: str, on: bool) -> None:
        """Switch a part on or off. Raise ConfigError for an unknown name.

        Called on the physics thread, between two steps.
        """


MIXINS = (
    Reconfigurable,
    Adaptable,
    Savable,
    Stoppable,
    Commandable,
    Hardware,
    Diagnosable,
    Switchable,
)


def saved_state(state: State | None) -> State | None:
    """Returns the default saved data of a plugin: a copy of its state."""
    return None if state is None else copy_state(state)


def check_saved_state(saved: Any, now: Any, places: Sequence[str] = ()) -> None:
    """Raises ConfigError if the saved data do not have the same structure as the data in `now`."""
    check_alike(saved, now)
    if isinstance(now, np.record):
        check_places(saved, now, places)


def restore_saved_state(state: State | None, saved: Any) -> None:
    """Writes the values of a saved state back, except the addresses in it."""
    if state is not None and saved is not None:
        restore_state(state, saved)
