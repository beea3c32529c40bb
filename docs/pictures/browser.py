"""Screenshots from a headless Chromium: the viewer with the demo, and a sweep report."""

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
"""The maximum brightness (0 to 255) in the corner of a page in dark mode."""
SETTLED = 2
"""The number of unchanged screenshots in a row after which a page counts as settled."""
LOOKS = 200
"""The maximum number of screenshots to wait for a page."""


def viewer() -> Picture.Image:
    """Starts the demo, paused in a pose, and takes a screenshot of its viewer page."""
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
    """Runs the sweep of the how-to page, and takes a screenshot of the top of its report."""
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
        raise FileNotFoundError('Chromium is not installed: apt install chromium')
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=path, args=list(ARGUMENTS), timeout=TIMEOUT_MS
        )
        yield browser
        browser.close()


def _page(browser: Any, **options: Any) -> Any:
    """Opens a page, with a long timeout for busy machines."""
    page = browser.new_page(viewport=SIZE, **options)
    page.set_default_timeout(TIMEOUT_MS)
    return page


def _picture(page: Any) -> Picture.Image:
    return Picture.open(io.BytesIO(page.screenshot())).convert('RGB')


def _few_colors(shown: Picture.Image) -> Picture.Image:
    """Returns a smaller picture with few colours.

    MAXCOVERAGE preserves small bright spots, such as the states of plugins.
    """
    small = shown.resize(SHOWN, Picture.Resampling.LANCZOS)
    return small.quantize(COLORS, Picture.Quantize.MAXCOVERAGE, dither=Picture.Dither.NONE)


def _address(process: subprocess.Popen[Any]) -> str:
    assert process.stderr is not None
    for line in process.stderr:
        if found := re.search(r'viewer: (http://\S+)', line):
            return found[1]
    raise RuntimeError('the demo ended before it printed the address of its viewer')


def _settled(page: Any, address: str) -> Picture.Image:
    """Waits until the page shows the panel and the arm in dark mode, and stops changing.

    A page requests its colours when it connects, and a busy server may miss the request. Reloading
    the page repeats the request.
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
    raise TimeoutError(f'the page did not settle within {LOOKS} screenshots')


def _has_plots(address: str) -> bool:
    """Returns whether the panel has plots; False if a busy server does not respond."""
    try:
        with urllib.request.urlopen(f'{address}buttons.json') as answer:
            return bool(json.loads(answer.read())['plots'])
    except OSError:
        return False
