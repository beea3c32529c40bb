"""Runs ROS's generators, which convert .msg, .srv and .action files to C, C++ and Python."""

from __future__ import annotations

import json
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from .environment import TYPE_SUPPORTS, dependencies, find
from .package import Package
from .repeated_work import parse_once, scan_once

# The function of each generator, and its additional arguments.
_DESCRIPTIONS = 'rosidl_generator_type_description'
_FUNCTIONS: dict[str, tuple[str, list[Any]]] = {
    _DESCRIPTIONS: ('generate_type_hash', []),
    # The slowest generators come first.
    'rosidl_generator_py': ('generate_py', [['rosidl_typesupport_c']]),
    'rosidl_typesupport_fastrtps_c': ('generate_typesupport_fastrtps_c', []),
    'rosidl_generator_c': ('generate_c', []),
    'rosidl_typesupport_introspection_c': ('generate_c', []),
    'rosidl_typesupport_c': ('generate_c', [TYPE_SUPPORTS]),
}


def generate(package: Package, build: Path) -> None:
    """Runs all generators; each writes to `build/<generator>/<package>`."""
    parse_once()
    scan_once()
    idl = build / 'rosidl_adapter' / package.name
    for path in package.interfaces:
        import_module('rosidl_adapter').convert_to_idl(
            package.folder(path), package.name, path, idl
        )
    arguments = _arguments(package, build)
    _run(_DESCRIPTIONS, package, build, arguments)
    # Each generator runs in its own process, because templates are slow and state is global.
    with ProcessPoolExecutor(mp_context=get_context('fork')) as pool:
        others = [name for name in _FUNCTIONS if name != _DESCRIPTIONS]
        running = [pool.submit(_run, name, package, build, arguments) for name in others]
    for done in running:
        done.result()


def _run(generator: str, package: Package, build: Path, arguments: dict[str, Any]) -> None:
    templates = _resources(generator)
    output = build / generator / package.name
    (output / 'msg').mkdir(parents=True)
    file = build / f'{generator}.json'
    places = {'template_dir': str(templates), 'output_dir': str(output)}
    file.write_text(json.dumps(arguments | places))
    function, more = _FUNCTIONS[generator]
    getattr(import_module(generator), function)(str(file), *more)
    # In ROS, CMake writes this header. It belongs in msg/ even if the package has no messages.
    for header in templates.glob('*__visibility_control.h.in'):
        text = header.read_text().replace('@PROJECT_NAME@', package.name)
        text = text.replace('@PROJECT_NAME_UPPER@', package.name.upper())
        (output / 'msg' / header.stem).write_text(text)


def _resources(generator: str) -> Path:
    prefix = find(generator)
    assert prefix is not None  # already checked by `missing`
    return prefix / 'share' / generator / 'resource'


def _arguments(package: Package, build: Path) -> dict[str, Any]:
    """Returns the arguments that all generators share."""
    idl = build / 'rosidl_adapter' / package.name
    descriptions = build / _DESCRIPTIONS / package.name
    stems = [path.with_suffix('') for path in package.interfaces]
    return {
        'package_name': package.name,
        'idl_tuples': [f'{idl}:{stem}.idl' for stem in stems],
        'include_paths': [
            f'{name}:{prefix / "share" / name}' for name, prefix in dependencies(package).items()
        ],
        'type_description_tuples': [f'{stem}.idl:{descriptions / stem}.json' for stem in stems],
        'ros_interface_files': [str(package.folder(path) / path) for path in package.interfaces],
        'target_dependencies': [],
    }
