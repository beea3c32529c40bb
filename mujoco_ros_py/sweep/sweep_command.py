"""The command `mujoco_ros_py sweep`."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from ..errors import ConfigError, MujocoRosError
from .full_sweep import SweepOptions, make_sweep
from .repeated_run import repeat

PASSED, NOT_PASSED, IMPOSSIBLE, INTERRUPTED = 0, 1, 2, 128 + signal.SIGINT


def run(argv: Sequence[str]) -> int:
    """Carries out the command, and returns the exit status; no error ends with a traceback.

    It is 0 if all runs have passed, 1 if some have not, 2 for what cannot be done, and 130 after
    Ctrl-C, which leaves no process behind.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    given = make_parser().parse_args(argv)
    try:
        return _carried_out(given)
    except KeyboardInterrupt:
        print('mujoco_ros_py sweep: interrupted; --resume goes on', file=sys.stderr)
        return INTERRUPTED
    except MujocoRosError as error:
        print(f'mujoco_ros_py sweep: {error}', file=sys.stderr)
        return IMPOSSIBLE


def make_parser() -> argparse.ArgumentParser:
    """Makes the parser of the command line."""
    parser = argparse.ArgumentParser(
        'mujoco_ros_py sweep',
        description='Makes many runs of a simulation with its controllers, and tells which pass.',
        epilog='Exit status: 0 all have passed; 1 some have not; 2 it cannot be done; 130 Ctrl-C.',
    )
    parser.add_argument('file', nargs='?', type=Path, help='the scenarios (.yaml)')
    parser.add_argument('-o', '--output', type=Path, help='the folder of the results')
    parser.add_argument('--resume', action='store_true', help='make only what is missing')
    parser.add_argument('--address', default='', help='a cluster of Ray; default: this machine')
    parser.add_argument('--jobs', type=int, default=0, help='runs at once; default: the cores')
    parser.add_argument('--list', action='store_true', help='list the runs, and make none')
    parser.add_argument('--repeat', type=Path, metavar='FOLDER', help='repeat a run that was kept')
    parser.add_argument('--headless', action='store_true', help='with --repeat: no viewer')
    parser.add_argument(
        '--realtime', type=float, default=1.0,
        help='with --repeat: simulated seconds per second (1.0); -1: no wait',
    )  # fmt: skip
    return parser


def _carried_out(given: argparse.Namespace) -> int:
    if (given.file is None) == (given.repeat is None):
        raise ConfigError('a file of scenarios must be given, or --repeat with a folder')
    if given.repeat is not None:
        same = repeat(given.repeat, headless=given.headless, realtime=given.realtime)
        return PASSED if same else NOT_PASSED
    if given.jobs < 0:
        raise ConfigError(f'--jobs must be at least 1, got {given.jobs}')
    options = SweepOptions(
        output=given.output,
        resume=given.resume,
        address=given.address,
        jobs=given.jobs,
        only_list=given.list,
    )
    return PASSED if make_sweep(given.file, options) else NOT_PASSED
