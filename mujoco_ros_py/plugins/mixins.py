"""What some plugins can do besides their life and their callbacks: one mixin for each purpose.

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
        """Use new live values: `config` has the new ones, and `self.config` still the old ones.

        This is called on the physics thread, between two steps. If it raises ConfigError,
        `self.config` stays as it is. After `restore` it is called with the present values, which
        may not be those of the restored state.
        """

    def check_live(self, config: Any) -> None:
        """Raise ConfigError to refuse new live values where they are set: the answer tells why.

        `config` has the new ones. Any thread may call this, while steps are made: change nothing,
        and leave model and data alone. What passes is given to `configure` later.
        """


class Adaptable:
    """Goes on when the model changes: its values (`model_changed`), or all of it (`adapt`)."""

    def adapt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Go on with another model, in which ids and addresses are new.

        A plugin that overrides this stays where its configuration is as before; any other is
        unloaded, and made and loaded anew. Look up again what `load` has found in the model; the
        state, topics, services, followers and views go on. A `reset` follows where the time starts
        again too. An exception takes the plugin out. A follower on another thread may still have a
        snapshot of the model before.
        """

    def model_changed(
        self, model: mujoco.MjModel, data: mujoco.MjData, change: ModelChange
    ) -> None:
        """Look again at what you have read in the model: values of one of its elements are others.

        This is called on the physics thread, between two steps, once for each element that a
        service has changed while the model runs: a body's mass, a geom, an equality constraint,
        the gravity, another option of the physics. Ids and addresses are as before. Poses have
        been computed anew; forces follow when all plugins have been told.
        """


class Savable:
    """Decides what a saved state has of it. Without this mixin that is `self.state`."""

    state: Any

    places: ClassVar[Sequence[str]] = ()
    """The fields of the record that tell places in the arrays of the model or of the data, those
    of its rows as `rows.joint`: a saved state from outside must have the present ones."""

    def save(self) -> Any:
        """Return what `restore` needs, as a copy that can be pickled; by default the state.

        This is called on the physics thread, between two steps.
        """
        return saved_state(self.state)

    def check_saved(self, saved: Any) -> None:
        """Raise ConfigError to refuse a saved part that came from outside: nothing is restored.

        This is called on the physics thread, between two steps, before `restore`. By default the
        part must have the structure of what `save` returns now: the same types, keys, lengths and
        shapes. In a record, the fields of `places` must be as they are.
        """
        check_saved_state(saved, self.save(), self.places)

    def restore(self, saved: Any) -> None:
        """Go on from the moment in which `save` returned this.

        This is called on the physics thread, between two steps. The data are those of that moment
        already. By default the values of the state are written back, but not the addresses in it:
        save what is in a `Memory` yourself.
        """
        restore_saved_state(self.state, saved)


class Stoppable:
    """Sets controls or forces, and takes them back: in an emergency, and when it has failed."""

    def emergency_stop(self, model: mujoco.MjModel, data: mujoco.MjData, stopped: bool) -> None:
        """Stop what moves now, and heed no command until this is called with False.

        This is called on the physics thread, between two steps, for all plugins that override it;
        see `Environment.emergency_stop`. What drives joints holds them where they are.
        """

    def withdraw(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Take back what you have set in the data, as this plugin has failed.

        This is called on the physics thread, between two steps, after a fault on any thread. What
        you have last set would act for ever: set forces to 0, and controls to what holds still.
        Only `unload` follows.
        """


class Commandable:
    """Takes commands from tests, which also work without ROS, and says what it drives."""

    take_command: Callable[..., None] | None = None
    """Takes a command as a message on the plugin's topic does; None: it has no such method.

    Define it as a method ``take_command(self, model, data, /, *, <fields of the message>)``. It is
    called on the physics thread, between two steps. ConfigError, TypeError and ValueError refuse
    the command; any other exception takes the plugin out."""

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
