"""Fixtures with a package that is edited while a session runs its plugins."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .edited_package import EditedPackage


@pytest.fixture
def robot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[EditedPackage]:
    monkeypatch.syspath_prepend(tmp_path)
    yield (package := EditedPackage(tmp_path))
    package.forget()
