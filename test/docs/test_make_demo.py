"""`make demo` runs in the environment that make has created."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from deadline import DEADLINE_S
from system.harness import wait_until

ROOT = Path(__file__).parents[2]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        Path(sys.prefix).resolve() != ROOT / '.venv', reason='these tests do not run in .venv'
    ),
]


_OF_MAKE = 'ARGS', 'STEPS', 'MAKEFLAGS', 'MAKEOVERRIDES', 'MFLAGS', 'MAKELEVEL'


@pytest.fixture
def environment(domain) -> dict[str, str]:
    own = {**os.environ, 'ROS_DOMAIN_ID': str(domain)}
    # The demo must not inherit the variables of the `make` that runs the tests.
    return {name: value for name, value in own.items() if name not in _OF_MAKE}


class Terminal:
    """Runs a command on a pseudoterminal."""

    def __init__(self, *command: str, **environment: str) -> None:
        self.output = ''
        self._pid, self._screen = pty.fork()
        if self._pid == 0:
            os.chdir(ROOT)
            os.execvpe(command[0], command, environment)
        os.set_blocking(self._screen, False)

    def shows(self, text: str) -> bool:
        with suppress(OSError):  # nothing new, or the end
            self.output += os.read(self._screen, 1 << 16).decode(errors='replace')
        return text in self.output

    def press(self, key: bytes) -> None:
        os.write(self._screen, key)

    def code(self) -> int | None:
        """Returns the exit code, or None while the command runs."""
        self.shows('')
        pid, status = os.waitpid(self._pid, os.WNOHANG)
        return os.waitstatus_to_exitcode(status) if pid else None

    def close(self) -> None:
        os.close(self._screen)  # sends SIGHUP to the remaining processes


@pytest.fixture
def demo(environment) -> Iterator[Terminal]:
    terminal = Terminal('make', 'demo', **environment)
    yield terminal
    terminal.close()


def test_the_demo_ends_by_itself_after_the_steps_that_it_was_given(environment):
    done = subprocess.run(
        ['make', 'demo', 'STEPS=300', 'ARGS=-p realtime:=-1.0'],
        cwd=ROOT, env=environment, timeout=DEADLINE_S,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert ': loaded ' in done.stdout
    assert 'Traceback' not in done.stdout


def test_ctrl_c_on_a_terminal_ends_the_demo_and_make_sees_it_end_well(demo):
    wait_until(lambda: demo.shows('a command for this server:'), 'the demo:\n', process=demo)
    wait_until(lambda: demo.shows('viewer: http://127.0.0.1:'), 'the viewer:\n', process=demo)
    demo.press(b'\x03')
    codes: list[int] = []
    wait_until(
        lambda: (code := demo.code()) is not None and not codes.append(code),
        'its end:\n',
        process=demo,
    )
    assert codes == [0], demo.output
    assert 'Traceback' not in demo.output
    assert 'Error' not in demo.output
