"""Finds which model owns each number in a compiled model's state."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from ....errors import MjcfError
from .numbering import owner_of, owner_within

Numbers = NDArray[np.float64]
Begins = Iterable[tuple[int, int]]
"""Addresses in a vector (-1 if absent), each with the owner of the numbers that start there."""


class Owners:
    """The owners of a compiled model's elements, whose names begin with the owner's number.

    `shared` holds the names of bodies that contain bodies of several owners.
    """

    def __init__(self, compiled: mujoco.MjModel, shared: Container[str]) -> None:
        self._compiled = compiled
        self._of_body = [0]
        within = [0]
        for body in range(1, compiled.nbody):
            name, parent = compiled.body(body).name, compiled.body_parentid[body]
            owner = owner_of(name)
            if owner is None and compiled.body(parent).name in shared:
                raise _unknown('body', name or body)
            self._of_body.append(within[parent] if owner is None else owner)
            within.append(within[parent] if owner is None else owner_within(name))

    def joints(self, addresses: Sequence[int]) -> Begins:
        """Returns the start of each joint's numbers, with the owner of the joint's body."""
        owners = (self._of_body[body] for body in self._compiled.jnt_bodyid)
        return zip(addresses, owners, strict=True)

    def named(self, kind: str, addresses: Sequence[int]) -> Begins:
        """Returns the start of each named element's numbers, with the element's owner."""
        return [(each, self._named(kind, k)) for k, each in enumerate(addresses) if each >= 0]

    def _named(self, kind: str, index: int) -> int:
        name = getattr(self._compiled, kind)(index).name
        owner = owner_of(name)
        if owner is None:
            raise _unknown(kind, name or index)
        return owner

    def mocaps(self, width: int) -> Begins:
        """Returns the start of each mocap body's `width` numbers, with the body's owner."""
        return [
            (width * place, self._of_body[body])
            for body, place in enumerate(self._compiled.body_mocapid)
            if place >= 0
        ]


def _unknown(kind: str, which: str | int) -> MjcfError:
    return MjcfError(
        f'{kind} {which!r} must be named in the model that <attach> takes it from: the name shows'
        ' which model owns its numbers in a key'
    )


def filled(begins: Begins, size: int) -> NDArray[np.int64]:
    """Returns the owner of each number.

    An element's numbers end where the next element's start.
    """
    ordered = sorted((address, owner) for address, owner in begins if address >= 0)
    lengths = np.diff([*(address for address, _ in ordered), size])
    return np.repeat(np.array([owner for _, owner in ordered], np.int64), lengths)


def _mocap_poses(compiled: Any, poses: Any) -> Numbers:
    places = compiled.body_mocapid
    bodies = sorted(np.flatnonzero(places >= 0), key=lambda body: places[body])
    return poses[bodies].reshape(-1)  # type: ignore[no-any-return]


def _plastic(compiled: Any, owned: Owners) -> Begins:
    return [
        *owned.joints(compiled.jnt_plasticadr),
        *owned.named('tendon', compiled.tendon_plasticadr),
        *owned.named('flex', compiled.flex_plasticadr),
    ]


Vector = tuple[Callable[[Any], Numbers], Callable[[Any, Owners], Begins]]
_VECTORS: Mapping[str, Vector] = {
    'qpos': (lambda m: m.qpos0, lambda m, owned: owned.joints(m.jnt_qposadr)),
    'qvel': (lambda m: np.zeros(m.nv), lambda m, owned: owned.joints(m.jnt_dofadr)),
    'act': (
        lambda m: np.zeros(m.na), lambda m, owned: owned.named('actuator', m.actuator_actadr)
    ),
    'ctrl': (
        lambda m: np.zeros(m.nu), lambda m, owned: owned.named('actuator', m.actuator_ctrladr)
    ),
    'mpos': (lambda m: _mocap_poses(m, m.body_pos), lambda m, owned: owned.mocaps(3)),
    'mquat': (lambda m: _mocap_poses(m, m.body_quat), lambda m, owned: owned.mocaps(4)),
    'plastic': (lambda m: np.zeros(m.nplastic), _plastic),
}  # fmt: skip
_SINCE_4 = () if hasattr(mujoco.MjModel, 'nplastic') else ('plastic',)
VECTORS = {name: vector for name, vector in _VECTORS.items() if name not in _SINCE_4}
"""The vectors of a key, each with functions that return its default, and the starts and owners of
its parts."""
