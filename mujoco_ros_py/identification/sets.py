"""The named sets of parameters, and the parameters of a file."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any

import mujoco
import numpy as np

from ..config.wording import listed
from ..errors import ConfigError, MjcfError
from ..mjcf import RootElement, element_of_place, get_place
from .inertia import COORDINATES, BodyInertia
from .options import FitOptions, FittedValue
from .parameter import Parameter

_FACTOR = 5.0
"""The ratio of a bound to a positive initial value."""
_MOST_DELAY_S, _FIRST_DELAY_S = 0.1, 0.002
_MOST_OFFSET = 0.3
_RATE = 10.0
"""The largest damping of a joint without damping, in units of its inertia per second."""
_ANY_FRICTION = 1e-3
"""The smallest friction of a joint whose scale is unknown."""
_HINGE = int(mujoco.mjtJoint.mjJNT_HINGE)
_MOVING = _HINGE, int(mujoco.mjtJoint.mjJNT_SLIDE)
_GAINS: Mapping[str, tuple[str, ...]] = {
    'position': ('kp', 'kv'),
    'velocity': ('kv',),
    'intvelocity': ('kp', 'kv'),
    'damper': ('kv',),
    'motor': ('gear[0]',),
    'general': ('gainprm[0]', 'biasprm[0]', 'biasprm[1]', 'biasprm[2]'),
}
"""The attributes of an actuator by its tag; those whose value is 0 are not fitted."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Measured:
    """What the recordings have, for the sets of delays and offsets."""

    joints: tuple[str, ...]
    """The joints whose positions were measured."""
    commands: tuple[str, ...]
    """The topics of commands and goals."""
    signals: tuple[str, ...]
    """The topics of signals."""


def parameters_of_fit(
    root: RootElement, model: mujoco.MjModel, options: FitOptions, measured: Measured
) -> list[Parameter]:
    """Returns the parameters to fit: those of the sets, then those of the file.

    Raises ConfigError for a set without parameters, an unknown or ambiguous attribute, and a
    pattern that matches nothing.
    """
    sets = _Sets(root, model, options.only, measured)
    found: dict[str, Parameter] = {}
    for asked in options.fit:
        of_set = list(sets.functions[asked]())
        if not of_set:
            raise ConfigError(f'fit: {asked}: {sets.reason(asked)}')
        found.update((each.name, each) for each in of_set)
    if unused := sets.unused():
        known = listed(sorted(sets.asked), 12)
        raise ConfigError(f'only: {unused[0]!r} matches no element of the sets; known: {known}')
    for name, value in options.fitted_values().items():
        found[name] = _of_file(root, name, value, found.get(name))
    if not found:
        raise ConfigError(
            f'nothing to fit: name sets with fit ({listed(list(sets.functions), 8)})'
        )
    _check_overlap(found.values())
    return list(found.values())


class _Sets:
    """Yields the parameters of each set."""

    def __init__(
        self, root: RootElement, model: mujoco.MjModel, only: Sequence[str], measured: Measured
    ) -> None:
        self._root, self._model, self._measured = root, model, measured
        self._patterns = dict.fromkeys(only, False)
        self.asked: set[str] = set()
        self.functions: Mapping[str, Callable[[], Iterator[Parameter]]] = {
            'friction': self._friction,
            'armature': self._armature,
            'actuators': self._actuators,
            'masses': self._masses,
            'inertia': self._inertia,
            'contact': self._contact,
            'delays': self._delays,
            'offsets': self._offsets,
        }

    def reason(self, name: str) -> str:
        """Returns why a set has no parameters."""
        if name == 'delays':
            return 'the recordings have no commands'
        if name == 'offsets':
            return 'the recordings have no positions of joints'
        if self._patterns:
            return f'no element matches {", ".join(self._patterns)}'
        return 'the model has no such elements with names'

    def unused(self) -> list[str]:
        """Returns the patterns that matched no element."""
        return [pattern for pattern, matched in self._patterns.items() if not matched]

    def _wanted(self, name: str | None) -> bool:
        if not name:
            return False
        self.asked.add(name)
        matching = [each for each in self._patterns if fnmatchcase(name, each)]
        self._patterns.update(dict.fromkeys(matching, True))
        return bool(matching) or not self._patterns

    def _joints(self) -> Iterator[tuple[str, int]]:
        """Yields the wanted hinges and slides, each with its degree of freedom."""
        for number in range(self._model.njnt):
            joint = self._model.joint(number)
            if self._model.jnt_type[number] in _MOVING and self._wanted(joint.name):
                yield joint.name, int(self._model.jnt_dofadr[number])

    def _friction(self) -> Iterator[Parameter]:
        for joint, dof in self._joints():
            hinge = self._model.jnt_type[self._model.joint(joint).id] == _HINGE
            damping = float(np.ravel(self._model.dof_damping[dof])[0])
            loss = float(self._model.dof_frictionloss[dof])
            scale = max(_RATE * float(self._model.dof_M0[dof]), _ANY_FRICTION)
            for attribute, value, unit in (
                ('damping', damping, 'N m s/rad' if hinge else 'N s/m'),
                ('frictionloss', loss, 'N m' if hinge else 'N'),
            ):
                place = f'joint:{joint}.{attribute}'
                targets = (_number_place(self._root, place),)
                bounds = 0.0, max(_FACTOR * value, scale)
                yield replace(_attribute(place, value, bounds, unit), targets=targets)

    def _armature(self) -> Iterator[Parameter]:
        for joint, dof in self._joints():
            hinge = self._model.jnt_type[self._model.joint(joint).id] == _HINGE
            value = float(self._model.dof_armature[dof])
            most = max(_FACTOR * value, 2.0 * float(self._model.dof_M0[dof]))
            yield _attribute(
                f'joint:{joint}.armature', value, (0.0, most), 'kg m^2' if hinge else 'kg'
            )

    def _actuators(self) -> Iterator[Parameter]:
        for element in self._root.find_all('actuator'):
            if not self._wanted(element.full_identifier):
                continue
            for attribute in _GAINS.get(element.tag, ('gear[0]',)):
                place = f'actuator:{element.full_identifier}.{attribute}'
                value = get_place(self._root, place)
                if value:
                    yield _attribute(place, float(value), _around(float(value)), '')

    def _bodies(self) -> Iterator[str]:
        """Yields the wanted bodies that have a mass and can move."""
        for number in range(1, self._model.nbody):
            moves = self._model.body_weldid[number] != 0
            if self._model.body_mass[number] > 0.0 and moves:
                name = self._model.body(number).name
                if self._wanted(name):
                    yield name

    def _masses(self) -> Iterator[Parameter]:
        for body in self._bodies():
            mass = float(self._model.body(body).mass[0])
            yield Parameter(
                name=f'{body}.mass', effect='mass', targets=(body,), initial=mass,
                bounds=_around(mass), logarithmic=True, unit='kg',
            )  # fmt: skip

    def _inertia(self) -> Iterator[Parameter]:
        for body in self._bodies():
            ten = BodyInertia(self._model, body).parameter
            values = zip(ten.nominal, ten.min_value, ten.max_value, strict=True)
            for component, (value, low, high) in enumerate(values):
                what = COORDINATES[component]
                yield Parameter(
                    name=f'{body}.inertia ({what})', effect='inertia', targets=(body,),
                    initial=float(value), bounds=(float(low), float(high)), component=component,
                )  # fmt: skip

    def _contact(self) -> Iterator[Parameter]:
        for number in range(self._model.ngeom):
            name = self._model.geom(number).name
            collides = self._model.geom_contype[number] or self._model.geom_conaffinity[number]
            if collides and self._wanted(name):
                value = float(self._model.geom_friction[number, 0])
                yield _attribute(f'geom:{name}.friction[0]', value, _around(value), '')

    def _delays(self) -> Iterator[Parameter]:
        topics = self._measured.commands
        if topics:
            yield Parameter(
                name='delay of commands', effect='command_delay', targets=topics,
                initial=_FIRST_DELAY_S, bounds=(0.0, _MOST_DELAY_S), unit='s',
            )  # fmt: skip
        first, *others = self._measured.signals or ('',)
        for topic in others:
            yield Parameter(
                name=f'delay of {topic} after {first}', effect='signal_delay', targets=(topic,),
                initial=0.0, bounds=(-_MOST_DELAY_S, _MOST_DELAY_S), unit='s',
            )  # fmt: skip

    def _offsets(self) -> Iterator[Parameter]:
        for joint in self._measured.joints:
            if self._wanted(joint):
                hinge = self._model.jnt_type[self._model.joint(joint).id] == _HINGE
                yield Parameter(
                    name=f'offset of {joint}', effect='offset', targets=(joint,), initial=0.0,
                    bounds=(-_MOST_OFFSET, _MOST_OFFSET), unit='rad' if hinge else 'm',
                )  # fmt: skip


def _number_place(root: RootElement, place: str) -> str:
    """Returns the place of the first number of a damping or stiffness, or the place itself.

    Since MuJoCo 4, these are polynomials of the velocity or the position.
    """
    polynomial = place.endswith(('.damping', '.stiffness')) and np.ndim(get_place(root, place))
    return f'{place}[0]' if polynomial else place


def _attribute(place: str, value: float, bounds: tuple[float, float], unit: str) -> Parameter:
    return Parameter(
        name=place.partition(':')[2], effect='attribute', targets=(place,), initial=value,
        bounds=bounds, logarithmic=bounds[0] > 0.0, unit=unit,
    )  # fmt: skip


def _around(value: float) -> tuple[float, float]:
    """Returns the default bounds of a value that is not 0."""
    low, high = sorted((value / _FACTOR, value * _FACTOR))
    return low, high


def _of_file(
    root: RootElement, name: str, given: FittedValue, of_set: Parameter | None
) -> Parameter:
    """Returns the parameter of an entry of `values`; it changes the one of a set if there is one.

    Raises ConfigError for an unknown attribute, and for an initial value outside the bounds.
    """
    where = f'values.{name}'
    if of_set is None:
        places = []
        value = given.initial
        for place in given.of or (name,):
            there, place = _number(root, where, place)
            places.append(place)
            value = there if value is None else value
        if value is None:
            raise ConfigError(f'{where}: initial must be given: {places[0]} has no value')
        if not given.bounds and value == 0.0:
            raise ConfigError(f'{where}: bounds must be given, as the initial value is 0')
        of_set = _attribute(places[0], value, given.bounds or _around(value), '')  # type: ignore[arg-type]
        of_set = replace(of_set, name=name, targets=tuple(places))
    elif given.of:
        raise ConfigError(f'{where}: of cannot be given for a value of a set')
    initial = of_set.initial if given.initial is None else given.initial
    low, high = given.bounds or of_set.bounds
    if not low <= initial <= high:
        raise ConfigError(
            f'{where}: initial must be from {low:g} to {high:g} (bounds), got {initial:g}'
        )
    logarithmic = low > 0.0 if given.scale == 'auto' else given.scale == 'log'
    if logarithmic and low <= 0.0:
        raise ConfigError(f'{where}: scale: log needs positive bounds, got [{low:g}, {high:g}]')
    prior = None if given.prior is None else (given.prior.mean, given.prior.stddev)
    return replace(
        of_set, initial=initial, bounds=(low, high), logarithmic=logarithmic, prior=prior
    )


def _number(root: RootElement, where: str, place: str) -> tuple[float | None, str]:
    """Returns the number at a place, and the place with the index that it needs.

    Raises ConfigError if there cannot be a number.
    """
    try:
        element_of_place(root, place)
        place = _number_place(root, place)
        value: Any = get_place(root, place)
    except MjcfError as error:
        raise ConfigError(f'{where}: {error}') from None
    if value is None:
        return None, place
    if isinstance(value, str | bool) or np.size(value) != 1:
        raise ConfigError(
            f'{where}: {place} must be one number; give an index, such as {place}[0]'
            if np.size(value) > 1
            else f'{where}: {place} is {value!r}, not a number'
        )
    number = float(np.ravel(value)[0])
    return number if math.isfinite(number) else None, place


def _check_overlap(parameters: Any) -> None:
    """Raises ConfigError if two parameters set one number."""
    owners: dict[tuple[str, int], str] = {}
    for each in parameters:
        kind = 'inertial' if each.effect in ('mass', 'inertia') else each.effect
        for target in each.targets:
            key = f'{kind} of {target}', each.component
            if key in owners:
                raise ConfigError(f'{each.name} and {owners[key]} both set {target}')
            owners[key] = each.name
