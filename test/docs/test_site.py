from __future__ import annotations

import subprocess
import sys

import pytest

from .pages import ROOT

pytest.importorskip('sphinx', reason='the extra `docs` is not installed')


@pytest.mark.slow
@pytest.mark.parametrize('builder', ['dummy', pytest.param('html', marks=pytest.mark.nightly)])
def test_the_site_is_built_without_a_warning_so_that_all_links_lead_somewhere(builder, tmp_path):
    """The builder `dummy` follows all links, and writes nothing."""
    command = [sys.executable, '-m', 'sphinx', '--builder', builder, '--conf-dir', 'docs']
    options = '--quiet', '--fail-on-warning', '--keep-going', '.', str(tmp_path)
    done = subprocess.run([*command, *options], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
