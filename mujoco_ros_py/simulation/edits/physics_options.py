"""Reads and sets physics options, with the names and values of MJCF's `<option>`."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from ...config.wording import shown, unknown
from ...engine import without_program_callbacks
from ...engine_faults import faults_of
from ...errors import ConfigError
from ..models.option_limits import COUNTS, NUMBERS, fits, rule_of
from .edit import Edit, ModelChange
from .given_numbers import finite

_Option = mujoco.MjOption
_WORDS = {'euler': 'Euler', 'rk4': 'RK4', 'pgs': 'PGS', 'cg': 'CG', 'newton': 'Newton'}
"""MJCF's words that are not simply the names of MuJoCo's constants in lower case."""
_CHOICES = {
    'integrator': mujoco.mjtIntegrator,
    'cone': mujoco.mjtCone,
    'jacobian': mujoco.mjtJacobian,
    'solver': mujoco.mjtSolver,
}
_TRIED_ITERATIONS = 10
_GROUPS = 'actuatorgroupdisable'
_MOST_GROUPS = 31
_DISCRETE = 'discrete'
"""An integrator that works only with some models and with some values of other options."""
_ANEW = 'set it in the model, and reload'
_FIXED = {
    'timestep': f'sensors, noise and delays depend on it; {_ANEW}',
    'flag/sleep': f'the data is allocated for it; {_ANEW}',
    **dict.fromkeys(('flag/ipc', 'flag/speculative'), f'not every model supports it; {_ANEW}'),
}
"""The read-only options, each with the reason."""
_ON, _OFF = 'enable', 'disable'
_DISABLE = {
    f'flag/{bit.name[7:].lower()}': int(bit)
    for bit in mujoco.mjtDisableBit.__members__.values()
    if bit.name.startswith('mjDSBL_')
}
_ENABLE = {
    f'flag/{bit.name[7:].lower()}': int(bit)
    for bit in mujoco.mjtEnableBit.__members__.values()
    if bit.name.startswith('mjENBL_')
}
_OF_GRAVITY = 'gravity', 'flag/gravity'
Write = Callable[[Any], None]
"""A function that sets an option in an `MjOption`."""


@dataclass(frozen=True, slots=True)
class Option:
    """An option, in MJCF's notation."""

    name: str
    """The attribute of `<option>`, or of its `<flag>`: `gravity`, `flag/contact`."""
    value: str
    """The value in MJCF's units: `0 0 -9.81`, `RK4`, `disable`."""


def read_options(model: mujoco.MjModel, names: Sequence[str] = ()) -> list[Option]:
    """Returns the named options, by default all. Raises ConfigError for an unknown name."""
    return [Option(name, _text(model.opt, name)) for name in names or option_names(model)]


def option_names(model: mujoco.MjModel) -> list[str]:
    """Returns the names of all options of the installed MuJoCo version."""
    plain = [name for name in (*NUMBERS, *_CHOICES, *COUNTS) if hasattr(model.opt, name)]
    return [*plain, _GROUPS, *_DISABLE, *_ENABLE]


def set_options(model: mujoco.MjModel, given: Iterable[Option], edit: Edit) -> None:
    """Sets all of the options; if any is invalid, sets nothing and adds the reasons to `edit`."""
    writes: dict[str, Write] = {}
    for option in given:
        try:
            if option.name in writes:
                raise ConfigError(f'option {option.name} must be given only once')
            writes[option.name] = _write(model, option)
        except ConfigError as error:
            edit.refused.append(str(error))
    if not edit.refused and any(map(_may_not_fit, writes)):
        edit.refused += _misfits(model, writes.values())
    if edit.refused:
        edit.refused.append('nothing was set')
        return
    for name, write in writes.items():
        write(model.opt)
        edit.changed(ModelChange('gravity' if name in _OF_GRAVITY else 'option'))
        edit.done.append(f'option {name} set to {_text(model.opt, name)}')


def _text(opt: Any, name: str) -> str:
    if name in _DISABLE:
        return _OFF if opt.disableflags & _DISABLE[name] else _ON
    if name in _ENABLE:
        return _ON if opt.enableflags & _ENABLE[name] else _OFF
    if name == _GROUPS:
        return ' '.join(str(g) for g in range(_MOST_GROUPS) if opt.disableactuator & 1 << g)
    if not (name in NUMBERS or name in COUNTS or name in _CHOICES) or not hasattr(opt, name):
        raise ConfigError(_unknown(opt, name))
    value = getattr(opt, name)
    if name in _CHOICES:
        return _words(name)[int(value)]
    if name in COUNTS:
        return str(int(value))
    return ' '.join(repr(float(number)) for number in np.atleast_1d(value))


def _may_not_fit(name: str) -> bool:
    """Returns whether MuJoCo refuses some combinations of this option with other options."""
    return name in _CHOICES or name in COUNTS or name in _DISABLE or name in _ENABLE


def _misfits(model: mujoco.MjModel, writes: Iterable[Write]) -> list[str]:
    """Returns the reasons why a step with these options would fail or be wrong; usually empty."""
    trial = copy.copy(model)
    for write in writes:
        write(trial.opt)
    # With the full number of iterations, a trial step might take minutes.
    for name in ('iterations', 'ls_iterations', 'noslip_iterations'):
        setattr(trial.opt, name, min(getattr(trial.opt, name), _TRIED_ITERATIONS))
    try:
        with without_program_callbacks():
            mujoco.mj_step(trial, mujoco.MjData(trial))
    except mujoco.FatalError as error:
        return [f'the model cannot step with these options: {error}']
    return [f'{fault}: {fault.advice}' for fault in faults_of(trial)]


def _write(model: mujoco.MjModel, option: Option) -> Write:
    """Returns a function that sets the option. Raises ConfigError if it cannot be set."""
    opt, name = model.opt, option.name
    _text(opt, name)  # raises if the option is unknown
    if name in _FIXED:
        raise ConfigError(f'option {name} cannot be set while the model runs: {_FIXED[name]}')
    words = option.value.split()
    if name in _DISABLE or name in _ENABLE:
        _check_choice(option, (_ON, _OFF))
        field, bit = (
            ('disableflags', _DISABLE[name])
            if name in _DISABLE
            else ('enableflags', _ENABLE[name])
        )
        on = option.value == (_OFF if name in _DISABLE else _ON)
        return lambda to: setattr(to, field, getattr(to, field) & ~bit | (bit if on else 0))
    if name in _CHOICES:
        choices = {word: number for number, word in _words(name).items()}
        _check_choice(option, choices)
        if _DISCRETE in (option.value, present := _text(opt, name)) and option.value != present:
            raise ConfigError(
                f'option {name} cannot become {option.value} while the model runs with {present}:'
                f' not every model supports it; {_ANEW}'
            )
        return lambda to: setattr(to, name, choices[option.value])
    if name == _GROUPS:
        groups = sum(1 << g for g in {int(g) for g in _counts(option, words, 0, _MOST_GROUPS - 1)})
        return lambda to: setattr(to, 'disableactuator', groups)
    if name in COUNTS:
        (count,) = _sized(option, _counts(option, words, *COUNTS[name]), 1)
        return lambda to: setattr(to, name, int(count))
    size = np.size(getattr(opt, name))
    numbers = _sized(option, _numbers(option, words), size)
    value = numbers[0] if np.ndim(getattr(opt, name)) == 0 else numbers
    return lambda to: setattr(to, name, value)


def _words(name: str) -> dict[int, str]:
    """Maps MuJoCo's numbers for the values of an option to MJCF's words."""
    names = {
        int(each): each.name.partition('_')[2].lower()
        for each in _CHOICES[name].__members__.values()
    }
    return {number: _WORDS.get(word, word) for number, word in names.items()}


def _numbers(option: Option, words: Sequence[str]) -> list[float]:
    try:
        numbers = [float(word) for word in words]
    except ValueError:
        raise ConfigError(
            f'option {option.name} must be numbers, got {shown(option.value)}'
        ) from None
    if not all(fits(option.name, number) for number in numbers):
        rule = rule_of(option.name)
        raise ConfigError(f'option {option.name} must be {rule}, got {shown(option.value)}')
    return numbers


def _counts(option: Option, words: Sequence[str], low: int, high: int) -> list[float]:
    if not all(
        word.isascii() and word.isdigit() and low <= int(word[:9]) <= high for word in words
    ):
        raise ConfigError(
            f'option {option.name} must be {low} to {high}, got {shown(option.value)}'
        )
    return [int(word[:9]) for word in words]


def _sized(option: Option, numbers: list[float], count: int) -> list[float]:
    if len(numbers) != count:
        raise ConfigError(
            f'option {option.name} must have {count} numbers, got {shown(option.value)}'
        )
    return numbers


def _check_choice(option: Option, words: Iterable[str]) -> None:
    if option.value not in words:
        raise ConfigError(
            f'option {option.name} must be one of {", ".join(words)}, got {shown(option.value)}'
        )


def _unknown(opt: Any, name: str) -> str:
    plain = (each for each in (*NUMBERS, *_CHOICES, *COUNTS) if hasattr(opt, each))
    return unknown('option', name, [*plain, _GROUPS, *_DISABLE, *_ENABLE])


def set_gravity(model: mujoco.MjModel, gravity: Sequence[float], edit: Edit) -> str:
    """Sets the gravity in m/s^2, in the world frame; returns a clause for `Edit.done`.

    Raises ConfigError if a number is not finite.
    """
    model.opt.gravity[:] = finite('gravity', gravity)
    edit.changed(ModelChange('gravity'))
    return 'gravity set'
