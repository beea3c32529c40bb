"""What `mj_printSchema` says of the installed MuJoCo."""

import re
from dataclasses import dataclass, field

import mujoco

_LINE = re.compile(r'( *)(?:\(world\))?(\w+) \(([!?*R])\) *(.*)')
_INDENT = 3


@dataclass(slots=True, eq=False)
class Printed:
    """An element as printed: `(world)body` is body, and frame and replicate are left out."""

    tag: str
    mark: str
    """`!` once, `?` at most once, `*` any number of times, `R` recursively."""
    attributes: list[str] = field(default_factory=list)
    children: dict[str, 'Printed'] = field(default_factory=dict)


def printed_schema() -> Printed:
    """The root, `mujoco`."""
    return parse_printed(mujoco.mj_printSchema(False, False))


def parse_printed(text: str) -> Printed:
    """The root of a text that `mj_printSchema` gave."""
    stack: list[Printed] = []
    for line in text.splitlines():
        match = _LINE.match(line)
        if not match:
            stack[-1].attributes += line.split()
            continue
        depth = len(match[1]) // _INDENT
        stack[depth:] = [Printed(match[2], match[3], match[4].split())]
        if depth:
            stack[depth - 1].children[match[2]] = stack[depth]
    return stack[0]
