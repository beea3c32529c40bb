"""The names of element classes and of their unions."""

from .specs import ElementSpec

ROOT = 'Mujoco'
FRAME = 'AttachmentFrame'
_TAKEN = 'Element', FRAME
"""Class names that do not belong to an element of the schema."""


def class_names(root: ElementSpec) -> dict[str, ElementSpec]:
    """Returns the specs by class name.

    A class is named after its tag, with the parent's name in front if another class already has
    this name. Names are assigned from the top of the tree down, the world first and defaults last.
    Therefore Geom is the geom of bodies, and others are DefaultGeom and SpatialGeom.
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
    """Names the still unnamed children of an element, and returns them."""
    children = [child for child in parent.children.values() if child not in names]
    for child in children:
        name = _capitalized(child.name)
        names[child] = names[parent] + name if name in taken else name
        taken.add(names[child])
    return children


def _capitalized(tag: str) -> str:
    return ''.join(map(str.capitalize, tag.split('_')))


def kinds(names: dict[str, ElementSpec]) -> dict[str, list[str]]:
    """Maps each namespace of `find` to the names of its element classes."""
    found: dict[str, list[str]] = {}
    for name, spec in names.items():
        if spec.identifier and spec.namespace:
            found.setdefault(spec.namespace, []).append(name)
    return found


def targets(names: dict[str, ElementSpec]) -> dict[str, list[str]]:
    """Maps each namespace that a reference can have to the names of its element classes."""
    found, scopes = kinds(names), dict[str, list[str]]()
    found['body'] += ['Worldbody', FRAME]
    for name, spec in names.items():
        if spec.identifier and (scope := spec.attributes[spec.identifier].namespace):
            scopes.setdefault(scope, []).append(name)
    return {**scopes, **found}


def unions(names: dict[str, ElementSpec]) -> dict[str, list[str]]:
    """Maps the name of each union, such as AnyJoint, to the names of its classes."""
    several = {key: classes for key, classes in targets(names).items() if len(classes) > 1}
    return {union_name(namespace): classes for namespace, classes in several.items()}


def union_name(namespace: str) -> str:
    """Returns the name of the union of a namespace's classes."""
    return f'Any{_capitalized(namespace)}'
