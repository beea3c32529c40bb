"""What the README shows first, in an environment that pip makes from nothing."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from deadline import DEADLINE_S, until
from docs.pages import ROOT, blocks
from system.harness import free_domain

pytestmark = pytest.mark.nightly

CLEAN = 'AMENT_PREFIX_PATH', 'PYTHONPATH', 'VIRTUAL_ENV'
"""The variables of an environment with ROS, which a newcomer does not have."""


def shown() -> tuple[list[str], list[str], list[str]]:
    """The commands that install, the commands of the first shell, and of the second shell."""
    page = ROOT / 'README.md'
    install = blocks('sh', page=page)[0].commands
    first, second = (
        [line.removeprefix('$ ') for line in block.text.splitlines()]
        for block in blocks('text', page=page)[:2]
    )
    return install, first, second


@pytest.fixture
def domain() -> Iterator[int]:
    with free_domain() as number:
        yield number


def test_a_newcomer_drives_a_robot_of_their_own_and_its_tests_pass(source, tmp_path, domain):
    install, (*create, server), (publish, echo, test) = shown()
    environment = {key: value for key, value in os.environ.items() if key not in CLEAN}
    environment |= {'HOME': str(tmp_path), 'ROS_DOMAIN_ID': str(domain)}
    enter = f'. {tmp_path}/sim/bin/activate; cd {tmp_path}/my_robot'

    def run(script: str, folder: Path) -> str:
        done = subprocess.run(
            ['sh', '-e', '-c', script], cwd=folder, env=environment,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=6 * DEADLINE_S,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout
        return done.stdout

    def begin(command: str, log: Path) -> subprocess.Popen[bytes]:
        with log.open('wb') as output:
            return subprocess.Popen(
                ['sh', '-c', f'{enter}; exec {command}'],
                env=environment, stdout=output, stderr=subprocess.STDOUT,
            )  # fmt: skip

    run('\n'.join(install), source)
    run('\n'.join([f'. {tmp_path}/sim/bin/activate', *create]), tmp_path)
    log = tmp_path / 'server.log'
    running = [begin(server, log)]
    try:
        until(lambda: '5 of 5 plugins ready' in log.read_text(), 'the server')
        until(lambda: 'viewer: http://' in log.read_text(), 'the address of the viewer')
        running.append(begin(publish, tmp_path / 'publish.log'))

        def moves() -> bool:
            x = run(f'{enter}; {echo}', tmp_path).partition('x: ')[2].split()[0]
            return float(x.rstrip(',}')) > 0.1

        until(moves, 'the robot in motion')
        assert '2 passed' in run(f'{enter}; {test}', tmp_path)
    finally:
        for process in reversed(running):
            process.send_signal(signal.SIGINT)
            process.wait(DEADLINE_S)
    assert running[0].returncode == 0, log.read_text()
