"""A page that shows the simulation: what it costs the physics."""

from __future__ import annotations

import os
import shutil
import signal
import time
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from shlex import quote
from tempfile import TemporaryDirectory
from typing import Any

from mujoco_ros_py.session import Session
from mujoco_ros_py.viewer import BrowserViewer, ServerCommands, ShownSimulation

from .processes import FOLDER
from .rounds import LeftOutError, Rounds

_WINDOW_S = 1.0
_DRAWS_S = 10.0
"""The time that a page needs until it draws."""
_SETTLED_S = 0.2
"""The time after which the page draws again, or no state is on its way to it."""
_DEADLINE_S = 60.0
_SIZE, _SCALE = {'width': 800, 'height': 600}, 0.25
"""The size of the page in pixels, and how many of them are drawn along each axis."""
_ARGUMENTS = (
    '--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
    '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync',
)  # fmt: skip


def measure_physics() -> Rounds:
    """Compares steps per second while a browser draws the page with those while it is stopped.

    A stopped browser has the page open, but does not draw, and gets no states. To close the page
    and open it anew would take ten seconds.
    """
    with ExitStack() as stack:
        browser, processes = _chromium(stack)
        session = stack.enter_context(Session(str(FOLDER / 'humanoid.xml')))
        page = browser.new_page(viewport=_SIZE, device_scale_factor=_SCALE)
        page.goto(show(stack, session))
        page.wait_for_timeout(1000.0 * _DRAWS_S)
        session.set_paused(False)
        while True:
            beside = _steps_per_s(session)
            os.killpg(processes, signal.SIGSTOP)
            try:
                alone = _steps_per_s(session)
            finally:
                os.killpg(processes, signal.SIGCONT)
            yield beside, alone


def _chromium(stack: ExitStack) -> tuple[Any, int]:
    """Starts a browser; returns it, and the group of its processes.

    Raises LeftOutError where there is none, or nothing to drive it with.
    """
    path = next(filter(None, map(shutil.which, ('chromium', 'chromium-browser'))), None)
    if path is None or not all(map(find_spec, ('playwright', 'websockets'))):
        raise LeftOutError('it needs Chromium: apt install chromium')
    from playwright.sync_api import sync_playwright

    folder = Path(stack.enter_context(TemporaryDirectory()))
    driver = stack.enter_context(sync_playwright())
    command = _of_low_priority(path, folder)
    browser = driver.chromium.launch(executable_path=command, args=list(_ARGUMENTS))
    stack.callback(browser.close)
    return browser, os.getpgid(int((folder / 'pid').read_text()))


def _of_low_priority(path: str, folder: Path) -> str:
    """Returns a command that starts a browser which leaves the cores to whoever needs them.

    Without a GPU, Chromium needs more than a core to draw the page, and what is measured would be
    its drawing. Root's Chromium would raise its priority again, if it could. The command writes
    its process id into the folder.
    """
    words = ['nice', '-n', '19']
    if shutil.which('setpriv') is not None:
        words += ['setpriv', '--bounding-set=-sys_nice']
    script = folder / 'chromium'
    group = '/proc/self/autogroup'  # Linux shares the cores among sessions first
    script.write_text(
        f'#!/bin/sh\n[ -w {group} ] && echo 19 > {group}\n'
        f'echo $$ > {folder}/pid\nexec {" ".join(words)} {quote(path)} "$@"\n'
    )
    script.chmod(0o755)
    return str(script)


def show(stack: ExitStack, session: Session) -> str:
    """Shows a session; returns the address of the page."""
    assembly = session._assembly
    commands = ServerCommands(
        require=lambda what, service: None, set_realtime=assembly.simulation.set_realtime
    )
    addresses: list[str] = []
    viewer = BrowserViewer(ShownSimulation(assembly, commands), addresses.append)
    stack.callback(viewer.close)
    viewer.start()
    end = time.monotonic() + _DEADLINE_S
    while not addresses:
        if time.monotonic() > end:
            raise TimeoutError(f'the viewer was not ready within {_DEADLINE_S:g} s')
        time.sleep(0.01)
    return addresses[0]


def _steps_per_s(session: Session) -> float:
    time.sleep(_SETTLED_S)
    steps, start = session.status.steps, time.perf_counter()
    time.sleep(_WINDOW_S)
    return (session.status.steps - steps) / (time.perf_counter() - start)
