"""Finds what a build needs: the tools, the generators, and the packages to build upon."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, distributions, version
from importlib.util import find_spec
from pathlib import Path

from .package import Package, depends, releases, wheel

# Both, as everywhere in ROS: without one, rmw_fastrtps complains about every type or refuses it.
TYPE_SUPPORTS = ['rosidl_typesupport_fastrtps_c', 'rosidl_typesupport_introspection_c']
GENERATORS = [
    'rosidl_adapter',
    'rosidl_generator_type_description',
    'rosidl_generator_c',
    *TYPE_SUPPORTS,
    'rosidl_typesupport_c',
    'rosidl_generator_py',
]
CC = shlex.split(os.environ.get('CC') or 'gcc')
CXX = shlex.split(os.environ.get('CXX') or 'g++')


def prefixes() -> list[Path]:
    """Returns the prefixes of ROS packages: first the sourced ones, then this environment."""
    sourced = os.environ.get('AMENT_PREFIX_PATH', '').split(os.pathsep)
    return [Path(prefix) for prefix in (*sourced, sys.prefix) if prefix]


def find(package: str, resource: str = 'packages') -> Path | None:
    """Returns the prefix that has the package, if its ament index lists it under the resource."""
    entry = Path('share', 'ament_index', 'resource_index', resource, package)
    return next((prefix for prefix in prefixes() if (prefix / entry).is_file()), None)


def dependencies(package: Package) -> dict[str, Path]:
    """Returns all packages whose types this one uses, even indirectly, with their prefixes."""
    found: dict[str, Path] = {}
    pending = list(package.depends)
    while pending:
        name = pending.pop()
        prefix = find(name, 'rosidl_interfaces')
        if prefix is not None and name not in found:
            found[name] = prefix
            pending += depends(prefix / 'share' / name / 'package.xml')
    return dict(sorted(found.items()))


def read(root: Path, release: str = '') -> Package:
    """Reads a package: a release, or else that of this environment's ROS distribution.

    If package.xml names releases but none of this distribution, the types there are unknown.
    """
    named, distribution = releases(root / 'package.xml'), _ros_distribution()
    package = Package.read(root, release or named.get(distribution, ''))
    known = release or not named or distribution in named
    return package if known else replace(package, unknown_to=distribution)


def pins(package: Package) -> list[str]:
    """Returns the wheels whose structs are compiled in; a ROS installation pins its own."""
    found = []
    for name in map(wheel, dependencies(package)):
        with suppress(PackageNotFoundError):
            found.append(f'{name}=={version(name)}')
    return found


def missing(package: Package) -> list[str]:
    """Returns what the package cannot be built without, each with how to install it."""
    if package.unknown_to:
        name = package.name.replace('_', '-')
        return [f"{package.unknown_to}'s own types (apt install ros-{package.unknown_to}-{name})"]
    return [*_missing_tools(), *_missing_packages(package)]


def _missing_tools() -> Iterator[str]:
    for compiler in (CC[0], CXX[0]):
        if not shutil.which(compiler):
            yield f'{compiler} (apt install {compiler})'
    if not Path(sysconfig.get_path('include'), 'Python.h').is_file():
        yield 'Python.h (apt install python3-dev)'


def _missing_packages(package: Package) -> Iterator[str]:
    distribution = _ros_distribution()
    if not all(find(name) and find_spec(name) for name in GENERATORS):
        rclpy = f'ros-{distribution}-rclpy[fastrtps]'
        yield f"ROS's generators (pip install '{rclpy}', and give pip --no-build-isolation)"
    else:
        for name in package.depends:
            if not find(name):
                yield f'{name} (pip install ros-{distribution}-{name.replace("_", "-")})'


def _ros_distribution() -> str:
    """Returns the distribution of the wheels (jazzy of ros-jazzy-rclpy), or the sourced one."""
    names = (str(found.metadata['Name']).split('-') for found in distributions())
    installed = (name[1] for name in names if name[::2] == ['ros', 'rclpy'])
    return next(installed, os.environ.get('ROS_DISTRO') or 'jazzy')
