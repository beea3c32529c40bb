"""Pictures of pages in a headless Chromium: the viewer with the demo, the report of a sweep."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image as Picture

from .examples import DOCS, listed, program_text
from .served import demo

SIZE = {'width': 1200, 'height': 720}
SHOWN = 900, 540
COLORS = 256
TIMEOUT_MS = 300_000
ARGUMENTS = (
    '--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
    '--disable-background-networking', '--disable-component-update', '--disable-sync',
)  # fmt: skip
DARK = 100
"""The corner of a page in dark colours is darker than this, of 255."""
SETTLED = 2
"""A page is done if so many pictures of it are like the one before."""
LOOKS = 200
"""A page that is not done after so many pictures never will be."""


def viewer() -> Picture.Image:
    """Starts the demo, paused in a pose, and has a browser draw the page of its viewer."""
    with tempfile.TemporaryDirectory() as home, _chromium() as browser:
        process = demo({'viewer': 'web'}, stderr=subprocess.PIPE, text=True, HOME=home)
        try:
            address = _address(process)
            page = _page(browser, color_scheme='dark')
            page.goto(address)
            shown = _settled(page, address)
        finally:
            process.terminate()
            process.communicate()
    return _few_colors(shown)


def sweep() -> Picture.Image:
    """Makes the sweep of its page, and has a browser draw the upper part of the report."""
    with tempfile.TemporaryDirectory() as folder, _chromium() as browser:
        for name, text_of in ('scenarios.yaml', listed), ('torque_controller.py', program_text):
            (Path(folder) / name).write_text(text_of('how-to/sweep.md', name))
        subprocess.run(
            [sys.executable, '-m', 'mujoco_ros_py', 'sweep', 'scenarios.yaml', '-o', 'swept'],
            cwd=folder, env={**os.environ, 'PYTHONPATH': str(DOCS.parent)}, check=False,
            stdout=subprocess.DEVNULL,
        )  # fmt: skip
        page = _page(browser)
        page.goto(f'file://{folder}/swept/report.html')
        page.wait_for_selector('.plots > div:last-child .main-svg')
        return _few_colors(_picture(page))


@contextmanager
def _chromium() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    path = shutil.which('chromium') or shutil.which('chromium-browser')
    if path is None:
        raise FileNotFoundError('no Chromium is installed, which draws the pages')
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=path, args=list(ARGUMENTS), timeout=TIMEOUT_MS
        )
        yield browser
        browser.close()


def _page(browser: Any, **options: Any) -> Any:
    """Opens a page, for which a busy machine may take its time."""
    page = browser.new_page(viewport=SIZE, **options)
    page.set_default_timeout(TIMEOUT_MS)
    return page


def _picture(page: Any) -> Picture.Image:
    return Picture.open(io.BytesIO(page.screenshot())).convert('RGB')


def _few_colors(shown: Picture.Image) -> Picture.Image:
    """Returns a smaller picture, with few colours.

    The method of choosing these keeps small spots of bright colours, as the states of plugins are.
    """
    small = shown.resize(SHOWN, Picture.Resampling.LANCZOS)
    return small.quantize(COLORS, Picture.Quantize.MAXCOVERAGE, dither=Picture.Dither.NONE)


def _address(process: subprocess.Popen[Any]) -> str:
    assert process.stderr is not None
    for line in process.stderr:
        if found := re.search(r'viewer: (http://\S+)', line):
            return found[1]
    raise RuntimeError('the demo has ended without an address of its viewer')


def _settled(page: Any, address: str) -> Picture.Image:
    """Waits until the panel and the arm are there, in dark colours, and nothing changes any more.

    A page says which colours it wants as it connects, and a busy server may not hear that; the
    page says so again when it is loaded again.
    """
    alike, before = 0, b''
    for _ in range(LOOKS):
        page.wait_for_timeout(1000)
        plotted = _has_plots(address)
        now = _picture(page)
        small = now.resize((60, 36)).tobytes()
        differs = max((abs(a - b) for a, b in zip(small, before, strict=False)), default=255)
        alike, before = (alike + 1 if differs < 8 else 0), small
        if plotted and alike >= SETTLED and len(set(small)) > 50:
            if max(small[:3]) < DARK:
                return now
            page.reload()
            alike = 0
    raise TimeoutError(f'the page has not settled in {LOOKS} pictures')


def _has_plots(address: str) -> bool:
    """Returns whether the panel of a page has plots; a busy server may not tell at once."""
    try:
        with urllib.request.urlopen(f'{address}buttons.json') as answer:
            return bool(json.loads(answer.read())['plots'])
    except OSError:
        return False
