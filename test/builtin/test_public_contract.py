"""The sensors that ship need nothing of the package but what plugins of users may import."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[2]
SENSORS = ROOT / 'mujoco_ros_py' / 'builtin' / 'sensors'


def public_modules() -> set[str]:
    """Returns the modules that the API reference lists."""
    pages = (ROOT / 'docs' / 'api').glob('*.rst')
    return set(re.findall(r'automodule:: (\S+)', ''.join(page.read_text() for page in pages)))


def imported(path: Path) -> Iterator[tuple[str, str]]:
    """Yields the module and the name of each import from another room than `builtin`."""
    package = ['mujoco_ros_py', *path.relative_to(ROOT / 'mujoco_ros_py').with_suffix('').parts]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            above = package[: -node.level] if node.level else []
            module = '.'.join([*above, *([node.module] if node.module else [])])
            room = module.split('.')[:2]
            if room[0] == 'mujoco_ros_py' and room[1:] != ['builtin']:
                yield from ((module, each.name) for each in node.names)


def test_sensors_that_ship_import_only_what_the_api_reference_lists():
    used = {each: path for path in SENSORS.rglob('*.py') for each in imported(path)}
    assert len(used) > 20
    public = public_modules()
    internal = {
        f'{path.relative_to(ROOT)}: {module}.{name}'
        for (module, name), path in used.items()
        if module not in public or not _has(module, name)
    }
    assert internal == set()


def _has(module: str, name: str) -> bool:
    """Returns whether a module offers a name: it is in `__all__`, or there is no such list."""
    there = import_module(module)
    return name in getattr(there, '__all__', [each for each in vars(there) if each[0] != '_'])
