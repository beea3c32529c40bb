"""Lists the definitions of packages in `interfaces`, and the hashes of built and released
types."""

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
    """Returns a package of `interfaces` in the release for this environment's distribution."""
    sys.path.insert(0, str(ROOT / 'interfaces'))
    try:
        return import_module('rosidl_backend').read(source(package))
    finally:
        del sys.path[0]


def definitions(package: str) -> list[str]:
    """Returns the definition files of a package, relative to its folder."""
    return sorted(map(str, defined(package).interfaces))


def types(package: str) -> list[str]:
    """Returns the ROS names of the types that a package defines."""
    return [f'{package}/{Path(name).with_suffix("")}' for name in definitions(package)]


def lines(name: str) -> list[list[str]]:
    """Returns the words of each line of a file next to the tests."""
    return [line.split() for line in (HERE / name).read_text().splitlines()]


def built_hashes(package: str) -> dict[str, str]:
    """Returns the hash of each built type; hashes of services and actions cover their parts."""
    return hashes(package, Path(get_package_share_directory(package)).parent)


def hashes(package: str, share: Path) -> dict[str, str]:
    """Returns the hashes of the types that were built into another folder."""
    found = {}
    for name in types(package):
        known = json.loads((share / f'{name}.json').read_text())['type_hashes']
        found[name] = next(h['hash_string'] for h in known if h['type_name'] == name)
    return found
