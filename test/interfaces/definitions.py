"""What packages of `interfaces` define, what was built of it, and what releases of them have."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from ament_index_python import get_package_share_directory

from .processes import ROOT

HERE = Path(__file__).parent


def source(package: str) -> Path:
    return ROOT / 'interfaces' / package


def defined(package: str) -> Any:
    """Returns what `interfaces` defines of a package for this environment's distribution."""
    sys.path.insert(0, str(ROOT / 'interfaces'))
    try:
        return import_module('rosidl_backend').read(source(package))
    finally:
        del sys.path[0]


def definitions(package: str) -> list[str]:
    """Returns the files that define types, relative to the folder of the package."""
    return sorted(map(str, defined(package).interfaces))


def types(package: str) -> list[str]:
    """Returns the names of the types that are defined, as ROS writes them."""
    return [f'{package}/{Path(name).with_suffix("")}' for name in definitions(package)]


def lines(name: str) -> list[list[str]]:
    """Returns the words of each line of a file beside the tests."""
    return [line.split() for line in (HERE / name).read_text().splitlines()]


def built_hashes(package: str) -> dict[str, str]:
    """Returns the hash of each type; that of a service or an action covers what belongs to it."""
    return hashes(package, Path(get_package_share_directory(package)).parent)


def hashes(package: str, share: Path) -> dict[str, str]:
    """Returns the same for what was built into another folder."""
    found = {}
    for name in types(package):
        known = json.loads((share / f'{name}.json').read_text())['type_hashes']
        found[name] = next(h['hash_string'] for h in known if h['type_name'] == name)
    return found
