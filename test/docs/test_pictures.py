"""Each guide has a picture, and `make images` makes the pictures that the pages show."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.util import find_spec

import numpy as np
import pytest
from chromium import CHROMIUM
from deadline import DEADLINE_S
from PIL import Image as Picture

from .pages import PAGES, ROOT, links

IMAGES = ROOT / 'docs' / 'images'
MOST_BYTES = 100_000
WITHOUT = {
    'CONTRIBUTING': 'lists rules for the code',
    'docs/api': 'lists the packages of the Python API',
    'docs/index': 'leads to the guides',
    'docs/original-services': 'lists services for the clients of another server',
    'docs/qos': 'lists the topics and their quality of service',
    'docs/states': 'lists services and what they keep',
    'docs/troubleshooting': 'lists errors and what helps',
}
"""The pages that need no picture, each with the reason."""
FILM = 'film-'
"""With this the names of films begin, of which one is made by the test."""
MADE_FILM = 'film-pendulum'
OF_A_BROWSER = {'sweep', 'viewer-page'}
"""The pictures that need a Chromium."""
SHADES = 6.0
"""Between drivers of OpenGL, and between versions of what draws text."""


def shown() -> dict[str, set[str]]:
    """The pictures of each page."""
    return {
        str(page.relative_to(ROOT).with_suffix('')): {
            path.name for _, path, _ in links(page) if path.parent == IMAGES
        }
        for page in PAGES
    }


def test_each_guide_has_a_picture():
    assert {page for page, pictures in shown().items() if not pictures} == WITHOUT.keys()


def test_all_pictures_are_shown_and_small():
    files = {path.name: path.stat().st_size for path in IMAGES.iterdir()}
    assert files.keys() == set().union(*shown().values())
    assert max(files.values()) <= MOST_BYTES


@pytest.mark.slow
@pytest.mark.usefixtures('graphics')
def test_the_pictures_that_are_made_are_those_that_are_shown(tmp_path, domain):
    pytest.importorskip('matplotlib', reason='the extra `docs` is not installed')
    shown = {path.stem: path.name for path in IMAGES.iterdir()}
    drawn = sorted(name for name in shown if name == MADE_FILM or not name.startswith(FILM))
    if CHROMIUM is None or not find_spec('playwright'):
        drawn = [name for name in drawn if name not in OF_A_BROWSER]
    done = subprocess.run(
        [sys.executable, '-m', 'docs.pictures', '--into', tmp_path, *drawn], cwd=ROOT,
        env={**os.environ, 'ROS_DOMAIN_ID': str(domain)},
        timeout=4 * DEADLINE_S, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    made = sorted(path.name for path in tmp_path.iterdir())
    assert made == sorted(shown[name] for name in drawn)
    assert len(re.findall(r': \d+ x \d+, \d+ KiB', done.stdout)) == len(made)
    for name in made:
        ours, new = (np.asarray(pixels(folder / name), int) for folder in (IMAGES, tmp_path))
        assert ours.shape == new.shape, name
        assert np.abs(ours - new).mean() < SHADES, name


def pixels(path) -> Picture.Image:
    return Picture.open(path).convert('RGB')
