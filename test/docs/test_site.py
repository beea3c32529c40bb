from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from .pages import ROOT

pytest.importorskip('sphinx', reason='the extra `docs` is not installed')


@pytest.mark.slow
def test_the_site_is_built_without_a_warning_so_that_all_links_lead_somewhere(tmp_path: Path):
    command = '-m', 'sphinx', '--quiet', '--fail-on-warning', '--keep-going', '--conf-dir', 'docs'
    done = subprocess.run(
        [sys.executable, *command, '.', tmp_path], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
