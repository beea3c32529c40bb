"""Parses the output of `mj_printSchema` for the installed MuJoCo."""

import re
from dataclasses import dataclass, field
from typing import TypeVar

import mujoco

T = TypeVar('T')

_LINE = re.compile(r'( *)(?:\(world\))?(\w+) \(([!?*R])\) *(.*)')
_INDENT = 3

NOT_IN_WORLD = ('inertial', 'joint', 'freejoint')
NOT_IN_REPLICATE = ('joint', 'freejoint')
"""Elements that the parser rejects in <replicate>. In <frame>, the frame's parent decides."""


@dataclass(slots=True, eq=False)
class Printed:
    """A printed element. `(world)body` is body; frame and replicate are not printed."""

    tag: str
    mark: str
    """The number of occurrences: `!` one, `?` at most one, `*` any number, `R` nested in
    itself."""
    attributes: list[str] | None = field(default_factory=list)
    """The attributes in alphabetical order; None if MuJoCo does not print them."""
    children: dict[str, 'Printed'] = field(default_factory=dict)


def printed_schema() -> Printed:
    """Returns <mujoco> with everything below it, as printed by the installed MuJoCo."""
    return parse_printed(mujoco.mj_printSchema(False, False))


def parse_printed(text: str) -> Printed:
    """Returns the root element of the XML that `mj_printSchema` prints."""
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
    """Adds the unprinted elements: self-nested elements, worldbody, frame and replicate."""
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
    """Returns the children without these tags."""
    return {tag: child for tag, child in children.items() if tag not in tags}
