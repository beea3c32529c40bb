"""Merges the specs of a tag, as a schema cannot know where a partial file is included."""

from collections.abc import Iterable
from dataclasses import replace

from ...schema.specs import AttributeSpec, ElementSpec


def by_tag(specs: Iterable[ElementSpec]) -> dict[str, list[ElementSpec]]:
    """Groups specs by tag, such as the joints of bodies, defaults, equalities and tendons."""
    found: dict[str, list[ElementSpec]] = {}
    for spec in specs:
        found.setdefault(spec.name, []).append(spec)
    return found


def merged(specs: list[ElementSpec]) -> ElementSpec:
    """Returns an element that may be any of these; its children are those of all of them."""
    attributes: dict[str, AttributeSpec] = {}
    for spec in specs:
        for name, attribute in spec.attributes.items():
            attributes[name] = _either(attributes.get(name, attribute), attribute)
    for name, attribute in attributes.items():
        if not all(name in spec.attributes for spec in specs):
            attributes[name] = replace(attribute, required=False)
    children = {tag: child for spec in specs for tag, child in spec.children.items()}
    return ElementSpec(specs[0].name, attributes=attributes, children=children)


def _either(one: AttributeSpec, other: AttributeSpec) -> AttributeSpec:
    required = one.required and other.required
    alike = replace(one, default=other.default, required=other.required) == other
    kind = one if alike else AttributeSpec(one.name, 'string')
    return replace(kind, default=None, required=required)
