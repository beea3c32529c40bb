"""Fixtures with packages that are edited after they were imported."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from .edited_package import EditedPackage
from .edited_site import Site


@pytest.fixture
def robot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[EditedPackage]:
    monkeypatch.syspath_prepend(tmp_path)
    yield (package := EditedPackage(tmp_path))
    package.forget()


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.syspath_prepend(tmp_path)
    yield Site(tmp_path)
    for name in [name for name in sys.modules if name.startswith('edited_')]:
        del sys.modules[name]
