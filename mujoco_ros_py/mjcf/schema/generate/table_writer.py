"""Writes the text of a table, whose format `table_reader` describes."""

from collections.abc import Iterator

from ..specs import AttributeSpec, ElementSpec
from ..table_reader import INDENT

WIDTH = 22


def table_text(root: ElementSpec) -> str:
    """Returns the lines of a table; a line for a repeated element refers to its first place."""
    return '\n'.join(_element(root, (), {})) + '\n'


def _element(spec: ElementSpec, parents: tuple[str, ...], places: dict[int, str]) -> Iterator[str]:
    indent = ' ' * INDENT * len(parents)
    head = f'{indent}{spec.name} {_mark(spec)}'
    if id(spec) in places:
        yield f'{head} see {places[id(spec)]}'
        return
    path = (*parents, spec.name)
    places[id(spec)] = '/'.join(path[1:])
    yield f'{head}: {spec.namespace}' if spec.namespace else head
    for attribute in spec.attributes.values():
        name = f'@{attribute.name}'
        yield f'{indent}{" " * INDENT}{name:{WIDTH}}{_attribute(attribute)}'
    for child in spec.children.values():
        yield from _element(child, path, places)


def _mark(spec: ElementSpec) -> str:
    return '*' if spec.repeated else '?' if spec.on_demand else '!'


def _attribute(spec: AttributeSpec) -> str:
    required = ' required' if spec.required else ''
    default = '' if spec.default is None else f' = {spec.default}'
    return _type(spec) + required + default


def _type(spec: AttributeSpec) -> str:
    namespace = (spec.namespace or '').replace('attribute:', '@')
    several = ' *' if spec.kind in ('keywords', 'references') else ''
    if spec.keywords:
        return f'[{" ".join(spec.keywords)}]{several}'
    if spec.kind in ('reference', 'references'):
        return f'-> {namespace}{several}'
    return spec.kind + _numbers(spec) + (f' {namespace}' if namespace else '')


def _numbers(spec: AttributeSpec) -> str:
    if spec.low == spec.high:
        return '' if spec.high == 1 else f'({spec.high})'
    if spec.high is None:
        return '(*)'
    return f'({spec.low}..{spec.high})'
