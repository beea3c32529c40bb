"""The picture of the README is that of the demo, and the script that takes it works."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import numpy as np
import pytest
from deadline import DEADLINE_S
from PIL import Image as Picture

from .pages import ROOT

pytestmark = pytest.mark.slow

NAME = 'arm.png'


@pytest.mark.usefixtures('graphics')
def test_the_script_takes_the_picture_that_the_readme_shows(tmp_path, domain):
    script = tmp_path / 'docs' / 'make_image.py'
    script.parent.mkdir()
    shutil.copy(ROOT / 'docs' / script.name, script)
    (tmp_path / 'config').symlink_to(ROOT / 'config')
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get('PYTHONPATH')])])

    done = subprocess.run(
        [sys.executable, script],
        env={**os.environ, 'PYTHONPATH': path, 'ROS_DOMAIN_ID': str(domain)},
        timeout=DEADLINE_S, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip

    assert done.returncode == 0, done.stdout
    made, shown = (Picture.open(folder / 'docs' / NAME) for folder in (tmp_path, ROOT))
    assert (made.format, made.mode, made.size) == ('PNG', 'RGB', (960, 540))
    assert f'{script.with_name(NAME)}: 960 x 540' in done.stdout
    difference = np.asarray(made, int) - np.asarray(shown, int)
    assert np.abs(difference).mean() < 3, 'a few shades, as between drivers of OpenGL'
