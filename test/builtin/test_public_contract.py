"""Shipped plugins import only what plugins of users can import too."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[2]
BUILTIN = ROOT / 'mujoco_ros_py' / 'builtin'
SENSORS = BUILTIN / 'sensors'
OF_THE_HOST = {
    'recordings/recorded_plugins.py: mujoco_ros_py.plugins.host.plugin_types.known_types'
}
"""Exception: a recording stores the plugins' types, which only the host knows."""


def public_modules() -> set[str]:
    """Returns the modules that the API reference lists."""
    pages = (ROOT / 'docs/reference/api').glob('*.rst')
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


def test_plugins_that_ship_have_the_contract_of_plugins_of_users():
    public = public_modules()
    internal = {
        f'{path.relative_to(BUILTIN)}: {module}.{name}'
        for path in BUILTIN.rglob('*.py')
        for module, name in imported(path)
        if module.startswith('mujoco_ros_py.plugins')
        and not (module in public and _has(module, name))
    }
    assert internal == OF_THE_HOST


def _has(module: str, name: str) -> bool:
    """Returns whether a module exports a name: in `__all__`, or without an `__all__`."""
    there = import_module(module)
    return name in getattr(there, '__all__', [each for each in vars(there) if each[0] != '_'])
