"""Merges the options of attached models, which must be compatible."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import copy
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..tree.element import Element
    from ..tree.placed import Placed
    from .root import RootElement

Choose = Callable[[Any, Any], Any]
Path = tuple[str, ...]
_UNITS = {'K': 1 << 10, 'M': 1 << 20, 'G': 1 << 30, 'T': 1 << 40, 'P': 1 << 50, 'E': 1 << 60}


def _bytes(memory: str) -> int:
    unit = _UNITS.get(memory[-1:].upper(), 0)
    return int(memory[:-1]) * unit if unit else int(memory)


def _most_memory(a: str, b: str) -> str:
    return max(a, b, key=_bytes)


_CHOICES: Mapping[tuple[str, str], Choose] = {
    **{
        ('option', name): min
        for name in (
            'timestep', 'tolerance', 'ls_tolerance', 'noslip_tolerance', 'ccd_tolerance',
        )
    },
    **{
        ('option', name): max
        for name in (
            'iterations', 'ls_iterations', 'noslip_iterations', 'ccd_iterations',
            'sdf_iterations', 'sdf_initpoints',
        )
    },
    ('size', 'memory'): _most_memory,
    **{
        ('size', name): max
        for name in (
            'njmax', 'nconmax', 'nstack', 'nkey', 'nuser_body', 'nuser_jnt', 'nuser_geom',
            'nuser_site', 'nuser_cam', 'nuser_tendon', 'nuser_actuator', 'nuser_sensor',
        )
    },
    ('map', 'znear'): min,
    ('map', 'zfar'): max,
}  # fmt: skip
"""Options that can differ: the function chooses the more exact or the larger value."""
OF_EACH_MODEL = frozenset([
    ('mujoco', 'model'),
    ('compiler', 'angle'), ('compiler', 'eulerseq'),  # see `units`
    ('compiler', 'assetdir'), ('compiler', 'meshdir'), ('compiler', 'texturedir'),
    ('compiler', 'strippath'),
    ('compiler', 'settotalmass'),  # see `total_mass`
])  # fmt: skip
"""The settings that each model keeps: its name, the meaning of its numbers, its file folders and
its total mass."""
_KEPT_APART = 'default', 'worldbody'
_NOT_REMOVED_WITH_HOSTS = *_KEPT_APART, 'compiler'
"""The sections that stay in attached models; <compiler> defines the meaning of their numbers and
file names."""


def reconcile(host: Element, guest: Element, *, change: bool) -> None:
    """Compares the options of a host and its guest; copies them to the host if `change` is true.

    Raises ValueError, before any change, if both models set an option to different values.
    """
    for key in guest._values:
        if (guest.tag, key) in OF_EACH_MODEL:
            continue
        ours, theirs = getattr(host, key), getattr(guest, key)
        agreed = _agreed(host, key, ours, theirs)
        if change and not _same(ours, agreed):
            setattr(host, key, agreed)
    for child in guest._children:
        if not (child._repeated or child.tag in _KEPT_APART):
            reconcile(host.get_children(child.tag), child, change=change)


def options(element: Element, tags: Path = ()) -> dict[Path, Any]:
    """Returns the current values of the options that must agree, by tags and attribute."""
    found = {
        (*tags, key): copy(getattr(element, key))
        for key in element._values
        if (element.tag, key) not in OF_EACH_MODEL
    }
    for child in element._children:
        if not (child._repeated or child.tag in _KEPT_APART):
            found |= options(child, (*tags, child.tag))
    return found


def catch_up(guest: RootElement) -> None:
    """Updates the hosts of an attached model with options that it changed after its attachment.

    Raises ValueError if a host sets an option to another value.

    """
    assert guest.frame is not None
    now, before = options(guest), guest.frame.shared
    new = {path: value for path, value in now.items() if not _same(before.get(path), value)}
    if not new:
        return
    agreed = [
        (element, path[-1], _agreed(element, path[-1], getattr(element, path[-1]), value))
        for path, value in new.items()
        for element in (_section(host, path[:-1]) for host in guest.hosts())
    ]
    for element, key, value in agreed:
        setattr(element, key, value)
    remember(guest)


def remember(guest: RootElement) -> None:
    """Stores the current options of a model and its hosts; `catch_up` detects later changes."""
    for model in (guest, *guest.hosts()):
        if model.frame is not None:
            model.frame.shared = options(model)


def _section(model: RootElement, tags: Path) -> Any:
    element: Any = model
    for tag in tags:
        element = element.get_children(tag)
    return element


def set_by_both(host: Element, guest: Element, top: Placed) -> Iterator[tuple[Element, str]]:
    """Yields the options below `top`, an element of the host, that both models set."""
    for child in guest._children:
        if child._repeated or child.tag in _KEPT_APART:
            continue
        ours = host.get_children(child.tag)
        if ours is None:
            continue
        inside = host is top or ours is top
        if inside:
            for key in child._values:
                if key in ours._values and (child.tag, key) not in OF_EACH_MODEL:
                    yield ours, key
        yield from set_by_both(ours, child, ours if inside else top)


def counterparts(top: Placed) -> Iterator[Element]:
    """Yields the elements of attached models that are merged with this element of the host."""
    tags: Path = ()
    while top._parent is not None:
        if not top._always or top.tag in _NOT_REMOVED_WITH_HOSTS:
            return
        top, tags = top._parent, (top.tag, *tags)
    if tags and top._is_root:
        for model in top.root.attachments():
            yield _section(model, tags)


def _agreed(element: Element, key: str, ours: object, theirs: object) -> Any:
    if ours is None or theirs is None or _same(ours, theirs):
        return theirs if ours is None else ours
    choose = _CHOICES.get((element.tag, key))
    if choose is None:
        raise ValueError(
            f'<{element.tag}>: the models disagree on {key}: {ours} in the host,'
            f' {theirs} in the attached model'
        )
    return choose(ours, theirs)


def _same(a: Any, b: Any) -> bool:
    if a is None or b is None:
        return a is b
    return (
        bool(a == b)
        if isinstance(a, str)
        else bool((a == b).all() if hasattr(a, 'all') else a == b)
    )
