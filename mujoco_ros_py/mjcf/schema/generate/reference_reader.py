"""Reads attribute descriptions from the reference in the `doc` folder of MuJoCo's wheel.

This is a parser of our own: docutils does not know the roles and directives in MuJoCo's pages.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from ..specs import AttributeSpec, Kind

_ANCHOR = re.compile(r'\.\. _([\w-]+):$')
_ANCHORS = re.compile(_ANCHOR.pattern, re.MULTILINE)
_NAME = re.compile(r':at:`(\w+)`')
_VALUE = re.compile(r':at-val:`([^`]+)`|: (string, \w+)$')
_TYPE = re.compile(
    r'(?P<kind>int|real|string|bool|\(any element type that can be named\))'
    r'(?:\((?P<length>.+?)\))?(?:,|$)|\[(?P<keywords>.*?)\]'
)
_DEFAULT = re.compile(r'"(.*?)"')


class Reference:
    """The attribute descriptions in XMLreference.rst and modeling.rst of a folder."""

    def __init__(self, folder: Path) -> None:
        self.anchored: dict[str, AttributeSpec] = {}
        """The attributes by anchor, such as `body-joint-pos` or, if nested,
        `spatial-site-site`."""
        self.shared: dict[str, AttributeSpec] = {}
        """Attributes that modeling.rst describes once for many elements, by name."""
        text = (folder / 'XMLreference.rst').read_text()
        self.order = {anchor: place for place, anchor in enumerate(_ANCHORS.findall(text))}
        for anchors, spec in _described(text):
            self.anchored.update(dict.fromkeys(anchors, spec))
        for _, spec in _described((folder / 'modeling.rst').read_text()):
            self.shared[spec.name] = spec

    def find(self, path: str, name: str) -> AttributeSpec | None:
        """Returns the description under the element's own anchor, or None."""
        found = (self.anchored.get(anchor) for anchor in _anchors(path, name))
        return next((replace(spec, name=name) for spec in found if spec), None)

    def place(self, path: str, name: str) -> int | None:
        """Returns the position of the attribute's anchor in the reference, for sorting."""
        found = (self.order.get(anchor) for anchor in _anchors(path, name))
        return next((place for place in found if place is not None), None)


def _anchors(path: str, name: str) -> Iterator[str]:
    """Yields `body-joint-pos`, and anchors that omit parents, such as `spatial-site-site`."""
    tags = path.split('/')
    return ('-'.join([*tags[start:], name]) for start in range(len(tags)))


def _described(text: str) -> Iterator[tuple[list[str], AttributeSpec]]:
    """Yields, for each attribute, the anchors directly above its line and the spec in the line."""
    anchors: list[str] = []
    for line in text.splitlines():
        anchor = _ANCHOR.match(line)
        if anchor:
            anchors.append(anchor[1])
        elif line.strip():
            value = _VALUE.search(line) if line.startswith(':at:') else None
            names = _NAME.findall(line)
            if value:
                own = [a for a in anchors if a.rpartition('-')[2] in names]
                yield own, described_as(names[0], value[1] or value[2])
            anchors = []


def described_as(name: str, text: str) -> AttributeSpec:
    """Parses a description such as `real(3), "0 0 0"`."""
    match = _TYPE.match(text)
    if not match:
        raise ValueError(f'{name} is described as {text!r}, which has no known type')
    keywords = 'false, true' if match['kind'] == 'bool' else match['keywords']
    low, high = _length(match['kind'], match['length'])
    return AttributeSpec(
        name,
        'keyword' if keywords else _kind(match['kind']),
        low,
        high,
        keywords=tuple(re.split(r'[,\s]+', keywords)) if keywords else (),
        default=_default(text),
    )


def _kind(text: str) -> Kind:
    """Returns int, real or string; the overlay decides which strings name elements."""
    return 'int' if text == 'int' else 'real' if text == 'real' else 'string'


def _length(kind: str | None, text: str | None) -> tuple[int, int | None]:
    """Parses the limits of a length: (3, 3) for `3`, (1, 3) for `1 or 3`, unlimited otherwise."""
    if kind not in ('int', 'real') or text is None:
        return 1, 1
    if re.fullmatch(r'\d+( or \d+)?', text):
        numbers = [int(number) for number in text.split(' or ')]
        return numbers[0], numbers[-1]
    return 0, None


def _default(text: str) -> str | None:
    match = _DEFAULT.search(text)
    return match[1] if match and ' ...' not in match[1] else None
