from __future__ import annotations

import subprocess
import sys

import pytest

from .pages import ROOT

pytest.importorskip('sphinx', reason='the extra `docs` is not installed')


@pytest.mark.nightly
def test_the_site_is_built_without_a_warning_so_that_all_links_lead_somewhere(tmp_path):
    command = [sys.executable, '-m', 'sphinx', '--builder', 'html', '--conf-dir', 'docs']
    options = '--quiet', '--fail-on-warning', '--keep-going', '.', str(tmp_path)
    done = subprocess.run([*command, *options], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
