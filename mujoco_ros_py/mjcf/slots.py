"""Which numbers of a composed model's state belong to which of the models in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from ..errors import MjcfError
from .files.export import contents_by_name
from .form import SEPARATOR, Form
from .writing import write

if TYPE_CHECKING:
    from .attachment import AttachmentFrame
    from .root import RootElement

Numbers = NDArray[np.float64]
Places = NDArray[np.intp]
Begins = Iterable[tuple[int, int]]
"""Addresses in a vector, -1 for none, and the models whose numbers begin there."""


@dataclass(frozen=True, slots=True)
class Slots:
    """Of a model and those attached to it, which are numbered as `attachments_below` has them.

    What belongs to model n has the owner 2 n, and what to the frames in it, 2 n + 1.
    """

    defaults: Mapping[str, Numbers]
    """What each vector of a key is where no key says anything."""
    owners: Mapping[str, NDArray[np.int64]]
    """Of each number in it."""
    numbers: Mapping[int, int]
    """Of the models, by their identities; 0 is the topmost one."""

    def of(self, model: RootElement, vector: str) -> Iterator[Places]:
        """Where the model's own numbers are, then with its frames', then with all below it."""
        first, owners = 2 * self.numbers[id(model)], self.owners[vector]
        below = len(list(model.attachments_below()))
        for count in (1, 2, 2 + 2 * below):
            yield np.flatnonzero((first <= owners) & (owners < first + count))


def slots(model: RootElement, sections: Sequence[Any]) -> Slots:
    """As MuJoCo lays out a model of these sections; MjcfError if it cannot compile them.

    It alone knows: of joints in defaults, replicates, composites, activations of plugins.
    """
    models = [model, *model.attachments_below()]
    form = _numbering(models)
    compiled = _compiled(_Sections(model, sections), form)
    frames = [frame for each in models for frame in each.frames.values() if frame.tag == 'frame']
    defaults = {name: default(compiled) for name, (default, _) in VECTORS.items()}
    owned = _Owners(compiled, {frame.body_identifier(form) for frame in frames})
    return Slots(
        defaults=defaults,
        owners={
            name: _filled(begins(compiled, owned), len(defaults[name]))
            for name, (_, begins) in VECTORS.items()
        },
        numbers={id(each): number for number, each in enumerate(models)},
    )


def _filled(begins: Begins, size: int) -> NDArray[np.int64]:
    """What begins somewhere goes on to where the next begins."""
    owners = np.zeros(size, np.int64)
    ordered = sorted((int(address), owner) for address, owner in begins if address >= 0)
    for (start, owner), (stop, _) in pairwise([*ordered, (size, 0)]):
        owners[start:stop] = owner
    return owners


class _Sections:
    """A root with these sections."""

    tag = 'mujoco'
    _always = True

    def __init__(self, model: RootElement, sections: Sequence[Any]) -> None:
        self._model = model
        self._sections = sections

    def _texts(self, form: Form) -> list[tuple[str, str]]:
        return self._model._texts(form)

    def _written_children(self, form: Form) -> Sequence[Any]:
        return self._sections


class _Numbering(Form):
    """Names of all elements begin with the owners of what they have in the model's state."""

    __slots__ = ()

    def frame_name(self, frame: AttachmentFrame) -> str:
        """The number of the model that the frame holds makes it unique."""
        return f'{_owner(self.prefix(frame.root)) + 1}{SEPARATOR}{self.prefix(frame.attachment)}'


def _numbering(models: Sequence[RootElement]) -> Form:
    prefixes = {id(each): f'{2 * number}{SEPARATOR}' for number, each in enumerate(models)}
    return _Numbering(filenames='hashed', prefix_root=models[0], name_all=True, _prefixes=prefixes)


def _compiled(root: Any, form: Form) -> mujoco.MjModel:
    model = form.prefix_root
    assert model is not None
    files = contents_by_name(model, form)
    try:
        return mujoco.MjModel.from_xml_string(write(root, form, pretty=False), files)
    except ValueError as error:
        reason = _reason(root, model) or error
    raise MjcfError(
        f'model {model.model!r} has models attached and keys, whose numbers have their places'
        f' in the model that MuJoCo compiles, and it does not compile: {reason}'
    )


def _reason(root: Any, model: RootElement) -> ValueError | None:
    """What MuJoCo says with the names that the user knows."""
    form = Form(filenames='hashed', prefix_root=model)
    text = write(root, form)
    try:
        mujoco.MjModel.from_xml_string(text, contents_by_name(model, form))
    except ValueError as error:
        return error
    return None


_NUMBERED = re.compile(f'[0-9]+{SEPARATOR}')


def _owner(name: str) -> int:
    return int(name.partition(SEPARATOR)[0])


def _is_made_up(name: str) -> bool:
    """Whether it is not one of ours: of what MuJoCo makes itself, or takes from other files."""
    return _NUMBERED.match(name) is None


def _unknown(kind: str, which: str | int) -> MjcfError:
    return MjcfError(
        f'{kind} {which!r} must have a name where <attach> takes it from: keys need to know which'
        ' model it belongs to'
    )


class _Owners:
    """Tells by names whose the parts of the compiled model are."""

    def __init__(self, compiled: mujoco.MjModel, shared: Container[str]) -> None:
        """`shared` are the bodies that have some of several models in them."""
        self._compiled = compiled
        self.of_body = [0]
        within = [0]
        """Whose bodies without a name of ours are that are in it."""
        for body in range(1, compiled.nbody):
            name = compiled.body(body).name
            above = within[compiled.body_parentid[body]]
            if _is_made_up(name) and compiled.body(compiled.body_parentid[body]).name in shared:
                raise _unknown('body', name or body)
            owner = above if _is_made_up(name) else _owner(name)
            self.of_body.append(owner)
            within.append(_owner(name.partition(SEPARATOR)[2]) if owner % 2 else owner)

    def joints(self, addresses: Sequence[int]) -> Begins:
        """Of all joints; those of a frame belong to the model that the frame is in."""
        of_joint = [self.of_body[body] for body in self._compiled.jnt_bodyid]
        return zip(addresses, of_joint, strict=True)

    def named(self, kind: str, addresses: Sequence[int]) -> Begins:
        """Of all of a kind; MjcfError for one that no name tells."""
        return [
            (address, self._named(kind, index))
            for index, address in enumerate(addresses)
            if address >= 0
        ]

    def _named(self, kind: str, index: int) -> int:
        name = getattr(self._compiled, kind)(index).name
        if _is_made_up(name):
            raise _unknown(kind, name or index)
        return _owner(name)

    def mocaps(self, width: int) -> Begins:
        """Of the bodies that are moved from outside."""
        ids = self._compiled.body_mocapid
        return [(width * each, self.of_body[body]) for body, each in enumerate(ids) if each >= 0]


def _mocap_pose(compiled: Any, poses: Any) -> Numbers:
    bodies = np.flatnonzero(compiled.body_mocapid >= 0)
    order = np.argsort(compiled.body_mocapid[bodies])
    return poses[bodies[order]].reshape(-1)  # type: ignore[no-any-return]


Vector = tuple[Callable[[Any], Numbers], Callable[[Any, _Owners], Begins]]
VECTORS: dict[str, Vector] = {
    'qpos': (
        lambda compiled: compiled.qpos0,
        lambda compiled, owned: owned.joints(compiled.jnt_qposadr),
    ),
    'qvel': (
        lambda compiled: np.zeros(compiled.nv),
        lambda compiled, owned: owned.joints(compiled.jnt_dofadr),
    ),
    'act': (
        lambda compiled: np.zeros(compiled.na),
        lambda compiled, owned: owned.named('actuator', compiled.actuator_actadr),
    ),
    'ctrl': (
        lambda compiled: np.zeros(compiled.nu),
        lambda compiled, owned: owned.named('actuator', compiled.actuator_ctrladr),
    ),
    'mpos': (
        lambda compiled: _mocap_pose(compiled, compiled.body_pos),
        lambda compiled, owned: owned.mocaps(3),
    ),
    'mquat': (
        lambda compiled: _mocap_pose(compiled, compiled.body_quat),
        lambda compiled, owned: owned.mocaps(4),
    ),
    'plastic': (
        lambda compiled: np.zeros(compiled.nplastic),
        lambda compiled, owned: [
            *owned.joints(compiled.jnt_plasticadr),
            *owned.named('tendon', compiled.tendon_plasticadr),
            *owned.named('flex', compiled.flex_plasticadr),
        ],
    ),
}
"""The attributes of a key: what they are by default, and what begins where in them."""
if not hasattr(mujoco.MjModel, 'nplastic'):  # before MuJoCo 4
    del VECTORS['plastic']
