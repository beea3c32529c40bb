"""The build hooks that pip calls in the folder of a package (PEP 517)."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from .compiler import compile_libraries
from .environment import find, missing, read
from .generators import generate
from .package import Package
from .wheel import write_metadata, write_wheel

Settings = Mapping[str, Any] | None


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    """Returns no requirements, because a wheel must run with the versions it was built with."""
    return []


def prepare_metadata_for_build_wheel(folder: str, config_settings: Settings = None) -> str:
    """Writes the metadata, which tells pip the requirements without a build."""
    return write_metadata(_package(config_settings), Path(folder))


def build_wheel(
    folder: str, config_settings: Settings = None, metadata_directory: str | None = None
) -> str:
    """Generates the code, compiles it, and packs the wheel; removes all other files."""
    package = _package(config_settings)
    with TemporaryDirectory() as build:
        generate(package, Path(build))
        compile_libraries(package, Path(build))
        return write_wheel(package, Path(build), Path(folder))


def _package(settings: Settings) -> Package:
    """Returns the package; exits with a one-line message if the package cannot be built.

    The setting `release` selects a release: `pip wheel --config-settings release=2.1.0`.
    """
    try:
        package = read(Path.cwd(), (settings or {}).get('release', ''))
    except ValueError as error:
        raise SystemExit(str(error)) from None
    prefix = find(package.name)
    if prefix and not prefix.samefile(sys.prefix):
        raise SystemExit(f'{package.name} is already in {prefix}; this build would hide it')
    if lacking := missing(package):
        raise SystemExit(f'{package.name} cannot be built without {", ".join(lacking)}')
    return package
