"""Writes the table of the installed MuJoCo, and the type hints of the newest table.

The command is `python -m mujoco_ros_py.mjcf.schema.generate`.
"""

import argparse
from pathlib import Path

import mujoco

from ..printed import printed_schema
from ..table_reader import read_table
from ..tables import TABLES, newest_table, version_of, version_written
from . import overlay
from .attribute_specs import Attributes
from .element_specs import Tree
from .probing import Probe
from .reference_reader import Reference
from .stub import stub_text
from .table_writer import table_text

HEAD = '# Written by `generate`, explained in table_reader.py. MJCF of MuJoCo'
DOCUMENTS = Path(mujoco.__file__).parent / 'doc'
STUB = Path(__file__).parents[2] / 'elements.pyi'


def generate(documents: Path) -> tuple[str, list[str]]:
    """Returns the table, and the attributes that nothing describes, which are strings in it."""
    attributes = Attributes(Reference(documents), Probe(overlay.PROBE, overlay.PROBE_ALONG))
    root = Tree(attributes).build(printed_schema())
    return f'{HEAD} {mujoco.__version__}\n{table_text(root)}', attributes.left_out


def newest_stub() -> str:
    """Returns the stub of `elements` for the newest table."""
    table = newest_table().read_text()
    return stub_text(read_table(table), version_written(table))


def main() -> None:
    """Writes the files, and prints the attributes that nothing describes."""
    parser = argparse.ArgumentParser(
        prog='python -m mujoco_ros_py.mjcf.schema.generate', description=__doc__
    )
    parser.add_argument(
        '--documents',
        type=Path,
        default=DOCUMENTS,
        help='the folder of XMLreference.rst, if the wheel has none',
    )
    text, left_out = generate(parser.parse_args().documents)
    path = TABLES / f'mujoco_{"_".join(map(str, version_of(mujoco.__version__)))}.txt'
    path.write_text(text)
    print(f'{path}: {len(text.splitlines())} lines')
    for name in left_out:
        print(f'{name}: described nowhere, so it is a string')
    STUB.write_text(newest_stub())


if __name__ == '__main__':
    main()
