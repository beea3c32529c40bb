"""Finds the tools, generators and ROS packages that a build needs."""

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

# Needs both: if either is missing, rmw_fastrtps warns about every type or rejects it.
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
    """Returns the prefixes of ROS packages: first sourced workspaces, then this environment."""
    sourced = os.environ.get('AMENT_PREFIX_PATH', '').split(os.pathsep)
    return [Path(prefix) for prefix in (*sourced, sys.prefix) if prefix]


def find(package: str, resource: str = 'packages') -> Path | None:
    """Returns the first prefix whose ament index lists the package under the resource, or None."""
    entry = Path('share', 'ament_index', 'resource_index', resource, package)
    return next((prefix for prefix in prefixes() if (prefix / entry).is_file()), None)


def dependencies(package: Package) -> dict[str, Path]:
    """Returns the direct and indirect interface dependencies of a package, with their prefixes."""
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
    """Reads a package: the given release, or the release for this environment's ROS distribution.

    Sets `unknown_to` if package.xml lists releases, but has no release for this distribution.
    """
    named, distribution = releases(root / 'package.xml'), _ros_distribution()
    package = Package.read(root, release or named.get(distribution, ''))
    known = release or not named or distribution in named
    return package if known else replace(package, unknown_to=distribution)


def pins(package: Package) -> list[str]:
    """Returns requirements that pin the wheels whose structs are compiled into the package.

    Skips packages from a ROS installation, which manages its own versions.
    """
    found = []
    for name in map(wheel, dependencies(package)):
        with suppress(PackageNotFoundError):
            found.append(f'{name}=={version(name)}')
    return found


def missing(package: Package) -> list[str]:
    """Returns the missing requirements of a build, each with a command to install it."""
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
        yield f"ROS's generators (pip install '{rclpy}', and run pip with --no-build-isolation)"
    else:
        for name in package.depends:
            if not find(name):
                yield f'{name} (pip install ros-{distribution}-{name.replace("_", "-")})'


def _ros_distribution() -> str:
    """Returns the ROS distribution of the wheels (ros-jazzy-rclpy: jazzy), or $ROS_DISTRO."""
    names = (str(found.metadata['Name']).split('-') for found in distributions())
    installed = (name[1] for name in names if name[::2] == ['ros', 'rclpy'])
    return next(installed, os.environ.get('ROS_DISTRO') or 'jazzy')
