"""Attributes as MuJoCo's documentation describes them, in the `doc` folder of its wheel."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from ..specs import AttributeSpec

_ANCHOR = re.compile(r'\.\. _([\w-]+):$')
_NAME = re.compile(r':at:`(\w+)`')
_VALUE = re.compile(r':at-val:`([^`]+)`|: (string, \w+)$')
_TYPE = re.compile(
    r'(?P<kind>int|real|string|bool|\(any element type that can be named\))'
    r'(?:\((?P<length>.+?)\))?(?:,|$)|\[(?P<keywords>.*?)\]'
)
_DEFAULT = re.compile(r'"(.*?)"')


class Reference:
    """What XMLreference.rst and modeling.rst of a folder say of attributes."""

    def __init__(self, folder: Path) -> None:
        self.anchored: dict[str, AttributeSpec] = {}
        """By anchors such as `body-joint-pos` or, of a nested element, `spatial-site-site`."""
        self.shared: dict[str, AttributeSpec] = {}
        """By name: what modeling.rst says once for many elements."""
        for anchors, spec in _described((folder / 'XMLreference.rst').read_text()):
            self.anchored.update(dict.fromkeys(anchors, spec))
        for _, spec in _described((folder / 'modeling.rst').read_text()):
            self.shared[spec.name] = spec

    def find(self, path: str, name: str) -> AttributeSpec | None:
        """The description under the element's own anchor; shorter anchors leave parents out."""
        tags = path.split('/')
        for start in range(len(tags)):
            spec = self.anchored.get('-'.join([*tags[start:], name]))
            if spec:
                return replace(spec, name=name)
        return None


def _described(text: str) -> Iterator[tuple[list[str], AttributeSpec]]:
    """The anchors right above an attribute's line, and what the line says."""
    anchors: list[str] = []
    for line in text.splitlines():
        anchor = _ANCHOR.match(line)
        if anchor:
            anchors.append(anchor[1])
        elif line.strip():
            value = _VALUE.search(line)
            if value and line.startswith(':at:'):
                yield anchors, described_as(_NAME.findall(line)[0], value[1] or value[2])
            anchors = []


def described_as(name: str, text: str) -> AttributeSpec:
    """What a description such as `real(3), "0 0 0"` says."""
    match = _TYPE.match(text)
    if not match:
        raise ValueError(f'{name} is described as {text!r}: no type that is known here')
    low, high = _length(match['kind'], match['length'])
    keywords = match['keywords']
    if match['kind'] == 'bool':
        keywords = 'false, true'
    return AttributeSpec(
        name,
        kind='keyword' if keywords else match['kind'] if high != 1 or low != 1 else _kind(match),
        low=low,
        high=high,
        keywords=tuple(re.split(r'[,\s]+', keywords)) if keywords else (),
        default=_default(text),
        required='required' in text.partition(',')[2].split(),
    )


def _kind(match: re.Match[str]) -> str:
    return match['kind'] if match['kind'] in ('int', 'real') else 'string'


def _length(kind: str | None, text: str | None) -> tuple[int, int | None]:
    """`3` is three numbers, `1 or 3` one to three, and anything else, as `3*nvert`, any number."""
    if kind not in ('int', 'real') or text is None:
        return 1, 1
    if re.fullmatch(r'\d+( or \d+)?', text):
        numbers = [int(number) for number in text.split(' or ')]
        return numbers[0], numbers[-1]
    return 0, None


def _default(text: str) -> str | None:
    match = _DEFAULT.search(text)
    return match[1] if match and ' ...' not in match[1] else None
