"""mujoco_ros_py/Imperfections: simulates late and lost messages, faulty encoders and actuators."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import mujoco

from ...config import ranged, read, unknown
from ...errors import ConfigError
from ...plugins import (
    Adaptable,
    Commandable,
    Diagnosable,
    Hardware,
    MujocoPlugin,
    Reconfigurable,
    Savable,
    State,
    Stoppable,
    Switchable,
    compiled,
    new_state,
    ros_type,
)
from . import robot
from .entry_switch import EntrySwitch
from .filtered_topics import FilteredTopics
from .observing import observe
from .robot import RobotRows
from .timeline import Entry, NamedEntry, acts_on_messages, check_change, named
from .transit_rows import TRANSIT_PLACES, forget, set_active, transit_fields
from .transits import decide

_log = logging.getLogger(__name__)
_NOTHING: Mapping[str, Any] = {}


@dataclass(frozen=True, kw_only=True, slots=True)
class ImperfectionsConfig:
    """The configuration of the Imperfections plugin."""

    timeline: Mapping[str, Entry] = ranged(default_factory=dict, live=True)
    """Entries by name. Each entry has a target, one or several effects, and a time window."""
    seed: int = 0
    """Seed of the random numbers; each entry draws its own random numbers."""


class Imperfections(
    MujocoPlugin[ImperfectionsConfig],
    Hardware,
    Adaptable,
    Commandable,
    Diagnosable,
    Reconfigurable,
    Savable,
    Stoppable,
    Switchable,
):
    """Delays, drops and changes messages, and makes encoders, sensors and actuators faulty.

    Effects depend only on the simulated time and on the seed of the random numbers, so a run can
    be repeated. Plugins whose topics this plugin filters must come before it in the list.
    """

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Finds the targets of all entries, filters their topics, and offers the services."""
        self._model = model
        self._entries = named(self.config.timeline)
        self._topics = FilteredTopics(self, self.decide)
        pipes = self._topics.pipes(self._entries)
        self._rows = self._robot_rows(model)
        self.state = new_state(**self._rows.fields)
        self._transits = new_state(**self._message_fields(self._entries, pipes))
        self._topics.filter(pipes, self._transits)
        if not self.state.observing:
            self.last_stage_callback = None  # type: ignore[method-assign,assignment]
        self._offer(self._entries)

    def adapt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Finds the elements in the new model; effects continue, and delayed messages are kept."""
        before, self._model = self._rows, model
        self._rows = self._robot_rows(model)
        self._rows.remember(before, self.state)
        if self._rows.fits(self.state):
            self._rows.put(self.state)
        else:
            self.state = new_state(**self._rows.fields)
            robot.show_observations(self.state, data)

    def configure(self, config: ImperfectionsConfig) -> None:
        """Applies new values of entries, and adds or removes entries that act on messages."""
        entries = named(config.timeline)
        self._check(entries)
        pipes = self._topics.pipes(entries)
        fields = self._message_fields(entries, pipes)
        self._topics.renew(fields, self._transits)
        for index, entry in enumerate(entries):
            if not acts_on_messages(entry):
                self._rows.set_entry(self.state, index, entry)
        self._rows.observations_of(entries).renew(self.state)
        self._topics.filter(pipes, self._transits)
        self._entries = entries
        self._offer(entries)

    def check_live(self, config: ImperfectionsConfig) -> None:
        """Raises ConfigError for changes that need a reload."""
        self._check(named(config.timeline))

    def reset(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Drops the delayed messages, and clears the memory of the faults."""
        self._topics.clear()
        forget(self._transits)
        robot.forget(self.state)

    def unload(self) -> None:
        """Restores the original values in the model."""
        robot.restore_model(self.state, self._model)

    def restore_model(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Restores the original values in the model, before an edit changes the model."""
        robot.restore_model(self.state, model)

    def withdraw(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Restores the original values in the model, and the commanded controls."""
        robot.withdraw(self.state, model, data)

    def save(self) -> Any:
        """Returns the state of all faults, and the delayed messages."""
        return {
            **{name: rows.save() for name, rows in self._saved},
            'messages': self._topics.save(),
        }

    def check_saved(self, saved: Any) -> None:
        """Raises ConfigError if the saved data belong to another timeline."""
        if not isinstance(saved, dict) or saved.keys() != {'state', 'transits', 'messages'}:
            raise ConfigError('must have state, transits and messages')
        for name, rows in self._saved:
            rows.check_saved(saved[name])
        self._topics.check_saved(saved['messages'])

    def restore(self, saved: Any) -> None:
        """Restores the state of all faults, and the delayed messages."""
        robot.restore_model(self.state, self._model)
        for name, rows in self._saved:
            rows.restore(saved[name])
        robot.restored(self.state)
        self._topics.restore(saved['messages'])

    def take_command(
        self,
        model: mujoco.MjModel,
        data: mujoco.MjData,
        /,
        *,
        entry: str = '',
        active: bool = True,
        add: Mapping[str, Any] = _NOTHING,
        remove: Sequence[str] = (),
    ) -> None:
        """Switches an entry on or off, like its service; or adds and removes entries by name."""
        if entry:
            self.set_active(entry, active)
        if not (add or remove):
            return
        made = read(ImperfectionsConfig, {'timeline': add}).timeline
        kept = {name: each for name, each in self.config.timeline.items() if name not in remove}
        config = replace(self.config, timeline={**kept, **made})
        self.configure(config)
        self.config = config

    def set_active(self, name: str, active: bool) -> None:
        """Switches an entry on or off; call this on the physics thread.

        Raises ConfigError for an unknown entry.
        """
        names = [entry.name for entry in self._entries]
        if name not in names:
            raise ConfigError(unknown('entry', name, names))
        index = names.index(name)
        set_active(self._transits, index, active=active)
        changed = self._entries[index].switched(active)
        self._entries = (*self._entries[:index], changed, *self._entries[index + 1 :])
        if not acts_on_messages(changed):
            self._rows.set_entry(self.state, index, changed)
            self._rows.observations_of(self._entries).renew(self.state)
        _log.info('%s: %s %s', self.name, name, 'begins' if active else 'ends')

    def switches(self) -> Mapping[str, bool]:
        """Returns the entries, and whether each is active."""
        return {entry.name: entry.active for entry in self._entries}

    def switch(self, name: str, on: bool) -> None:
        """Switches an entry on or off."""
        self.set_active(name, on)

    def diagnostics(self) -> Mapping[str, object]:
        """Returns the entries in effect, and the numbers of delayed and lost messages."""
        time = self.environment.simulation.time
        active = [entry.name for entry in self._entries if entry.acts_at(time)]
        return {
            'active': ', '.join(active) or 'none',
            'messages held': self._topics.held,
            'messages lost': self._topics.lost,
        }

    def _robot_rows(self, model: mujoco.MjModel) -> RobotRows:
        stream = self.config.seed, self._stream
        return RobotRows(model, self.environment.prefix, self._entries, stream)

    def _message_fields(self, entries: Sequence[NamedEntry], pipes: Any) -> dict[str, Any]:
        return transit_fields(entries, pipes, seed=self.config.seed, stream=self._stream)

    @property
    def _saved(self) -> tuple[tuple[str, _Rows], ...]:
        """The records that a saved state contains."""
        return (
            ('state', _Rows(self.state, robot.PLACES)),
            ('transits', _Rows(self._transits, TRANSIT_PLACES)),
        )

    @property
    def _stream(self) -> str:
        """The part of the random number keys that differs between plugins."""
        return f'{self.environment.namespace}/{self.name}'

    def _check(self, entries: Sequence[NamedEntry]) -> None:
        """Raises ConfigError for a timeline that needs a reload."""
        check_change(self._entries, entries)
        fields = self._message_fields(entries, self._topics.pipes(entries))
        if any(self._transits[name].shape != array.shape for name, array in fields.items()):
            raise ConfigError('timeline has too many new entries: reload to use them')
        self._rows.observations_of(entries).check(self.state)

    def _offer(self, entries: Sequence[NamedEntry]) -> None:
        """Offers a service for each entry that has no service yet."""
        offered: set[str] = self.__dict__.setdefault('_offered', set())
        new = [entry.name for entry in entries if entry.name not in offered]
        offered.update(new)
        if self.environment.protected:
            if new:
                _log.info('%s: the services are not offered in eval_mode', self.name)
            return
        kind = ros_type('std_srvs/srv/SetBool')
        for name in new:
            self.ros.create_service(kind, f'~/{name}', EntrySwitch(self, name))

    @staticmethod
    @compiled
    def decide(state: State, transit: Any) -> None:
        """Decides whether and when a message is delivered."""
        decide(state, transit)

    @staticmethod
    @compiled
    def read_callback(state: State, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Writes the faulty readings into the data, for the control callbacks."""
        robot.read(state, model, data)

    @staticmethod
    @compiled
    def write_callback(state: State, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Restores the true readings, and applies the faults of actuators."""
        robot.write(state, model, data)

    @staticmethod
    @compiled
    def last_stage_callback(state: State, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Takes observations after a step, and shows those that are due."""
        observe(state, data)


class _Rows(Savable):
    """Saves, checks and restores a record, which is one part of the plugin's saved state."""

    def __init__(self, state: State, places: Sequence[str]) -> None:
        self.state, self.places = state, places  # type: ignore[misc]
