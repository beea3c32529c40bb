"""The optional parts of the contract of plugins: one mixin for each purpose.

A plugin derives from `MujocoPlugin` and from the mixins that it needs::

    class Spring(MujocoPlugin[Config], Reconfigurable):
        def configure(self, config): ...

The server calls the methods of a mixin only for classes that derive from it. A class that defines
one of them without the mixin is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, ClassVar

import mujoco
import numpy as np

from ..engine import State, copy_state, restore_state
from ..simulation import ModelChange, check_alike, check_places


class Reconfigurable:
    """Takes new values of the fields that are `live` in its configuration while it runs."""

    def configure(self, config: Any) -> None:
        """Apply new live values: `config` has the new values, `self.config` still the old ones.

        The physics thread calls this between two steps. If it raises ConfigError, `self.config`
        stays as it is. It is also called after `restore`, with the present values, because the
        restored state may have been saved with others.
        """

    def check_live(self, config: Any) -> None:
        """Raise ConfigError to refuse new live values; whoever sets them gets its message.

        Any thread may call this while steps are made: change nothing, and do not touch model and
        data. Accepted values are passed to `configure` later.
        """


class Adaptable:
    """Goes on when the model changes: its values (`model_changed`), or all of it (`adapt`)."""

    def adapt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Continue with another model, in which ids and addresses are new.

        Look up again what `load` has found in the model. The state, topics, services, followers
        and views are kept. A plugin that does not override this, or whose configuration has
        changed, is unloaded, and another one is loaded. If the time starts again too, `reset`
        follows. An exception takes the plugin out. A follower on another thread may still have a
        snapshot of the old model.
        """

    def model_changed(
        self, model: mujoco.MjModel, data: mujoco.MjData, change: ModelChange
    ) -> None:
        """Read again what you have read in the model: an element has other values now.

        The physics thread calls this between two steps, once for each element that a service has
        changed: a body's mass, a geom, an equality constraint, the gravity, another option of the
        physics. Ids and addresses are unchanged. Poses have been computed again; forces are
        computed after all plugins have been called.
        """


class Savable:
    """Decides what a saved state has of it. Without this mixin that is `self.state`."""

    state: Any

    places: ClassVar[Sequence[str]] = ()
    """The fields of the state that are ids or addresses; a field of its rows is `rows.joint`.

    A saved state from outside is refused if they differ, as compiled code uses them unchecked."""

    def save(self) -> Any:
        """Return what `restore` needs, as a copy that can be pickled; by default the state.

        The physics thread calls this between two steps.
        """
        return saved_state(self.state)

    def check_saved(self, saved: Any) -> None:
        """Raise ConfigError to refuse a saved part from outside; then nothing is restored.

        The physics thread calls this between two steps, before `restore`. By default the part must
        have the structure of what `save` returns now: the same types, keys, lengths and shapes.
        In a record, the fields of `places` must have the present values.
        """
        check_saved_state(saved, self.save(), self.places)

    def restore(self, saved: Any) -> None:
        """Continue from the moment at which `save` returned `saved`.

        The physics thread calls this between two steps, after the data have been restored. By
        default the values of the state are written back, but not the addresses in it: save the
        content of a `Memory` yourself.
        """
        restore_saved_state(self.state, saved)


class Stoppable:
    """Stops what it moves: in an emergency, and when it has failed."""

    def emergency_stop(self, model: mujoco.MjModel, data: mujoco.MjData, stopped: bool) -> None:
        """Stop all motion, and ignore commands until this is called with False.

        The physics thread calls this between two steps, for all plugins that override it; see
        `Environment.emergency_stop`. A controller of joints holds them where they are.
        """

    def withdraw(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Clear what you have set in the data, because this plugin has failed.

        The physics thread calls this between two steps, after a fault on any thread. Your last
        forces and controls would act for ever: set forces to 0, and controls to values that hold
        still. Only `unload` follows.
        """


class Commandable:
    """Takes commands from tests, which also work without ROS, and says what it drives."""

    take_command: Callable[..., None] | None = None
    """Takes a command as a message on the plugin's topic does; None: it has no such method.

    Define it as a method ``take_command(self, model, data, /, *, <fields of the message>)``. The
    physics thread calls it between two steps. ConfigError, TypeError and ValueError refuse the
    command; any other exception takes the plugin out."""

    @property
    def driven_actuators(self) -> Collection[str]:
        """The names, in the model, of the actuators whose controls the plugin sets in each step.

        A test must not set these controls, as it would have no effect.
        """
        return ()


MIXINS = (Reconfigurable, Adaptable, Savable, Stoppable, Commandable)


def saved_state(state: State | None) -> State | None:
    """Returns what is saved of a plugin by default: a copy of its state."""
    return None if state is None else copy_state(state)


def check_saved_state(saved: Any, now: Any, places: Sequence[str] = ()) -> None:
    """Raises ConfigError if a saved part has another structure than what would be saved `now`."""
    check_alike(saved, now)
    if isinstance(now, np.record):
        check_places(saved, now, places)


def restore_saved_state(state: State | None, saved: Any) -> None:
    """Writes the values of a saved state back, but not the addresses in it."""
    if state is not None and saved is not None:
        restore_state(state, saved)
