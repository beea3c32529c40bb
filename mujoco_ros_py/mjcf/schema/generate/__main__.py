"""Writes the table of the installed MuJoCo, and type hints for the newest table.

Run it with `python -m mujoco_ros_py.mjcf.schema.generate`.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import mujoco

from ..printed import printed_schema
from ..specs import AttributeSpec, ElementSpec
from ..table_reader import INDENT, read_table
from ..tables import TABLES, newest_table, version_of, version_written
from . import overlay
from .element_specs import Attributes, Tree
from .probing import Probe
from .reference_reader import Reference
from .stub import stub_text

HEAD = '# Written by `generate`, explained in table_reader.py. MJCF of MuJoCo'
DOCUMENTS = Path(mujoco.__file__).parent / 'doc'
STUB = TABLES.parents[1] / 'elements.pyi'
_WIDTH = 22


def generate(documents: Path) -> tuple[str, list[str]]:
    """Returns the table, and the undescribed attributes, which become strings in the table."""
    attributes = Attributes(Reference(documents), Probe(overlay.PROBE, overlay.PROBE_ALONG))
    root = Tree(attributes).build(printed_schema())
    return f'{HEAD} {mujoco.__version__}\n{table_text(root)}', attributes.left_out


def newest_stub() -> str:
    """Returns the stub of `elements` for the newest table."""
    table = newest_table().read_text()
    return stub_text(read_table(table), version_written(table))


def main() -> None:
    """Writes the files, and prints the undescribed attributes."""
    parser = argparse.ArgumentParser(
        prog='python -m mujoco_ros_py.mjcf.schema.generate', description=__doc__
    )
    parser.add_argument(
        '--documents',
        type=Path,
        default=DOCUMENTS,
        help='the folder of XMLreference.rst, if the wheel does not contain it',
    )
    text, left_out = generate(parser.parse_args().documents)
    path = TABLES / f'mujoco_{"_".join(map(str, version_of(mujoco.__version__)))}.txt'
    path.write_text(text)
    print(f'{path}: {len(text.splitlines())} lines')
    for name in left_out:
        print(f'{name}: not described anywhere, so it becomes a string')
    STUB.write_text(newest_stub())


def table_text(root: ElementSpec) -> str:
    """Returns the text of a table. If a spec occurs again, its line refers to the first place."""
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
        yield f'{indent}{" " * INDENT}{name:{_WIDTH}}{_attribute(attribute)}'
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


if __name__ == '__main__':
    main()
