"""Fixtures that call commands as functions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from mujoco_ros_py.mjcf.tools.commands import run as main

MODEL = '<mujoco>\n  <worldbody>\n    <geom size="1"/>\n  </worldbody>\n</mujoco>\n'


class Done(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns the current folder, which has good.xml."""
    monkeypatch.chdir(tmp_path)
    Path('good.xml').write_text(MODEL)
    return tmp_path


@pytest.fixture
def call(folder: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    """Returns `call('diff', 'a.xml', 'b.xml')`, which gives the exit status and the output."""

    def do(*argv: str) -> Done:
        try:
            code = main(argv)
        except SystemExit as end:
            code = end.code
        return Done(code, *capsys.readouterr())

    return do
