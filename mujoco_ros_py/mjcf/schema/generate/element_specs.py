"""Builds the tree of elements from the printed schema."""

import math
import re
from dataclasses import replace

from ..printed import NOT_IN_REPLICATE, NOT_IN_WORLD, Printed, without
from ..specs import AttributeSpec, ElementSpec
from . import overlay
from .probing import Probe
from .reference_reader import Reference, described_as


class Attributes:
    """Creates attribute specs; `left_out` collects attributes without a description."""

    def __init__(self, reference: Reference, probe: Probe) -> None:
        self.reference = reference
        self.probe = probe
        self.left_out: list[str] = []

    def of(self, path: str, names: list[str]) -> dict[str, AttributeSpec]:
        """Returns the attributes of an element, such as `body/geom`, in the reference's order."""
        required = self.probe.required(path)
        ordered = sorted(names, key=lambda name: self._place(path, name))
        return {name: self._make(path, name, name in required) for name in ordered}

    def _place(self, path: str, name: str) -> tuple[bool, bool, float]:
        places = (self.reference.place(other, name) for other in _places(path))
        place = next((p for p in places if p is not None), math.inf)
        return name != 'name', name != 'class', place

    def frame(self) -> list[str]:
        """Returns the attributes of frame; includes the scales only if the parser accepts them."""
        scales = (name for name in overlay.FRAME_SCALE if self.probe.kind('frame', name))
        return [*overlay.FRAME, *scales]

    def _make(self, path: str, name: str, required: bool) -> AttributeSpec:
        spec = self._described(path, name) or self._probed(path, name)
        spec = self._numbers(path, self._words(path, spec))
        required = required or f'{path}/{name}' in overlay.REQUIRED
        return _named(path, replace(spec, required=required))

    def _described(self, path: str, name: str) -> AttributeSpec | None:
        found = (self.reference.find(place, name) for place in _places(path))
        for spec in (_in_prose(path, name), *found, self.reference.shared.get(name)):
            if spec:
                return replace(spec, name=name)
        return None

    def _probed(self, path: str, name: str) -> AttributeSpec:
        kind = self.probe.kind(path, name)
        if kind == 'int' or kind == 'real':
            return AttributeSpec(name, kind, 0, None)
        self.left_out.append(f'{path}@{name}' + (f' ({kind})' if kind else ''))
        return AttributeSpec(name, 'string')

    def _words(self, path: str, spec: AttributeSpec) -> AttributeSpec:
        words = (*spec.keywords, *overlay.EXTRA_WORDS.get(f'{path}/{spec.name}', ()))
        taken = tuple(word for word in words if not self.probe.refuses(path, spec.name, word))
        if '/'.join([*path.split('/')[-1:], spec.name]) in overlay.SEVERAL_KEYWORDS:
            return replace(spec, keywords=taken, kind='keywords')
        if taken and all(word.isdigit() for word in taken):
            return AttributeSpec(spec.name, 'int')
        default = spec.default if not taken or spec.default in taken else None
        return replace(spec, keywords=taken, default=default)

    def _numbers(self, path: str, spec: AttributeSpec) -> AttributeSpec:
        """Replaces the documented kind and lengths of numbers by those that the parser accepts."""
        kind = self.probe.kind(path, spec.name) if spec.kind in ('int', 'real') else None
        if not kind:
            return spec
        low, high = self.probe.lengths(path, spec.name, max(16, spec.high or 0))
        spec = replace(spec, low=0 if high is None else low, high=high)
        fits = high is None or len((spec.default or '').split()) <= high
        return replace(
            spec,
            kind='int' if kind == 'int' else spec.kind,
            default=spec.default if fits else None,
        )


def _in_prose(path: str, name: str) -> AttributeSpec | None:
    for pattern, text in overlay.DESCRIBED.items():
        if re.search(pattern, f'{path}/{name}'):
            return described_as(name, text)
    return None


def _places(path: str) -> tuple[str, ...]:
    """Returns the paths under which the reference can describe attributes of the element."""
    section, _, tag = path.partition('/')
    places = [path]
    if section == 'default' and tag:
        places += [f'{main}/{tag}' for main in ('body', 'asset', 'actuator')]
        section = 'actuator'
    return (*places, *overlay.ALIKE.get(path, ()), *overlay.ALIKE_BELOW.get(section, ()))


def _named(path: str, spec: AttributeSpec) -> AttributeSpec:
    """Decides whether a string is a name, a reference or a file, and adds its namespace."""
    tag = path.rpartition('/')[2]
    if spec.kind != 'string' or f'{tag}/{spec.name}' in overlay.STRINGS:
        return spec
    if spec.name == 'name' or f'{path}/{spec.name}' in overlay.IDENTIFIERS:
        return replace(
            spec, kind='identifier', namespace=overlay.UNIQUE.get(path, namespace(path))
        )
    if f'{path}/{spec.name}' in overlay.SEVERAL_REFERENCES:
        target = overlay.SEVERAL_REFERENCES[f'{path}/{spec.name}']
        return replace(spec, kind='references', namespace=target)
    if spec.name in overlay.PATHS:
        return replace(spec, kind='path')
    if spec.name.startswith('file'):
        return replace(spec, kind='file', namespace=overlay.FILES.get(path, 'meshdir'))
    if spec.name in overlay.REFERENCES:
        return replace(spec, kind='reference', namespace=overlay.REFERENCES[spec.name])
    return spec


def namespace(path: str) -> str:
    """Returns the namespace in `find` for the element at a path, if it has a name."""
    section, *inside = path.split('/')
    if len(inside) == 1 and section in overlay.ONE_NAMESPACE:
        return section
    return overlay.OTHER_NAMESPACES.get(path, path.rpartition('/')[2])


class Tree:
    """Builds the specs of elements; identical elements share one spec."""

    def __init__(self, attributes: Attributes) -> None:
        self.attributes = attributes
        self.known: dict[object, ElementSpec] = {}

    def build(self, printed: Printed) -> ElementSpec:
        """Builds the tree and returns its root."""
        root = self._bare('mujoco', printed.attributes)
        for tag, section in printed.children.items():
            if tag == 'body':
                root.children['worldbody'] = self._world(section)
            else:
                root.children[tag] = self._element(section, tag, repeated=False)
        self._nest(root.children['default'], printed.children['default'])
        return root

    def _bare(
        self,
        path: str,
        names: list[str] | None,
        repeated: bool = False,
        on_demand: bool = False,
    ) -> ElementSpec:
        """Returns the spec of an element without its children."""
        attributes = self.attributes.of(path, names or [])
        named = any(spec.kind == 'identifier' for spec in attributes.values())
        tag = path.rpartition('/')[2]
        found_by = namespace(path) if named else None
        return ElementSpec(tag, found_by, repeated, on_demand, attributes)

    def _element(self, printed: Printed, path: str, repeated: bool) -> ElementSpec:
        on_demand = path in overlay.ON_DEMAND
        spec = self._bare(path, printed.attributes, repeated and not on_demand, on_demand)
        spec.children.update(self._children(printed, path))
        return self.known.setdefault(_signature(spec), spec)

    def _children(self, printed: Printed, path: str) -> dict[str, ElementSpec]:
        return {
            tag: self._element(child, f'{path}/{tag}', child.mark in '*R')
            for tag, child in printed.children.items()
        }

    def _nest(self, outer: ElementSpec, printed: Printed) -> None:
        """Adds the nested default classes; unlike the outermost default they require a name."""
        inner = self._bare('default/default', printed.attributes, repeated=True)
        inner.children.update({'default': inner, **outer.children})
        outer.children['default'] = inner

    def _world(self, printed: Printed) -> ElementSpec:
        body = self._bare('body', printed.attributes, repeated=True)
        frame = self._bare('frame', self.attributes.frame(), repeated=True)
        replicate = self._bare('replicate', list(overlay.REPLICATE), repeated=True)
        inside = self._children(printed, 'body')
        inside.update(body=body, frame=frame, replicate=replicate)
        body.children.update(inside)
        frame.children.update(inside)
        replicate.children.update(without(inside, NOT_IN_REPLICATE))
        world = without({'body': body, **inside}, NOT_IN_WORLD)
        return ElementSpec('worldbody', children=world)


def _signature(spec: ElementSpec) -> tuple[object, ...]:
    attributes = tuple(spec.attributes.values())
    children = tuple(id(child) for child in spec.children.values())
    return spec.name, spec.namespace, spec.repeated, spec.on_demand, attributes, children
