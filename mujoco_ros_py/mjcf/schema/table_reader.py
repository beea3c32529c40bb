"""Reads the tables of MJCF that `generate` writes.

    geom *: geom                                   an element: its tag, number of occurrences, and
                                                   namespace in `find`
        @name               identifier geom        unique among geoms
        @class              -> default             names a default
        @objname            -> @objtype            names an element of the type in objtype
        @body               -> body *              names several, separated by spaces
        @type               [sphere box] = sphere  one of these words, with the default
        @data               [dist dir] *           several of these words
        @size               real(1..3)             one to three numbers; real(*): any number
        @mass               real required          a number
        @file               file meshdir           a file in the folder of this compiler attribute
        @meshdir            path                   a folder
        geom * see worldbody/geom                  the same as that element

After a tag, `*` means any number, `?` at most one, which must be added, and `!` exactly one, which
always exists.
"""

import re

from .specs import AttributeSpec, ElementSpec, Kind

INDENT = 4

_ELEMENT = re.compile(r'(\w+) ([!?*])(?:: (\w+))?(?: see (\S+))?$')
_ATTRIBUTE = re.compile(
    r'@(?P<name>\w+) +(?:'
    r'\[(?P<keywords>[^]]+)\](?P<several> \*)?'
    r'|-> (?P<target>@?\w+)(?P<many> \*)?'
    r'|(?P<kind>\w+)(?:\((?P<low>\d+|\*)(?:\.\.(?P<high>\d+))?\))?(?P<namespace> (?!required)\w+)?'
    r')(?P<required> required)?(?: = (?P<default>.*))?$'
)


class _Reader:
    """Builds the tree from the lines of a table, then resolves lines with `see`."""

    def __init__(self) -> None:
        self.attributes: dict[str, AttributeSpec] = {}
        self.see: list[tuple[ElementSpec, ElementSpec, str]] = []

    def element(self, line: str, parent: ElementSpec | None) -> ElementSpec:
        """Creates the spec of an element line, and adds it to its parent."""
        match = _ELEMENT.match(line)
        if not match:
            raise ValueError(f'not a line of a schema table: {line!r}')
        tag, mark, namespace, see = match.groups()
        spec = ElementSpec(tag, namespace, mark == '*', mark == '?')
        if parent:
            parent.children[tag] = spec
            if see:
                self.see.append((parent, spec, see))
        return spec

    def attribute(self, line: str) -> AttributeSpec:
        """Returns the attribute described by a line; equal lines share one object."""
        spec = self.attributes.get(line)
        if spec is None:
            spec = self.attributes[line] = attribute_of(line)
        return spec

    def resolve(self, root: ElementSpec) -> None:
        """Replaces each element with `see` by the referenced element."""
        for parent, spec, path in self.see:
            target = element_at(root, path)
            if (target.repeated, target.on_demand) != (spec.repeated, spec.on_demand):
                raise ValueError(f'{spec.name} has a different mark than {path} in its `see`')
            parent.children[spec.name] = target


def read_table(text: str) -> ElementSpec:
    """Returns the element of the first line, <mujoco>, with everything below it."""
    reader = _Reader()
    stack: list[ElementSpec] = []
    for line in text.splitlines():
        content = line.lstrip()
        if not content or content[0] == '#':
            continue
        depth = (len(line) - len(content)) // INDENT
        if content[0] == '@':
            spec = reader.attribute(content)
            stack[depth - 1].attributes[spec.name] = spec
        else:
            stack[depth:] = [reader.element(content, stack[depth - 1] if depth else None)]
    reader.resolve(stack[0])
    return stack[0]


def element_at(root: ElementSpec, path: str) -> ElementSpec:
    """Returns the element at a path such as `worldbody/body/geom`."""
    for tag in path.split('/'):
        root = root.children[tag]
    return root


def attribute_of(line: str) -> AttributeSpec:
    """Parses an attribute line such as `@rgba  real(4) = 0.5 0.5 0.5 1`."""
    match = _ATTRIBUTE.match(line)
    if not match:
        raise ValueError(f'not an attribute line of a schema table: {line!r}')
    part = match.groupdict()
    low, high = _numbers(part['low'], part['high'])
    namespace = part['target'] or (part['namespace'] or '').strip() or None
    return AttributeSpec(
        name=part['name'],
        kind=_kind(part),
        low=low,
        high=high,
        keywords=tuple((part['keywords'] or '').split()),
        namespace=namespace.replace('@', 'attribute:') if namespace else None,
        default=part['default'],
        required=bool(part['required']),
    )


def _kind(part: dict[str, str]) -> Kind:
    if part['keywords']:
        return 'keywords' if part['several'] else 'keyword'
    if part['target']:
        return 'references' if part['many'] else 'reference'
    return part['kind']  # type: ignore[return-value]


def _numbers(low: str | None, high: str | None) -> tuple[int, int | None]:
    if low == '*':
        return 0, None
    least = int(low or 1)
    return least, int(high) if high else least
