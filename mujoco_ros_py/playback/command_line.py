"""The commands `mujoco_ros_py replay` and `mujoco_ros_py render`."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..errors import ConfigError, MujocoRosError
from ..recording import RecordedRun
from .film import FilmOptions, render_film
from .plugin_verification import verify_with_plugins
from .run_summary import summary_lines
from .verification import verify

_DIFFERENT, _FAILED, _INTERRUPTED = 1, 2, 128 + signal.SIGINT
_PROGRESS_S = 0.2
_CLEAR = '\r\033[K'
_ROS_ARGUMENTS = '--ros-args'
WithRos = Callable[[RecordedRun, argparse.Namespace], int]
"""Does something with a recording that needs ROS, and returns the exit status."""


def run(argv: Sequence[str], play: WithRos, go_on: WithRos) -> int:
    """Carries out a command, and returns the exit status; no error ends with a traceback.

    It is 0 on success, 1 where a repeated state differs, 2 for what cannot be done, and 130 after
    Ctrl-C. `play` plays to topics, and `go_on` runs a server that goes on from a moment; the
    arguments from `--ros-args` on are `ros_arguments` of what they are given.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    given = argparse.Namespace(command=argv[0])
    place = argv.index(_ROS_ARGUMENTS) if _ROS_ARGUMENTS in argv else len(argv)
    try:
        given = make_parser().parse_args(argv[:place])
        given.ros_arguments = list(argv[place:])
        return _carried_out(given, play, go_on)
    except KeyboardInterrupt:
        _clear()
        print(f'mujoco_ros_py {given.command}: interrupted', file=sys.stderr)
        return _INTERRUPTED
    except BrokenPipeError:  # as in `| head`
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    except MujocoRosError as error:
        _clear()
        print(f'mujoco_ros_py {given.command}: {error}', file=sys.stderr)
        return _FAILED


def make_parser() -> argparse.ArgumentParser:
    """Makes the parser of the command line."""
    parser = argparse.ArgumentParser('mujoco_ros_py')
    commands = parser.add_subparsers(dest='command', required=True)
    replay = commands.add_parser(
        'replay',
        help='plays, checks or describes a recording',
        description='Plays the topics of a recording, with its time as /clock; or goes on from a'
        ' moment, as a server; or checks that its steps repeat to the bit.',
        epilog='What follows --ros-args is for ROS. '
        'Exit status: 0 done; 1 a state differs; 2 it cannot be done; 130 Ctrl-C.',
    )
    replay.add_argument('file', metavar='FILE', help='the recording (.mcap)')
    what = replay.add_mutually_exclusive_group()
    what.add_argument('--verify', action='store_true', help='make all steps again, and compare')
    what.add_argument('--info', action='store_true', help='tell what the recording contains')
    what.add_argument(
        '--continue-at', type=float, metavar='T', help='run a server that goes on from T, in s'
    )
    replay.add_argument(
        '--section', type=int, help='with --continue-at: a section, see --info (the last with T)'
    )
    replay.add_argument(
        '--plugins', action='store_true', help='with --verify: the plugins run again, too'
    )
    replay.add_argument(
        '--rate', type=float, default=1.0, help='simulated seconds per second (1.0); -1: no wait'
    )
    replay.add_argument('--start', type=float, default=None, help='the time to begin with, in s')
    replay.add_argument('--end', type=float, default=None, help='the time to end with, in s')
    replay.add_argument('--topics', nargs='+', default=[], help='play these topics only')
    replay.add_argument('--loop', action='store_true', help='begin again at the end')
    replay.add_argument(
        '--wait-for-subscribers', action='store_true',
        help='begin once each topic that is played has a subscriber',
    )  # fmt: skip
    _add_render(commands)
    return parser


def _add_render(commands: Any) -> None:
    """Adds the command that makes films."""
    usual = FilmOptions()
    render = commands.add_parser(
        'render',
        help='makes a film of a recording',
        description='Makes a film of the states of a recording.',
        epilog='Exit status: 0 done; 2 it cannot be done; 130 Ctrl-C, which leaves no film.',
    )
    render.add_argument('file', metavar='FILE', help='the recording (.mcap)')
    render.add_argument('-o', '--output', type=Path, required=True, help='.mp4, .mkv, .webm')
    render.add_argument('--camera', default='', help='a camera of the model; default: its first')
    render.add_argument('--width', type=int, default=usual.width, help='pixels (1280)')
    render.add_argument('--height', type=int, default=usual.height, help='pixels (720)')
    render.add_argument('--fps', type=float, default=usual.fps, help='images per second (30)')
    render.add_argument('--rate', type=float, default=usual.rate, help='0.1: ten times slower')
    render.add_argument('--start', type=float, default=None, help='the time to begin with, in s')
    render.add_argument('--end', type=float, default=None, help='the time to end with, in s')
    render.add_argument('--section', type=int, default=None, help='one section, see replay --info')
    render.add_argument('--plain', action='store_true', help='no shadows or reflections: faster')
    render.add_argument('--force', action='store_true', help='write over a file that is there')


def _rendered(recorded: RecordedRun, given: argparse.Namespace) -> int:
    if given.output.exists() and not given.force:
        raise ConfigError(f'{given.output} is there already; --force writes over it')
    options = FilmOptions(
        camera=given.camera,
        width=given.width,
        height=given.height,
        fps=given.fps,
        rate=given.rate,
        start_s=given.start,
        end_s=given.end,
        section=given.section,
        shadows=not given.plain,
    )
    count = render_film(recorded, given.output, options, Progress())
    for problem in recorded.problems:
        print(f'note: {problem}', file=sys.stderr)
    print(f'{given.output}: {count} images, {count / given.fps:.1f} s')
    return 0


def _carried_out(given: argparse.Namespace, play: WithRos, go_on: WithRos) -> int:
    if given.command == 'render':
        with RecordedRun(given.file) as recorded:
            return _rendered(recorded, given)
    if given.plugins and not given.verify:
        raise ConfigError('--plugins needs --verify')
    if given.section is not None and given.continue_at is None:
        raise ConfigError('--section needs --continue-at')
    with RecordedRun(given.file) as recorded:
        if given.info:
            print('\n'.join(summary_lines(recorded, Progress())))
            return 0
        if given.verify:
            return _verified(recorded, given)
        if given.continue_at is not None:
            return go_on(recorded, given)
        return play(recorded, given)


def _verified(recorded: RecordedRun, given: argparse.Namespace) -> int:
    check: Any = verify_with_plugins if given.plugins else verify
    comparison = check(recorded, Progress())
    for problem in recorded.problems:
        print(f'note: {problem}')
    for note in comparison.notes:
        print(f'note: {note}')
    counts = f'{comparison.states} states'
    if comparison.gaps:
        counts += f' ({comparison.gaps} not compared, as the state before is not there)'
    if comparison.different:
        print(f'{counts}, {comparison.different} different; the first: {comparison.first}')
        return _DIFFERENT
    if not comparison.states:
        print(f'{counts}: nothing could be compared')
        return _FAILED
    print(f'{counts}, all equal to the bit')
    return 0


class Progress:
    """Shows on a terminal which share of a file is done."""

    def __init__(self) -> None:
        self._told = time.monotonic()
        self._terminal = sys.stderr.isatty()

    def __call__(self, share: float) -> None:
        """Shows the share, from 0 to 1, a few times a second."""
        if not self._terminal:
            return
        now = time.monotonic()
        if share >= 1.0:
            _clear()
        elif now > self._told + _PROGRESS_S:
            self._told = now
            sys.stderr.write(f'{_CLEAR}{share:.0%}')
            sys.stderr.flush()


def _clear() -> None:
    if sys.stderr.isatty():
        sys.stderr.write(_CLEAR)
        sys.stderr.flush()
