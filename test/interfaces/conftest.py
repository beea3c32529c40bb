"""Fixtures for tests with built packages, and with nodes as in the system tests."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

import pytest

# Without multicast (containers, CI), discovery would otherwise take seconds.
os.environ.setdefault('ROS_AUTOMATIC_DISCOVERY_RANGE', 'LOCALHOST')

from system.conftest import domain

from .definitions import defined

__all__ = ['built', 'domain']


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Distribution]:
    """Returns a function that returns a built package of `interfaces`, or skips the test."""
    monkeypatch.setenv('AMENT_PREFIX_PATH', sys.prefix)

    def find(package: str) -> Distribution:
        wanted = defined(package)
        try:
            found = distribution(wanted.wheel)
        except PackageNotFoundError:
            pytest.skip(f'{package} was not built in this environment')
        said = 'another source was built: run interfaces/install.py'
        assert found.version == wanted.version, said
        where = Path(str(found.locate_file(''))).parents[2]
        monkeypatch.setenv('AMENT_PREFIX_PATH', os.pathsep.join([str(where), sys.prefix]))
        return found

    return find
