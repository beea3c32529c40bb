"""The chapters of the tutorial work, if a reader writes their files and runs their commands."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from deadline import DEADLINE_S
from system.harness import Client, Process, wait_until

from mujoco_ros_py import command_line
from mujoco_ros_py.command_line.ros_arguments import split_ros_arguments
from mujoco_ros_py.config.launch_arguments import launch_arguments
from mujoco_ros_py.errors import RenderingError
from mujoco_ros_py.simulation.rendering.backend import open_context

from . import commands
from .pages import ROOT, TUTORIAL, Block, blocks
from .shell import check_pip_install, loaded

pytestmark = pytest.mark.slow

NAME = 'my_robot'
MOST_WORDS = 700
_SOURCES = '.py', '.xml', '.yaml'
_INTERRUPTED = 0, -signal.SIGINT, 128 + signal.SIGINT
_SET_UP = ('python3 -m venv ', '. ', 'python ~/', 'export ')
_SERVER = re.compile(
    r'mujoco_ros_py (\S+\.(xml|urdf)\b|--ros-args |replay .*--(continue-at|viewer))'
)
_ENDLESS = re.compile(r'(mujoco_ros_py publish|ros2 topic pub) .*--rate|python -m my_robot\.')
_LOOK = re.compile(r'mujoco_ros_py (echo|get|list|tf) ')
"""Commands that a reader repeats until the output is as on the page."""


class Reader:
    """Carries out a chapter in a folder, and compares the printed output.

    A server runs until the next server starts, and a publisher until the next block of commands.
    """

    def __init__(self, folder: Path, domain: int) -> None:
        self._domain = domain
        self._server: Process | None = None
        self._others: list[Process] = []
        self._client: Client | None = None
        self._printed = ''
        self._enter(folder)

    def close(self) -> None:
        """Ends all processes and the client."""
        if self._client:
            self._client.close()
        self._end_others()
        self._end_server()

    def catch_up(self, chapter: Path) -> None:
        """Writes the files of a chapter without running its other commands."""
        for block in blocks(page=chapter):
            if f'mujoco_ros_py new {NAME}' in block.commands:
                assert command_line.run(['new', NAME]) == 0
                self._enter(Path.cwd() / NAME)
            self._edit(block)

    def read(self, chapter: Path) -> None:
        """Carries out a chapter: runs its commands, compares the output, and edits files."""
        for block in blocks(page=chapter):
            if block.language == 'sh':
                self._run(block)
            elif block.language == 'text':
                self._compare(block)
            else:
                self._edit(block)

    def _enter(self, folder: Path) -> None:
        os.chdir(folder)
        self._environment = {
            'PYTHONPATH': os.pathsep.join(
                [str(folder), str(ROOT), *filter(None, [os.environ.get('PYTHONPATH')])]
            )
        }

    def _edit(self, block: Block) -> None:
        """Writes the file that a block shows, or changes the lines of a diff."""
        if block.language == 'diff':
            title, _, text = block.text.partition('\n')
            path = Path(title.removeprefix('# '))
            lines = text.splitlines(keepends=True)
            before = ''.join(line[1:] for line in lines if line[0] != '+')
            after = ''.join(line[1:] for line in lines if line[0] != '-')
            assert path.read_text().count(before) == 1, f'{block}: {path} has not\n{before}'
            path.write_text(path.read_text().replace(before, after))
        elif block.language in ('python', 'xml', 'yaml') and block.title:
            Path(block.title).write_text(block.text)
        elif block.language in ('python', 'xml', 'yaml'):
            files = [path for path in Path().rglob('*.*') if path.suffix in _SOURCES]
            assert any(block.text in path.read_text() for path in files), f'{block}: in no file'
        else:
            assert block.language in ('sh', 'text'), block

    def _run(self, block: Block) -> None:
        self._end_others()
        self._printed = ''
        for command in block.commands:
            code, printed = self._carry_out(command)
            assert code == 0, f'{block}: {command}\n{printed}'
            self._printed += printed

    def _compare(self, block: Block) -> None:
        """Compares the output of the last block, or of each command behind a $."""
        if not block.text.startswith('$ '):
            self._await(lambda: self._printed + self._of_server(), block.text, block)
            return
        for session in re.split(r'^\$ ', block.text, flags=re.MULTILINE)[1:]:
            command, _, expected = session.partition('\n')
            if _LOOK.match(command):
                self._await(lambda: self._carry_out(command)[1], expected, block)  # noqa: B023
            else:
                printed = self._carry_out(command)[1]
                self._await(lambda: printed + self._of_server(), expected, block)  # noqa: B023

    def _await(self, look: Callable[[], str], expected: str, block: Block) -> None:
        printed = ''

        def shown() -> bool:
            nonlocal printed
            printed = look()
            return shows(printed, expected)

        try:
            wait_until(shown, 'the same')
        except AssertionError:
            raise AssertionError(f'{block}: expected\n{expected}\nprinted\n{printed}') from None

    def _of_server(self) -> str:
        return self._server.output if self._server else ''

    def _carry_out(self, command: str) -> tuple[int, str]:
        """Runs a command; returns its exit code and its output so far."""
        words = shlex.split(command)
        if command.startswith(_SET_UP):
            return 0, ''
        if command.startswith('pip install '):
            return self._install(words[2:])
        if command.startswith('cd '):
            self._enter(Path.cwd() / words[1])
            return 0, ''
        if command.startswith('ros2 launch '):
            return self._launch(*words[2:])
        if command.startswith('ros2 '):
            commands.run(command, self._somebody())
            return 0, ''
        if _SERVER.match(command) and '--steps' not in words:
            return self._serve(words[1:])
        if _ENDLESS.match(command):
            self._others.append(self._start(words))
            wait_until(self._drives, f'velocities of {command}')  # all publish velocities
            return 0, ''
        if command.startswith('mujoco_ros_py render ') and not has_opengl():
            return 0, ''
        process = self._start(words)
        return process.wait(), process.output

    def _drives(self) -> bool:
        node = self._somebody().node
        topics = [name for name, _ in node.get_topic_names_and_types()]
        return any(node.get_publishers_info_by_topic(name) for name in topics if 'cmd_vel' in name)

    def _start(self, words: list[str]) -> Process:
        if words[:2] == ['python', '-m']:
            return Process(words[2], words[3:], self._domain, **self._environment)
        if words[0] == 'pytest':
            words[:1] = ['-p', 'mujoco_ros_py.testing', '-c', os.devnull, '--rootdir', '.']
            return Process('pytest', words, self._domain, **self._environment)
        program, *words = words
        assert program == 'mujoco_ros_py', f'no test knows {program}'
        if words[0] in ('call', 'echo', 'get', 'list', 'publish', 'set', 'tf'):
            words, for_ros = split_ros_arguments(words)
            words = [*words, '--timeout', str(DEADLINE_S), *for_ros]
        return Process(program, words, self._domain, copied=True, **self._environment)

    def _serve(self, words: list[str]) -> tuple[int, str]:
        self._end_server()
        self._server = Process(
            'mujoco_ros_py', words, self._domain, copied=True, **self._environment
        )
        if words[0] == 'replay' and '--viewer' in words:
            self._server.wait_for_output('viewer: http')
        else:
            self._server.wait_for_output(': loaded ')
            loaded(self._server)
        return 0, ''

    def _somebody(self) -> Client:
        if self._client is None:
            self._client = Client(self._domain)
        return self._client

    def _install(self, words: list[str]) -> tuple[int, str]:
        """Registers the reader's package in its folder, as an editable installation does."""
        if words == ['pytest']:
            return 0, ''
        if words != ['--editable', '.']:
            check_pip_install(*words)
            return 0, ''
        done = subprocess.run(
            [sys.executable, 'setup.py', '--quiet', 'egg_info'],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout

    def _launch(self, file: str, *arguments: str) -> tuple[int, str]:
        """Checks a launch file and its arguments: `ros2 launch` is not on PyPI."""
        compile(Path(file).read_text(), file, 'exec')
        for argument in arguments:
            assert argument.partition(':=')[0] in ['--show-args', *launch_arguments()], argument
        return 0, ''

    def _end_others(self) -> None:
        while self._others:
            process = self._others.pop()
            process.signal(signal.SIGINT)
            process.wait()

    def _end_server(self) -> None:
        if self._server:
            self._server.signal(signal.SIGINT)
            assert self._server.wait() in _INTERRUPTED, self._server.output
            self._server = None


def shows(printed: str, expected: str) -> bool:
    """Returns whether all expected lines were printed, in their order; … stands for any text."""
    lines = iter(printed.splitlines())
    patterns = ['.*'.join(map(re.escape, line.split('…'))) for line in expected.splitlines()]
    return all(any(re.fullmatch(pattern, line) for line in lines) for pattern in patterns)


def has_opengl() -> bool:
    try:
        open_context('auto').close()
    except RenderingError:
        return False
    return True


def new_folder(name: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = ROOT / 'build' / 'tutorial' / name  # a fixed path, because the cache depends on it
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize('chapter', TUTORIAL, ids=lambda chapter: chapter.stem)
def test_a_chapter_does_what_it_says(chapter: Path, domain, monkeypatch):
    folder = new_folder(chapter.stem, monkeypatch)
    with contextlib.closing(Reader(folder, domain)) as reader:
        before = TUTORIAL[: TUTORIAL.index(chapter)]
        for earlier in before:
            reader.catch_up(earlier)
        if before:
            assert reader._install(['--editable', '.']) == (0, '')
        reader.read(chapter)


@pytest.mark.nightly
def test_the_chapters_for_a_reader_in_a_hurry_do_not_need_the_others(domain, monkeypatch):
    found = re.search(r'In a hurry, read chapters (.*) only', (ROOT / 'docs/index.md').read_text())
    assert found
    folder = new_folder('hurry', monkeypatch)
    with contextlib.closing(Reader(folder, domain)) as reader:
        for number in re.findall(r'\d', found[1]):
            reader.read(TUTORIAL[int(number) - 1])


@pytest.mark.parametrize('chapter', TUTORIAL, ids=lambda chapter: chapter.stem)
def test_a_chapter_is_short_and_ends_with_a_summary_and_a_link(chapter: Path):
    text = chapter.read_text()
    assert len(text.split()) <= MOST_WORDS
    _, seen, rest = text.partition('\n## Summary\n')
    assert seen, 'no section Summary'
    assert re.search(r'\]\(\.\./(how-to|reference)/', rest)
