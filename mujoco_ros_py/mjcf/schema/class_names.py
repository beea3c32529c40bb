"""What the classes of elements are called, one by one and together."""

from .specs import ElementSpec

ROOT = 'Mujoco'
FRAME = 'AttachmentFrame'
_TAKEN = 'Element', FRAME
"""Names of classes that stand for no element of the schema."""


def class_names(root: ElementSpec) -> dict[str, ElementSpec]:
    """Each spec by the name of its class: the tag and, where that is taken, the parent before it.

    What is less deep comes first, the world before other sections, and defaults last: Geom is
    that of bodies, beside DefaultGeom and SpatialGeom.
    """
    names, taken = {root: ROOT}, {ROOT, *_TAKEN}
    _name(root, names, taken)
    world = root.children['worldbody']
    level = [world, world.children['body'], *sorted(root.children.values(), key=_is_default)]
    while level:
        level = [child for parent in level for child in _name(parent, names, taken)]
    return {name: spec for spec, name in names.items()}


def _is_default(section: ElementSpec) -> bool:
    return section.name == 'default'


def _name(
    parent: ElementSpec, names: dict[ElementSpec, str], taken: set[str]
) -> list[ElementSpec]:
    """Names the children of an element that have no name yet, and gives them."""
    children = [child for child in parent.children.values() if child not in names]
    for child in children:
        name = _capitalized(child.name)
        names[child] = names[parent] + name if name in taken else name
        taken.add(names[child])
    return children


def _capitalized(tag: str) -> str:
    return ''.join(map(str.capitalize, tag.split('_')))


def kinds(names: dict[str, ElementSpec]) -> dict[str, list[str]]:
    """The classes of the elements that `find` knows by each namespace."""
    found: dict[str, list[str]] = {}
    for name, spec in names.items():
        if spec.identifier and spec.namespace:
            found.setdefault(spec.namespace, []).append(name)
    return found


def targets(names: dict[str, ElementSpec]) -> dict[str, list[str]]:
    """The classes of what attributes may name, by the namespace of these names."""
    found, scopes = kinds(names), dict[str, list[str]]()
    found['body'] += ['Worldbody', FRAME]
    for name, spec in names.items():
        if spec.identifier and (scope := spec.attributes[spec.identifier].namespace):
            scopes.setdefault(scope, []).append(name)
    return {**scopes, **found}


def unions(names: dict[str, ElementSpec]) -> dict[str, list[str]]:
    """The classes that have a name together, such as AnyJoint."""
    several = {key: classes for key, classes in targets(names).items() if len(classes) > 1}
    return {union_name(namespace): classes for namespace, classes in several.items()}


def union_name(namespace: str) -> str:
    """What the classes of a namespace are called together."""
    return f'Any{_capitalized(namespace)}'
