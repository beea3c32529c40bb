"""The named sets of parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

import mujoco
import numpy as np

from ..mjcf import RootElement, get_place
from .attributes import FACTOR, attribute_parameter, bounds_around, number_place
from .inertia import COORDINATES, BodyInertia
from .parameter import Parameter

_MOST_DELAY_S, _FIRST_DELAY_S = 0.1, 0.002
_MOST_OFFSET = 0.3
_RATE = 10.0
"""The largest damping of a joint without damping, in units of its inertia per second."""
_SHARE = 0.05
"""The largest friction of a joint without friction, as a share of the largest effort; its largest
damping is the same at 1 rad/s or m/s."""
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


class Sets:
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
            inertia, effort = float(self._model.dof_M0[dof]), self._effort(joint)
            scale = max(_RATE * inertia, _SHARE * effort, _ANY_FRICTION)
            for attribute, value, unit in (
                ('damping', damping, 'N m s/rad' if hinge else 'N s/m'),
                ('frictionloss', loss, 'N m' if hinge else 'N'),
            ):
                place = f'joint:{joint}.{attribute}'
                targets = (number_place(self._root, place),)
                bounds = 0.0, max(FACTOR * value, scale)
                yield replace(attribute_parameter(place, value, bounds, unit), targets=targets)

    def _effort(self, joint: str) -> float:
        """Returns the largest effort of the joint's actuators; 0 if it is unknown."""
        model, number, found = self._model, self._model.joint(joint).id, 0.0
        of_joint = int(mujoco.mjtTrn.mjTRN_JOINT)
        for k in range(model.nu):
            if model.actuator_trntype[k] == of_joint and model.actuator_trnid[k, 0] == number:
                force = 0.0
                if model.actuator_forcelimited[k]:
                    force = float(np.max(np.abs(model.actuator_forcerange[k])))
                elif model.actuator_ctrllimited[k]:
                    limit = float(np.max(np.abs(model.actuator_ctrlrange[k])))
                    force = limit * abs(float(model.actuator_gainprm[k, 0]))
                found = max(found, force * abs(float(model.actuator_gear[k, 0])))
        return found

    def _armature(self) -> Iterator[Parameter]:
        for joint, dof in self._joints():
            hinge = self._model.jnt_type[self._model.joint(joint).id] == _HINGE
            value = float(self._model.dof_armature[dof])
            most = max(FACTOR * value, 2.0 * float(self._model.dof_M0[dof]))
            yield attribute_parameter(
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
                    yield attribute_parameter(place, float(value), bounds_around(float(value)), '')

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
                bounds=bounds_around(mass), logarithmic=True, unit='kg',
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
                yield attribute_parameter(
                    f'geom:{name}.friction[0]', value, bounds_around(value), ''
                )

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
