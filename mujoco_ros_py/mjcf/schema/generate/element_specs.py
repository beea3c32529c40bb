"""Builds the tree of elements from the printed schema."""

from ..printed import NOT_IN_REPLICATE, NOT_IN_WORLD, Printed, without
from ..specs import ElementSpec
from . import overlay
from .attribute_specs import Attributes, namespace


class Tree:
    """Builds the specs of elements; elements that are equal in every respect share one spec."""

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
        """Adds the nested default classes, which need a name unlike the outermost one."""
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
