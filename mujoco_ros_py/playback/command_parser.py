"""The options of `mujoco_ros_py replay` and `mujoco_ros_py render`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ..errors import ConfigError
from .film import FilmOptions

_TOPICS, _VIEWER, _VERIFY, _CONTINUE = '', '--viewer', '--verify', '--continue-at'
_WHERE = {
    'plugins': (_VERIFY,),
    'section': (_CONTINUE,),
    'topics': (_TOPICS,),
    'wait_for_subscribers': (_TOPICS,),
    'loop': (_TOPICS, _VIEWER),
    'start': (_TOPICS, _VIEWER),
    'end': (_TOPICS, _VIEWER),
    'rate': (_TOPICS, _VIEWER),
}
"""What options of `replay` are for: an option of what is done, or playing to topics."""


def make_parser() -> argparse.ArgumentParser:
    """Makes the parser of the command line."""
    parser = argparse.ArgumentParser('mujoco_ros_py')
    commands = parser.add_subparsers(dest='command', required=True)
    replay = commands.add_parser(
        'replay',
        help='plays, checks or describes a recording',
        description='Plays the topics of a recording, with its time as /clock; or shows its'
        ' states; or goes on from a moment, as a server; or checks that its steps repeat to the'
        ' bit.',
        epilog='What follows --ros-args is for ROS. '
        'Exit status: 0 done; 1 a state differs; 2 it cannot be done; 130 Ctrl-C.',
    )
    replay.add_argument('file', metavar='FILE', help='the recording (.mcap)')
    what = replay.add_mutually_exclusive_group()
    what.add_argument('--verify', action='store_true', help='make all steps again, and compare')
    what.add_argument('--info', action='store_true', help='tell what the recording contains')
    what.add_argument(
        '--viewer', action='store_true', help='show the states in a browser, without ROS'
    )
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


def check_options(given: argparse.Namespace) -> None:
    """Raises ConfigError for an option that is not for what is asked for."""
    done = 'render' if given.command == 'render' else _TOPICS
    for option in ('--info', _VERIFY, _VIEWER, _CONTINUE):
        asked = getattr(given, option[2:].replace('-', '_'), None)
        if asked is not None and asked is not False:  # a time may be 0
            done = option
    if given.ros_arguments and done not in (_TOPICS, _CONTINUE):
        raise ConfigError(f'--ros-args is not for {done}, which needs no ROS')
    if done == 'render':
        return
    usual = make_parser().parse_args(['replay', given.file])
    for name, options in _WHERE.items():
        if done not in options and getattr(given, name) != getattr(usual, name):
            option = f'--{name.replace("_", "-")}'
            if _TOPICS in options:
                raise ConfigError(f'{option} is not for {done}')
            raise ConfigError(f'{option} needs {options[0]}')
