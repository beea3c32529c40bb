"""Parses the schema that `mj_printSchema` prints for the installed MuJoCo."""

import re
from dataclasses import dataclass, field
from typing import TypeVar

import mujoco

T = TypeVar('T')

_LINE = re.compile(r'( *)(?:\(world\))?(\w+) \(([!?*R])\) *(.*)')
_INDENT = 3

NOT_IN_WORLD = ('inertial', 'joint', 'freejoint')
NOT_IN_REPLICATE = ('joint', 'freejoint')
"""The elements that the parser refuses in replicate; in frame they depend on what contains the
frame."""


@dataclass(slots=True, eq=False)
class Printed:
    """An element as printed: `(world)body` is body, and frame and replicate are missing."""

    tag: str
    mark: str
    """How often the element occurs: `!` once, `?` at most once, `*` any number of times, `R`
    nested in itself."""
    attributes: list[str] | None = field(default_factory=list)
    """The attributes in alphabetical order; None if MuJoCo does not print them."""
    children: dict[str, 'Printed'] = field(default_factory=dict)


def printed_schema() -> Printed:
    """Returns the element `mujoco` with everything below it, as the installed MuJoCo prints it."""
    return parse_printed(mujoco.mj_printSchema(False, False))


def parse_printed(text: str) -> Printed:
    """Returns the root of a text that `mj_printSchema` has printed."""
    stack: list[Printed] = []
    for line in text.splitlines():
        match = _LINE.match(line)
        if not match:
            stack[-1].attributes = [*(stack[-1].attributes or ()), *line.split()]
            continue
        depth = len(match[1]) // _INDENT
        stack[depth:] = [Printed(match[2], match[3], match[4].split())]
        if depth:
            stack[depth - 1].children[match[2]] = stack[depth]
    return stack[0]


def complete(root: Printed) -> Printed:
    """Adds what is not printed: elements nested in themselves, worldbody, frame and replicate."""
    default, body = root.children['default'], root.children['body']
    inner = Printed('default', 'R', ['class'])
    inner.children = default.children = {**default.children, 'default': inner}
    frame, replicate = Printed('frame', 'R', None), Printed('replicate', 'R', None)
    inside = {**body.children, 'body': body, 'frame': frame, 'replicate': replicate}
    body.children = frame.children = inside
    replicate.children = without(inside, NOT_IN_REPLICATE)
    world = Printed('worldbody', '*', children=without(inside, NOT_IN_WORLD))
    sections = {'worldbody' if tag == 'body' else tag: c for tag, c in root.children.items()}
    sections['worldbody'] = world
    return Printed(root.tag, root.mark, root.attributes, sections)


def without(children: dict[str, T], tags: tuple[str, ...]) -> dict[str, T]:
    """Returns the children without those that have one of these tags."""
    return {tag: child for tag, child in children.items() if tag not in tags}
