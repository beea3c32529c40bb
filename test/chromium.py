"""A headless Chromium, which draws without a GPU, for tests of the viewer."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest

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
    """Returns `open_page(address)`; each page has a browser, and a picture where a test fails."""
    with ExitStack() as stack:
        pages: list[Any] = []

        def begin(address: str) -> Any:
            browser = driver.chromium.launch(executable_path=CHROMIUM, args=list(_ARGUMENTS))
            stack.callback(browser.close)
            page = browser.new_page(viewport=_SIZE)
            page.goto(address)
            pages.append(page)
            return page

        failed = request.session.testsfailed
        yield begin
        if request.session.testsfailed > failed:
            SCREENSHOTS.mkdir(parents=True, exist_ok=True)
            for number, page in enumerate(each for each in pages if not each.is_closed()):
                page.screenshot(path=SCREENSHOTS / f'{request.node.name}-{number}.png')


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


def press(page: Any, place: tuple[float, float]) -> None:
    """Clicks as a hand does: the panels see a press only if it lasts some frames."""
    page.mouse.move(*place)
    page.wait_for_timeout(300)
    page.mouse.down()
    page.wait_for_timeout(150)
    page.mouse.up()
