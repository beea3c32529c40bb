"""Writes the table of the installed MuJoCo: python -m mujoco_ros_py.mjcf.schema.generate."""

import argparse
from pathlib import Path

import mujoco

from ..printed import printed_schema
from ..tables import TABLES, version_of
from . import overlay
from .attributes import Attributes
from .probing import Probe
from .reference import Reference
from .tree import Tree
from .writing import table_text

HEAD = '# Written by `generate`, explained in reading.py. MJCF of MuJoCo'
DOCUMENTS = Path(mujoco.__file__).parent / 'doc'


def generate(documents: Path) -> tuple[str, list[str]]:
    """The table, and the attributes that nothing describes, which are strings in it."""
    attributes = Attributes(Reference(documents), Probe(overlay.PROBE, overlay.PROBE_ALONG))
    root = Tree(attributes).build(printed_schema())
    return f'{HEAD} {mujoco.__version__}\n{table_text(root)}', attributes.left_out


def main() -> None:
    """Writes the file and prints what could not be found out."""
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


if __name__ == '__main__':
    main()
