"""The tree of elements, from what is printed."""

from ..printed import NOT_IN_REPLICATE, NOT_IN_WORLD, Printed, without
from ..specs import AttributeSpec, ElementSpec
from . import overlay
from .attributes import Attributes, namespace


class Tree:
    """Builds elements; those that are the same in every respect become one object."""

    def __init__(self, attributes: Attributes) -> None:
        self.attributes = attributes
        self.known: dict[object, ElementSpec] = {}

    def build(self, printed: Printed) -> ElementSpec:
        """The root."""
        root = ElementSpec('mujoco', 'mujoco')
        root.attributes.update(self.attributes.of('mujoco', printed.attributes or []))
        for tag, section in printed.children.items():
            if tag == 'body':
                root.children['worldbody'] = self._world(section)
            else:
                root.children[tag] = (
                    self._default(section)
                    if tag == 'default'
                    else self._element(section, tag, False)
                )
        return root

    def _element(self, printed: Printed, path: str, repeated: bool) -> ElementSpec:
        children = self._children(printed, path)
        attributes = self.attributes.of(path, printed.attributes or [])
        demanded = path in overlay.ON_DEMAND
        spec = ElementSpec(
            printed.tag, namespace(path), repeated and not demanded, demanded, attributes, children
        )
        return self.known.setdefault(_signature(spec), spec)

    def _children(self, printed: Printed, path: str) -> dict[str, ElementSpec]:
        return {
            tag: self._element(child, f'{path}/{tag}', child.mark in '*R')
            for tag, child in printed.children.items()
        }

    def _default(self, printed: Printed) -> ElementSpec:
        """The outermost class, with the classes inside, which need a name."""
        outer = self._element(printed, 'default', False)
        inner = ElementSpec('default', 'default', True)
        required = self.attributes.of('default/default', printed.attributes or [])
        inner.attributes.update(required)
        inner.children.update({'default': inner, **outer.children})
        outer.children['default'] = inner
        return outer

    def _world(self, printed: Printed) -> ElementSpec:
        inside = self._children(printed, 'body')
        body = ElementSpec(
            'body', 'body', True, False, self.attributes.of('body', printed.attributes or [])
        )
        frame = ElementSpec('frame', 'frame', True, False, self.attributes.frame())
        replicate = ElementSpec('replicate', 'replicate', True, False, self.attributes.replicate())
        inside.update(body=body, frame=frame, replicate=replicate)
        body.children.update(inside)
        frame.children.update(inside)
        replicate.children.update(without(inside, NOT_IN_REPLICATE))
        ordered = {'body': body, **inside}
        return ElementSpec('worldbody', 'worldbody', children=without(ordered, NOT_IN_WORLD))


def _signature(spec: ElementSpec) -> tuple[object, ...]:
    attributes: tuple[AttributeSpec, ...] = tuple(spec.attributes.values())
    children = tuple(id(child) for child in spec.children.values())
    return spec.name, spec.namespace, spec.repeated, spec.on_demand, attributes, children
