"""The targets of the entries of a timeline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ...config import ranged
from ...errors import ConfigError

Kind = Literal[
    'plugin', 'topic', 'field', 'joint', 'sensor', 'actuators', 'actuator_group', 'observations'
]  # fmt: skip
"""The kinds of targets; a `field` is a number in the messages of a topic."""

OBSERVED = 'qpos', 'qvel', 'act', 'sensordata', 'xpos', 'xquat'
"""The fields of MjData that can be observed."""
_TARGETS = (
    'plugin', 'topic', 'joint', 'sensor', 'actuator', 'actuators', 'actuator_group', 'observation',
    'observations',
)  # fmt: skip
_WITH_RATE = 'observations', 'actuators', 'actuator_group'


@dataclass(frozen=True, kw_only=True, slots=True)
class Target:
    """What an entry acts on. Exactly one key must be given; `field` comes with `topic`."""

    plugin: str = ''
    """Name of a plugin; the entry acts on all topics that the plugin subscribes to, and on the
    goals of its actions."""
    topic: str = ''
    """A topic that the server publishes or subscribes to; the entry acts on its messages."""
    field: str = ''
    """With `topic`: a number in the messages, such as linear_acceleration.z or position[2]; the
    entry acts on this number only."""
    joint: str = ''
    """Name of a joint; the entry acts on its encoder."""
    sensor: str = ''
    """Name of a sensor of the model; the entry acts on the values that control callbacks read."""
    actuator: str = ''
    """Name of an actuator."""
    actuators: tuple[str, ...] = ()
    """Names of several actuators."""
    actuator_group: int | None = ranged(None, minimum=0)
    """Group of actuators (the MJCF attribute `group`)."""
    observation: str = ''
    """A field of MjData. The plugin's state has a field of this name with late observations."""
    observations: tuple[str, ...] = ()
    """Several fields of MjData that are observed together."""
    rate: float | None = ranged(None, above=0.0, unit='Hz')
    """How often observations are taken, or the controls of actuators with a `delay` are sent; by
    default, in each step."""

    def __post_init__(self) -> None:
        given = [name for name in _TARGETS if getattr(self, name) not in ('', (), None)]
        if not given:
            raise ConfigError(f'{" or ".join(_TARGETS)} must be given, got nothing')
        if len(given) > 1:
            raise ConfigError(
                f'{given[1]} must not be given with {given[0]}: an entry has one target'
            )
        if self.field and not self.topic:
            raise ConfigError(f'field needs a topic, got {given[0]} and field {self.field!r}')
        for name in ('actuators', 'observations'):
            if len(set(names := getattr(self, name))) < len(names):
                raise ConfigError(f'{name} must be different, got {list(names)}')
        for name in (*self.observations, *filter(None, [self.observation])):
            if name not in OBSERVED:
                raise ConfigError(
                    f'observation must be one of {", ".join(OBSERVED)}, got {name!r}'
                )
        if self.rate is not None and self.kind not in _WITH_RATE:
            raise ConfigError(
                f'rate needs observations or actuators, got {given[0]} and rate {self.rate:g}'
            )

    @property
    def kind(self) -> Kind:
        """The kind of the target."""
        if self.plugin:
            return 'plugin'
        if self.topic:
            return 'field' if self.field else 'topic'
        if self.joint:
            return 'joint'
        if self.sensor:
            return 'sensor'
        if self.observation or self.observations:
            return 'observations'
        return 'actuator_group' if self.actuator_group is not None else 'actuators'

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the target's elements; a group is named by its number."""
        if self.actuator_group is not None:
            return (str(self.actuator_group),)
        if self.field:
            return (f'{self.topic}.{self.field}',)
        one = self.plugin or self.topic or self.joint or self.sensor or self.actuator
        one = one or self.observation
        return (one,) if one else self.actuators or self.observations

    def __str__(self) -> str:
        """Describes the target for error messages, such as ``actuators 'left', 'right'``."""
        if self.actuator_group is not None:
            return f'actuator_group {self.actuator_group}'
        if self.field:
            return f'field {self.field!r} of topic {self.topic!r}'
        word = 'actuator' if self.actuator else self.kind
        return f'{word} {", ".join(map(repr, self.names))}'
