"""The cost for the physics of a browser page that shows the simulation."""

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
"""The time until a new page draws, in s."""
_SETTLED_S = 0.2
"""The time until a continued page draws again, or a stopped page gets no more states, in s."""
_DEADLINE_S = 60.0
_SIZE, _SCALE = {'width': 800, 'height': 600}, 0.25
"""The size of the page in pixels, and the scale factor for drawing."""
_ARGUMENTS = (
    '--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
    '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync',
)  # fmt: skip


def measure_physics() -> Rounds:
    """Compares steps per second while a browser draws the page and while the browser is stopped.

    The stopped browser keeps the page open, but neither draws nor receives states. Closing and
    reopening the page instead would take ten seconds.
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
    """Starts Chromium; returns the browser and its process group.

    Raises LeftOutError if Chromium, playwright or websockets is missing.
    """
    path = next(filter(None, map(shutil.which, ('chromium', 'chromium-browser'))), None)
    if path is None or not all(map(find_spec, ('playwright', 'websockets'))):
        raise LeftOutError('needs Chromium: apt install chromium')
    from playwright.sync_api import sync_playwright

    folder = Path(stack.enter_context(TemporaryDirectory()))
    driver = stack.enter_context(sync_playwright())
    command = _of_low_priority(path, folder)
    browser = driver.chromium.launch(executable_path=command, args=list(_ARGUMENTS))
    stack.callback(browser.close)
    return browser, os.getpgid(int((folder / 'pid').read_text()))


def _of_low_priority(path: str, folder: Path) -> str:
    """Returns a command that starts Chromium at the lowest priority.

    Without a GPU, Chromium uses more than a core to draw the page, and the row would measure this
    competition for cores. As root, Chromium would raise its priority again, so the command drops
    that capability. The command writes its process id into the folder.
    """
    words = ['nice', '-n', '19']
    if shutil.which('setpriv') is not None:
        words += ['setpriv', '--bounding-set=-sys_nice']
    script = folder / 'chromium'
    group = '/proc/self/autogroup'  # a nice value only counts inside it
    script.write_text(
        f'#!/bin/sh\n[ -w {group} ] && echo 19 > {group}\n'
        f'echo $$ > {folder}/pid\nexec {" ".join(words)} {quote(path)} "$@"\n'
    )
    script.chmod(0o755)
    return str(script)


def show(stack: ExitStack, session: Session) -> str:
    """Starts the viewer of a session; returns the address of the page."""
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
