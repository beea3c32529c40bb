"""The types of configuration fields, and the errors for invalid values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field
from typing import Any, Literal

import pytest

from mujoco_ros_py.config import parameters_of, ranged, read, with_live
from mujoco_ros_py.errors import ConfigError


@dataclass(frozen=True, kw_only=True, slots=True)
class Noise:
    stddev: float = ranged(0.0, minimum=0.0, live=True)
    """Standard deviation."""
    seed: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Config:
    """One field of each kind."""

    body: str
    """Where the force
    acts."""
    gain: float = ranged(1.0, minimum=0.0, maximum=10.0, live=True)
    """How strong it is."""
    mode: Literal['soft', 'hard', 3] = 'soft'
    units: Literal['', 'degrees', 'radians'] = ''
    axis: tuple[float, float, float] = (0.0, 0.0, 1.0)
    names: tuple[str, ...] = ()
    stiffness: float | tuple[float, ...] = ranged(100.0, above=0.0)
    noise: Noise = field(default_factory=Noise)
    second: Noise | None = None
    limits: tuple[Noise, ...] = ()
    by_joint: Mapping[str, Noise] = field(default_factory=dict)
    enabled: bool = True
    free: Any = None


def made(**values: Any) -> Config:
    return read(Config, {'body': 'rod', **values})


def refusal(**values: Any) -> str:
    with pytest.raises(ConfigError) as refused:
        made(**values)
    return str(refused.value)


def test_what_is_not_given_has_its_default():
    assert made() == Config(body='rod')


def test_values_come_as_the_type_hints_say():
    config = made(
        gain=2,
        mode=3,
        axis=[1, 0, 0.5],
        names=['a', 'b'],
        stiffness=[1, 2],
        noise={'stddev': 1, 'seed': 4},
        second={'stddev': 3.0},
        limits=[{'seed': 1}, {'seed': None}],
        by_joint={'elbow': {'stddev': 0.5}},
        free=[{'anything': 1}],
    )
    assert config == Config(
        body='rod',
        gain=2.0,
        mode=3,
        axis=(1.0, 0.0, 0.5),
        names=('a', 'b'),
        stiffness=(1.0, 2.0),
        noise=Noise(stddev=1.0, seed=4),
        second=Noise(stddev=3.0),
        limits=(Noise(seed=1), Noise()),
        by_joint={'elbow': Noise(stddev=0.5)},
        free=[{'anything': 1}],
    )
    assert isinstance(config.gain, float)
    assert isinstance(config.axis[0], float)


@pytest.mark.parametrize(
    ('values', 'said'),
    [
        ({'gian': 1.0}, "unknown parameter 'gian' (did you mean 'gain'?); known: axis, body, "),
        ({'gain': -1}, 'gain must be at least 0 and at most 10, got -1'),
        ({'gain': float('nan')}, 'gain must be finite (at least 0 and at most 10), got nan'),
        ({'gain': True}, 'gain must be a number, got True'),
        ({'gain': '1'}, "gain must be a number, got '1'"),
        ({'gain': None}, 'gain must be a number, got None'),
        (
            {'body': 815},
            'body must be a string (in quotes, because YAML reads digits as a number), got',
        ),
        ({'mode': 'sfot'}, "mode must be one of soft, hard, 3, got 'sfot'"),
        ({'mode': 1.5}, 'mode must be one of soft, hard, 3, got 1.5'),
        ({'units': 'rad'}, "units must be empty or one of degrees, radians, got 'rad'"),
        ({'axis': [0, 1]}, 'axis must be a list of 3 numbers, got [0, 1]'),
        ({'axis': 1.0}, 'axis must be a list of 3 numbers, got 1.0'),
        ({'names': 'a'}, "names must be a list of strings, got 'a'"),
        ({'names': ['a', '']}, "names[1] must not be empty, got ''"),
        ({'stiffness': [1, 0]}, 'stiffness[1] must be greater than 0, got 0'),
        ({'stiffness': 'hard'}, "stiffness must be a number or a list of numbers, got 'hard'"),
        ({'noise': 1}, 'noise must be a struct, got 1'),
        ({'noise': {'stddev': -1}}, 'noise.stddev must be at least 0, got -1'),
        ({'noise': {'std': 1}}, "noise: unknown parameter 'std'"),
        ({'second': {'stddev': -1}}, 'second.stddev must be at least 0, got -1'),
        ({'second': 'x'}, "second must be a struct or nothing, got 'x'"),
        ({'limits': [{}, {'stddev': 'x'}]}, "limits[1].stddev must be a number, got 'x'"),
        ({'by_joint': {'elbow': {'sed': 1}}}, "by_joint.elbow: unknown parameter 'sed'"),
        ({'by_joint': {1: {}}}, 'by_joint must be a struct, got {1: {}}'),
        ({'enabled': 1}, 'enabled must be true or false, got 1'),
        ({'noise': {'seed': 0.5}}, 'noise.seed must be a whole number or nothing, got 0.5'),
    ],
)
def test_a_wrong_value_is_refused_with_its_place_the_rule_and_what_came(values, said):
    assert refusal(**values).startswith(said)


def test_what_has_no_default_must_be_given():
    with pytest.raises(ConfigError, match=r'^arm\.body must be given$'):
        read(Config, {}, where='arm')


@pytest.mark.parametrize('error', [ConfigError, ValueError])
def test_a_class_may_refuse_values_that_contradict_each_other(error):
    @dataclass(frozen=True)
    class Limits:
        low: float = 0.0
        high: float = 1.0

        def __post_init__(self):
            if self.low > self.high:
                raise error('low must be at most high')

    with pytest.raises(ConfigError, match=r'^arm\.low must be at most high$'):
        read(Limits, {'low': 2.0}, where='arm')


def test_fields_are_described_by_the_docstrings_below_them():
    table = parameters_of(Config)
    assert table['body'].description == 'Where the force acts.'
    assert table['gain'].description == 'How strong it is.'
    assert table['mode'].description == ''
    assert (table['gain'].rule, table['gain'].live) == ('at least 0 and at most 10', True)
    assert (table['mode'].choices, table['mode'].live) == (('soft', 'hard', 3), False)
    assert table['body'].default is MISSING


def test_an_inherited_field_keeps_its_description():
    @dataclass(frozen=True, kw_only=True)
    class More(Config):
        extra: int = 0
        """One more."""

    table = parameters_of(More)
    assert (table['gain'].description, table['extra'].description) == (
        'How strong it is.',
        'One more.',
    )


def test_a_class_without_source_has_no_descriptions_and_is_read():
    scope: dict[str, Any] = {'__name__': __name__, 'dataclass': dataclass}
    exec('@dataclass(frozen=True)\nclass Bare:\n    gain: float = 1.0\n    "Lost."', scope)
    assert parameters_of(scope['Bare'])['gain'].description == ''
    assert read(scope['Bare'], {'gain': 2}).gain == 2.0


def test_only_live_values_change_those_of_nested_structs_too():
    old = made(gain=1.0, axis=[1, 0, 0], noise={'stddev': 1.0, 'seed': 1})
    new = made(gain=2.0, axis=[0, 1, 0], noise={'stddev': 2.0, 'seed': 2})
    assert with_live(old, new) == made(gain=2.0, axis=[1, 0, 0], noise={'stddev': 2.0, 'seed': 1})


def test_a_default_that_breaks_its_own_rule_is_refused_where_it_is_written():
    with pytest.raises(ConfigError, match='the default must be at least 0, got -1'):
        ranged(-1.0, minimum=0.0)


def test_a_type_hint_that_cannot_be_read_is_named_with_those_that_can():
    @dataclass(frozen=True)
    class Listed:
        gains: set[float] = field(default_factory=set)

    with pytest.raises(ConfigError, match=r'set\[float\].*tuple\[\.\.\.\]'):
        read(Listed, {'gains': [1.0]})
