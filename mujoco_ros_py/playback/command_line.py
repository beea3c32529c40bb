"""The commands `mujoco_ros_py replay` and `mujoco_ros_py render`."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from ..errors import ConfigError, MujocoRosError
from ..recording import RecordedRun
from .command_parser import check_options, make_parser
from .film import FilmOptions, render_film
from .plugin_verification import verify_with_plugins
from .run_summary import summary_lines
from .verification import verify
from .viewer_replay import play_to_viewer

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
    _tell_problems(recorded)
    print(f'{given.output}: {count} images, {count / given.fps:.1f} s')
    return 0


def _carried_out(given: argparse.Namespace, play: WithRos, go_on: WithRos) -> int:
    check_options(given)
    if given.command == 'render':
        with RecordedRun(given.file) as recorded:
            return _rendered(recorded, given)
    with RecordedRun(given.file) as recorded:
        if given.info:
            print('\n'.join(summary_lines(recorded, Progress())))
            return 0
        if given.verify:
            return _verified(recorded, given)
        if given.viewer:
            return _shown(recorded, given)
        if given.continue_at is not None:
            return go_on(recorded, given)
        return play(recorded, given)


def _shown(recorded: RecordedRun, given: argparse.Namespace) -> int:
    """Shows the states at an address, until Ctrl-C."""

    def announce(address: str) -> None:
        _tell_problems(recorded)
        print(f'viewer: {address}', flush=True)

    play_to_viewer(
        recorded,
        announce,
        rate=given.rate,
        start_s=float('-inf') if given.start is None else given.start,
        end_s=float('inf') if given.end is None else given.end,
        loop=given.loop,
        tell=Progress(),
    )
    return 0


def _verified(recorded: RecordedRun, given: argparse.Namespace) -> int:
    check: Any = verify_with_plugins if given.plugins else verify
    comparison = check(recorded, Progress())
    _tell_problems(recorded)
    for note in comparison.notes:
        print(f'note: {note}', file=sys.stderr)
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


def _tell_problems(recorded: RecordedRun) -> None:
    for problem in recorded.problems:
        print(f'note: {problem}', file=sys.stderr)


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
