"""The picture of the viewer: the demo on its page, in a headless Chromium."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
import tempfile
import time
import urllib.request
from typing import Any

from PIL import Image as Picture

from .served import demo

SIZE = {'width': 1200, 'height': 720}
SHOWN = 900, 540
COLORS = 256
DEADLINE_S = 300
ARGUMENTS = (
    '--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
    '--disable-background-networking', '--disable-component-update', '--disable-sync',
)  # fmt: skip
DARK = 100
"""The corner of a page in dark colours is darker than this, of 255."""
SETTLED = 3
"""A page is done if so many pictures of it, taken one after the other, are alike."""


def viewer() -> Picture.Image:
    """Starts the demo, paused in a pose, and has a browser draw the page of its viewer."""
    from playwright.sync_api import sync_playwright

    path = shutil.which('chromium') or shutil.which('chromium-browser')
    if path is None:
        raise FileNotFoundError('no Chromium is installed, which draws the page of the viewer')
    with tempfile.TemporaryDirectory() as home, sync_playwright() as driver:
        process = demo({'viewer': 'web'}, stderr=subprocess.PIPE, text=True, HOME=home)
        try:
            address = _address(process)
            browser = driver.chromium.launch(executable_path=path, args=list(ARGUMENTS))
            page = browser.new_page(viewport=SIZE, color_scheme='dark')
            page.goto(address)
            shown = _settled(page, address).resize(SHOWN, Picture.Resampling.LANCZOS)
        finally:
            process.terminate()
            process.communicate()
    # This method keeps small spots of bright colours, such as the states of plugins.
    return shown.quantize(COLORS, Picture.Quantize.MAXCOVERAGE, dither=Picture.Dither.NONE)


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
    end, alike, before = time.monotonic() + DEADLINE_S, 0, b''
    while time.monotonic() < end:
        page.wait_for_timeout(1000)
        panel = json.loads(urllib.request.urlopen(f'{address}buttons.json').read())
        now = Picture.open(io.BytesIO(page.screenshot())).convert('RGB')
        small = now.resize((60, 36)).tobytes()
        differs = max((abs(a - b) for a, b in zip(small, before, strict=False)), default=255)
        alike, before = (alike + 1 if differs < 8 else 0), small
        if panel['plots'] and alike >= SETTLED and len(set(small)) > 50:
            if max(small[:3]) < DARK:
                return now
            page.reload()
            alike = 0
    raise TimeoutError(f'the page has not settled within {DEADLINE_S} s')
