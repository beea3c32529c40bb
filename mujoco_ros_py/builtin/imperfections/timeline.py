"""The timeline of the Imperfections plugin: its entries, and checks that do not need a model."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import combinations

from ...config import ranged
from ...errors import ConfigError
from .distributions import Distribution, Drop, Saturation, Stale
from .numbers import EARLY_S
from .targets import Kind, Target

MESSAGE_EFFECTS = 'latency', 'jitter', 'drop', 'duplicate', 'stale', 'disconnect'
"""The effects on messages. Several entries can have them on one topic: delays add up, and a
message that one entry drops is lost."""
OBSERVATION_EFFECTS = 'latency', 'jitter', 'drop', 'disconnect'
"""The effects on observations, which several entries can have like those on messages."""
NUMBER_EFFECTS = 'scale', 'offset', 'drift', 'stick', 'dead_zone', 'quantise'
"""The effects on a number, in the order in which they are applied."""
ACTUATOR_EFFECTS = 'scale', 'stop', 'delay', 'saturate', 'backlash', 'dead_zone', 'offset'
"""The effects on an actuator."""
EFFECTS: dict[Kind, tuple[str, ...]] = {
    'plugin': MESSAGE_EFFECTS,
    'topic': MESSAGE_EFFECTS,
    'field': NUMBER_EFFECTS,
    'joint': NUMBER_EFFECTS,
    'sensor': NUMBER_EFFECTS,
    'actuators': ACTUATOR_EFFECTS,
    'actuator_group': ACTUATOR_EFFECTS,
    'observations': OBSERVATION_EFFECTS,
}
"""The effects that an entry can have, by the kind of its target."""
_ALL_EFFECTS = tuple(dict.fromkeys(MESSAGE_EFFECTS + NUMBER_EFFECTS + ACTUATOR_EFFECTS))
_NAME = re.compile(r'[A-Za-z][A-Za-z0-9_]*')

Parts = Callable[['NamedEntry'], Iterable[str]]
"""Returns the elements that an entry acts on, such as the actuators of a group."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """An entry of the timeline: a target, a time window and the effects within it."""

    of: str | Target
    """The target: the name of a plugin (all topics that it subscribes to), a topic (starts with
    a slash), or a struct with one of the following keys."""
    at: float = ranged(0.0, minimum=0.0, unit='s')
    """Simulated time at which the effects begin."""
    until: float | None = ranged(None, above=0.0, unit='s')
    """Simulated time at which the effects end; by default they do not end."""
    active: bool = True
    """Whether the entry has effects; the service of the entry changes this at run time."""
    latency: float | Distribution | None = ranged(None, minimum=0.0, unit='s')
    """Delay of each message or observation: a number, or a distribution. Negative draws count as
    0."""
    keep_order: bool = True
    """Whether a delayed message, observation or control also delays later ones that would overtake
    it."""
    jitter: float | None = ranged(None, minimum=0.0, unit='s')
    """Maximum additional delay; each message draws a delay between 0 and this maximum."""
    drop: float | Drop | None = ranged(None, minimum=0.0, maximum=1.0)
    """Probability that a message is lost, or a struct with `burst`."""
    duplicate: float | None = ranged(None, minimum=0.0, maximum=1.0)
    """Probability that a message is delivered twice."""
    stale: float | Stale | None = ranged(None, minimum=0.0, maximum=1.0)
    """Probability that the message delivered last is delivered again instead of a new one, or a
    struct with `probability` and `stamp`."""
    disconnect: bool = False
    """Whether all messages are lost."""
    scale: float | None = None
    """Factor of a measured number, or of an actuator's force."""
    offset: float | None = None
    """Number added to a measured number, or to an actuator's control."""
    drift: float | None = None
    """Change of a measured number per second since `at`."""
    stick: bool = False
    """Whether the measured number keeps its value from the time `at`."""
    dead_zone: float | None = ranged(None, minimum=0.0)
    """A measured number, or an actuator's control, becomes 0 if it is closer to 0 than this."""
    quantise: float | None = ranged(None, above=0.0)
    """A measured number is rounded to multiples of this."""
    stop: bool = False
    """Whether the actuator exerts no force."""
    delay: float | Distribution | None = ranged(None, minimum=0.0, unit='s')
    """Delay of an actuator's control: a number, or a distribution. Negative draws count as 0."""
    saturate: Saturation | None = None
    """Limits of an actuator's force and speed."""
    backlash: float | None = ranged(None, minimum=0.0)
    """Width of the play between an actuator's control and the control that takes effect."""

    def __post_init__(self) -> None:
        if self.of == '':
            raise ConfigError("of must name a target, got ''")
        if self.until is not None and self.until <= self.at:
            raise ConfigError(f'until must be greater than at ({self.at:g}), got {self.until:g}')
        target, known = self.target, EFFECTS[self.target.kind]
        for effect in self.effects:
            if effect not in known:
                raise ConfigError(
                    f'{effect} is not an effect on {target}; known: {", ".join(known)}'
                )
        if not self.effects:
            raise ConfigError(f'of: {target} needs at least one effect; known: {", ".join(known)}')
        if not self.keep_order and not {'latency', 'jitter', 'delay'} & set(self.effects):
            late = 'latency or jitter, got neither' if 'latency' in known else 'delay, got none'
            raise ConfigError(f'keep_order: false needs {late}')
        if target.rate is not None and 'delay' in known and self.delay is None:
            raise ConfigError(f'of.rate of {target} needs delay, got none')
        if 'stop' in self.effects and 'scale' in self.effects:
            raise ConfigError(f'scale must not be given with stop, got {self.scale:g}')

    @property
    def target(self) -> Target:
        """The target as a struct."""
        if isinstance(self.of, Target):
            return self.of
        return Target(topic=self.of) if self.of.startswith('/') else Target(plugin=self.of)

    @property
    def effects(self) -> tuple[str, ...]:
        """The names of the effects that are given."""
        return tuple(
            name
            for name in _ALL_EFFECTS
            if (value := getattr(self, name)) is not None and value is not False
        )

    @property
    def end(self) -> float:
        """The simulated time at which the effects end, in s; infinite if they do not end."""
        return math.inf if self.until is None else self.until

    def acts_at(self, time: float) -> bool:
        """Returns whether the entry is active, and its time window contains a simulated time."""
        return self.active and self.at - EARLY_S <= time < self.end - EARLY_S


@dataclass(frozen=True, kw_only=True, slots=True)
class NamedEntry(Entry):
    """An entry with its name in the timeline."""

    name: str

    def switched(self, active: bool) -> NamedEntry:
        """Returns the entry with another value of `active`."""
        return replace(self, active=active)


def named(timeline: Mapping[str, Entry]) -> tuple[NamedEntry, ...]:
    """Returns the entries with their names.

    Raises ConfigError for a name that cannot be part of a service's name, and for entries that
    overlap (see `check_overlaps`).
    """
    for name in timeline:
        if not _NAME.fullmatch(name):
            raise ConfigError(
                f'timeline: a name must consist of letters, digits and underscores, and begin with'
                f' a letter, got {name!r}'
            )
    entries = tuple(
        NamedEntry(name=name, **{each.name: getattr(entry, each.name) for each in fields(Entry)})
        for name, entry in timeline.items()
    )
    check_overlaps(entries)
    return entries


def acts_on_messages(entry: Entry) -> bool:
    """Returns whether an entry acts on messages only, and not on the robot in the model."""
    return entry.target.kind in ('plugin', 'topic', 'field')


def check_change(before: Sequence[NamedEntry], after: Sequence[NamedEntry]) -> None:
    """Raises ConfigError if a timeline changes in a way that needs a reload.

    Entries on messages can be removed, or added at the end. Entries on the robot must keep their
    positions, targets and effects; only their values can change.
    """
    fixed = {index: entry for index, entry in enumerate(before) if not acts_on_messages(entry)}
    own = {index: entry for index, entry in enumerate(after) if not acts_on_messages(entry)}
    for index in fixed.keys() | own.keys():
        old, new = fixed.get(index), own.get(index)
        if old is None or new is None or old.name != new.name:
            names = ', '.join(entry.name for entry in before)
            raise ConfigError(
                'timeline: until a reload, entries on joints, sensors and actuators must keep'
                f' their places, and new entries must come last; the entries are {names}'
            )
        if new.target != old.target:
            raise ConfigError(
                f'timeline.{new.name}.of must be {old.target} until a reload, got {new.target}'
            )
        if new.effects != old.effects:
            raise ConfigError(
                f'timeline.{new.name} must have {", ".join(old.effects)} until a reload, got'
                f' {", ".join(new.effects)}'
            )


def check_overlaps(entries: Sequence[NamedEntry], parts: Parts | None = None) -> None:
    """Raises ConfigError if two entries have the same effect on one number or actuator at once.

    Effects on messages can overlap. Inactive entries count too, because they can become active.
    `parts` returns the elements that an entry acts on; by default, the names of its target.
    """
    claims: dict[tuple[str, str, str], list[NamedEntry]] = {}
    for entry in entries:
        for claim in _claims(entry, parts):
            claims.setdefault(claim, []).append(entry)
    for (kind, part, effect), claimants in claims.items():
        for one, other in combinations(claimants, 2):
            if max(one.at, other.at) < min(one.end, other.end):
                raise ConfigError(
                    f'timeline: {one.name!r} ({_window(one)}) and {other.name!r}'
                    f' ({_window(other)}) both have {effect} on {kind} {part!r}; their times must'
                    ' not overlap'
                )


def _claims(entry: NamedEntry, parts: Parts | None) -> Iterator[tuple[str, str, str]]:
    """Yields what only one entry can claim at a time: kind, name and effect on an element."""
    kind = entry.target.kind
    if kind == 'actuator_group' and parts is not None:
        kind = 'actuators'
    names = entry.target.names if parts is None else parts(entry)
    word = 'actuator' if kind == 'actuators' else kind
    for part in names:
        for effect in entry.effects:
            if effect not in MESSAGE_EFFECTS:
                yield word, part, 'scale or stop' if _is_force(kind, effect) else effect


def _is_force(kind: Kind, effect: str) -> bool:
    """Returns whether an effect scales the force of an actuator; `stop` scales it by 0."""
    return kind in ('actuators', 'actuator_group') and effect in ('scale', 'stop')


def _window(entry: Entry) -> str:
    return f'from {entry.at:g} s' + ('' if entry.until is None else f' to {entry.until:g} s')
