"""A headless Chromium, which draws without a GPU, for tests of the viewer.

Without a GPU, the page needs almost a second for a picture of all its pixels, and its panels see
a click only if there are pictures between its parts. The page is therefore drawn with a sixteenth
of the pixels, unless a test reads its text.
"""

from __future__ import annotations

import base64
import io
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from deadline import DEADLINE_S
from PIL import Image

CHROMIUM = next(filter(None, map(shutil.which, ('chromium', 'chromium-browser'))), None)
SCREENSHOTS = Path('build') / 'viewer-screenshots'
_SIZE = {'width': 1000, 'height': 700}
_ARGUMENTS = (
    '--no-sandbox',
    '--use-gl=angle',
    '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
)


@pytest.fixture(scope='module')  # a second driver in the same process would be refused
def driver() -> Iterator[Any]:
    """Yields what starts browsers; skips where no Chromium or playwright is installed."""
    playwright = pytest.importorskip('playwright.sync_api', reason='playwright is not installed')
    if CHROMIUM is None:
        pytest.skip('no Chromium is installed')
    with playwright.sync_playwright() as started:
        yield started


@pytest.fixture
def open_page(driver: Any, request: pytest.FixtureRequest) -> Iterator[Callable[..., Any]]:
    """Returns `open_page(address, scale)`, which opens a browser; failed tests leave pictures.

    `scale` is the number of pixels that are drawn for each pixel of the page, along each axis.
    """
    with ExitStack() as stack:
        pages: list[Any] = []

        def begin(address: str, scale: float = 0.25) -> Any:
            browser = driver.chromium.launch(
                executable_path=CHROMIUM, args=list(_ARGUMENTS), timeout=1000.0 * DEADLINE_S
            )
            stack.callback(browser.close)
            page = browser.new_page(viewport=_SIZE, device_scale_factor=scale)
            page.set_default_timeout(1000.0 * DEADLINE_S)
            page.goto(address)
            pages.append(page)
            return page

        failed = request.session.testsfailed
        yield begin
        if request.session.testsfailed > failed:
            SCREENSHOTS.mkdir(parents=True, exist_ok=True)
            for number, page in enumerate(each for each in pages if not each.is_closed()):
                path = SCREENSHOTS / f'{request.node.name}-{number}.png'
                path.write_bytes(_legible(page))


def _legible(page: Any) -> bytes:
    """Returns a picture of the page with all its pixels, as a PNG file."""
    session = page.context.new_cdp_session(page)
    metrics = {**_SIZE, 'deviceScaleFactor': 1, 'mobile': False}
    session.send('Emulation.setDeviceMetricsOverride', metrics)
    page.wait_for_timeout(3000)  # the page draws anew
    return base64.b64decode(session.send('Page.captureScreenshot')['data'])


def signal_browser(page: Any, number: signal.Signals) -> Callable[[], None]:
    """Signals all processes of the browser of a page; returns a function that lets them go on."""
    session = page.context.browser.new_browser_cdp_session()
    processes = [each['id'] for each in session.send('SystemInfo.getProcessInfo')['processInfo']]
    for process in processes:
        with suppress(ProcessLookupError):  # some end with the first
            os.kill(process, number)

    def go_on() -> None:
        for process in processes:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGCONT)

    return go_on


def page_colors(page: Any, box: tuple[int, int, int, int]) -> np.ndarray:
    """The colours of a part of the page, from 0 to 1: as an array of rows, columns and RGB.

    `box` has left, top, right and bottom in pixels of the page.
    """
    image = Image.open(io.BytesIO(page.screenshot())).convert('RGB')
    resized = image.resize((_SIZE['width'], _SIZE['height']), Image.Resampling.NEAREST)
    return np.asarray(resized.crop(box)) / 255.0


_CLICKS = """async ([x, y, presses, frames]) => {
  const canvas = document.getElementById('canvas');
  const drawn = async (number) => {
    for (let i = 0; i < number; i++) await new Promise(requestAnimationFrame);
  };
  const send = (kind, buttons) => canvas.dispatchEvent(new MouseEvent(
    kind, {clientX: x, clientY: y, buttons, bubbles: true, cancelable: true, view: window}));
  send('mousemove', 0);
  await drawn(5);
  for (let i = 0; i < presses; i++) {
    send('mousedown', 1);
    await drawn(frames);
    send('mouseup', 0);
    await drawn(frames);
  }
  await drawn(5);
}"""
"""Sends the parts of clicks with so many pictures between them, however long those take."""


def press(page: Any, place: tuple[float, float]) -> None:
    """Clicks with the left button at a place of the page."""
    page.evaluate(_CLICKS, [*place, 1, 3])


def press_twice(page: Any, place: tuple[float, float]) -> None:
    """Clicks twice at a place, as quickly as the page can see it."""
    page.evaluate(_CLICKS, [*place, 2, 1])
