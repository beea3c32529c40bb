"""The functions that pip calls in the folder of the package to build (PEP 517)."""

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
    """Returns no requirements, as a wheel must be built with the versions that it runs with."""
    return []


def prepare_metadata_for_build_wheel(folder: str, config_settings: Settings = None) -> str:
    """Writes the metadata, so that pip need not build to learn the wheel's requirements."""
    return write_metadata(_package(config_settings), Path(folder))


def build_wheel(
    folder: str, config_settings: Settings = None, metadata_directory: str | None = None
) -> str:
    """Generates, compiles and packs; only the wheel is kept."""
    package = _package(config_settings)
    with TemporaryDirectory() as build:
        generate(package, Path(build))
        compile_libraries(package, Path(build))
        return write_wheel(package, Path(build), Path(folder))


def _package(settings: Settings) -> Package:
    """Returns the package; ends with one line if it cannot be built, instead of a traceback.

    The setting `release` chooses a release; pip takes it by `--config-settings release=2.1.0`.
    """
    try:
        package = read(Path.cwd(), (settings or {}).get('release', ''))
    except ValueError as error:
        raise SystemExit(str(error)) from None
    prefix = find(package.name)
    if prefix and not prefix.samefile(sys.prefix):
        raise SystemExit(f'{package.name} is there already, in {prefix}: this one would hide it')
    if lacking := missing(package):
        raise SystemExit(f'{package.name} cannot be built without {", ".join(lacking)}')
    return package
