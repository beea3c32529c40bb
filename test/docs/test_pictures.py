"""`make images` generates the pictures that the pages show."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from chromium import CHROMIUM
from PIL import Image as Picture
from system.harness import Process, free_domain

from mujoco_ros_py.simulation.rendering.backend import GraphicsContext

from .pages import ROOT

pytestmark = pytest.mark.nightly

IMAGES = ROOT / 'docs' / 'images'
FILM = 'film-'
"""The prefix of films. The test generates only one of them."""
MADE_FILM = 'film-pendulum'
OF_A_BROWSER = {'sweep', 'viewer-page'}
"""The pictures that need Chromium."""
DRAWN = [
    name
    for name in sorted(path.stem for path in IMAGES.iterdir())
    if (name == MADE_FILM or not name.startswith(FILM))
    and (name not in OF_A_BROWSER or (CHROMIUM is not None and find_spec('playwright')))
]
"""The names of the pictures to generate."""
SHADES = 6.0
"""The allowed mean difference of a colour value, because OpenGL drivers and text renderers
differ."""


@pytest.fixture(scope='module')
def maker(
    shared_graphics: GraphicsContext, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Process, Path]]:
    """Starts to generate the pictures in the order of DRAWN; yields the process and the folder."""
    pytest.importorskip('matplotlib', reason='the extra `docs` is not installed')
    folder = tmp_path_factory.mktemp('pictures')
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get('PYTHONPATH')]))
    with free_domain() as domain:
        arguments = ['--into', str(folder), *DRAWN]
        process = Process('docs.pictures', arguments, domain, PYTHONPATH=path)
        yield process, folder
        process.end()


@pytest.mark.parametrize('name', DRAWN)
def test_a_picture_that_is_made_is_the_one_that_is_shown(name, maker):
    process, folder = maker
    (shown,) = IMAGES.glob(f'{name}.*')
    process.wait_for_output(f'{folder / shown.name}: ')
    ours, new = (np.asarray(pixels(path), int) for path in (shown, folder / shown.name))
    assert ours.shape == new.shape
    assert np.abs(ours - new).mean() < SHADES
    size = f'{ours.shape[1]} x {ours.shape[0]}, {(folder / shown.name).stat().st_size // 1024} KiB'
    assert f'{folder / shown.name}: {size}' in process.output


def test_no_other_pictures_are_made(maker):
    process, folder = maker
    for name in DRAWN:
        process.wait_for_output(f'{folder / name}.')
    assert process.wait() == 0, process.output
    assert {path.stem for path in folder.iterdir()} == set(DRAWN)


def pixels(path) -> Picture.Image:
    return Picture.open(path).convert('RGB')
