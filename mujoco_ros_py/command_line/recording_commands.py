"""The commands `replay` and `render`."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from ..errors import ConfigError
from ..recording import RecordedRun, repair_file
from ..recording.playback import FilmOptions, render_film, verify, verify_with_plugins
from ..recording.playback.timeline import summary_lines
from ..recording.playback.viewer_replay import play_to_viewer
from ..server_start import model_process, ros_module

_DIFFERENT, _FAILED, _INCOMPLETE = 1, 2, 3
_FILM = FilmOptions()
_PROGRESS_S = 0.2
_CLEAR = '\r\033[K'
_TOPICS, _VIEWER, _VERIFY, _INFO, _CONTINUE = '', '--viewer', '--verify', '--info', '--continue-at'
_REPAIR = '--repair'
_WAYS = _VERIFY, _INFO, _VIEWER, _CONTINUE, _REPAIR
_USES = {
    'plugins': (_VERIFY,),
    'section': (_CONTINUE,),
    'with_commands': (_CONTINUE,),
    'topics': (_TOPICS,),
    'wait_for_subscribers': (_TOPICS,),
    'loop': (_TOPICS, _VIEWER),
    'start': (_TOPICS, _VIEWER),
    'end': (_TOPICS, _VIEWER),
    'rate': (_TOPICS, _VIEWER),
}
"""The modes of `replay` that accept each option. A mode is another option, or empty for playing to
topics."""


@click.command(
    epilog='Exit code: 0 done; 1 a state differs; 2 not possible; 3 parts of the file'
    ' are missing; 130 Ctrl-C. Arguments after --ros-args are for ROS.'
)
@click.argument('file', type=click.Path())
@click.argument('more_topics', nargs=-1, metavar='')
@click.option('--verify', is_flag=True, help='Repeat all steps, and compare.')
@click.option('--info', is_flag=True, help='Print what the recording contains.')
@click.option('--viewer', is_flag=True, help='Show the states in a browser, without ROS.')
@click.option('--continue-at', type=float, metavar='T', help='Run a server from the time T in s.')
@click.option(
    '--repair', type=click.Path(path_type=Path), metavar='OUTPUT',
    help='Write the readable parts of a damaged file to a new file, for other programs.',
)  # fmt: skip
@click.option('--section', type=int, help='With --continue-at: a section number of --info.')
@click.option(
    '--with-commands', is_flag=True,
    help='With --continue-at: plugins receive the recorded messages of their topics.',
)  # fmt: skip
@click.option('--plugins', is_flag=True, help='With --verify: also run the plugins again.')
@click.option(
    '--rate', type=float, default=1.0, help='Simulated seconds per second (1.0); -1: do not wait.'
)
@click.option('--start', type=float, help='The time to begin with, in s.')
@click.option('--end', type=float, help='The time to end with, in s.')
@click.option('--topics', multiple=True, metavar='TOPIC ...', help='Play these topics only.')
@click.option('--loop', is_flag=True, help='Begin again at the end.')
@click.option(
    '--wait-for-subscribers', is_flag=True,
    help='Begin once each topic that is played has a subscriber.',
)  # fmt: skip
@click.pass_context
def replay(ctx: click.Context, /, file: str, more_topics: tuple[str, ...], **options: Any) -> int:
    """Play the topics of a recording (.mcap), with its time as /clock.

    Or show its states, run a server that continues from a moment, or check that its steps repeat
    to the bit.
    """
    done = _checked(ctx, more_topics)
    if done == _REPAIR:
        return _repaired(Path(file), options['repair'])
    with RecordedRun(file) as recorded, Progress() as progress:
        if done == _INFO:
            print('\n'.join(summary_lines(recorded, progress)))
            return 0
        if done == _VERIFY:
            return _verified(recorded, progress, plugins=options['plugins'])
        if done == _VIEWER:
            return _shown(recorded, progress, options)
        if done == _CONTINUE:
            return _continued(recorded, options, ctx.obj)
        options['topics'] += more_topics
        return _played(recorded, options, ctx.obj)


@click.command(epilog='Exit code: 0 done; 2 not possible; 130 Ctrl-C, which leaves no film.')
@click.argument('file', type=click.Path())
@click.option(
    '-o', '--output', required=True, type=click.Path(path_type=Path), help='.mp4, .mkv, .webm'
)
@click.option('--camera', default='', help='A camera of the model; default: its first.')
@click.option('--width', type=int, default=_FILM.width, help='Pixels (1280).')
@click.option('--height', type=int, default=_FILM.height, help='Pixels (720).')
@click.option('--fps', type=float, default=_FILM.fps, help='Images per second (30).')
@click.option('--rate', type=float, default=_FILM.rate, help='0.1: ten times slower.')
@click.option('--start', 'start_s', type=float, help='The time to begin with, in s.')
@click.option('--end', 'end_s', type=float, help='The time to end with, in s.')
@click.option('--section', type=int, help='One section, see replay --info.')
@click.option('--plain', is_flag=True, help='No shadows or reflections: faster.')
@click.option('--force', is_flag=True, help='Overwrite an existing file.')
@click.pass_obj
def render(
    ros_arguments: list[str], /, file: str, output: Path, plain: bool, force: bool, **options: Any
) -> int:
    """Make a film of the states of a recording (.mcap)."""
    if ros_arguments:
        raise ConfigError('--ros-args is not for render, which needs no ROS')
    with RecordedRun(file) as recorded, Progress() as progress:
        if output.exists() and not force:
            raise ConfigError(f'{output} exists; --force overwrites it')
        film = FilmOptions(**options, shadows=not plain)
        count = render_film(recorded, output, film, progress)
        _tell_problems(recorded)
    print(f'{output}: {count} images, {count / film.fps:.1f} s')
    return 0


def _checked(ctx: click.Context, more_topics: Sequence[str]) -> str:
    """Returns the selected mode. Raises UsageError for options that this mode does not accept."""
    given = {
        name
        for name in ctx.params
        if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE
    }
    asked = [each for each in _WAYS if _name(each) in given]
    if len(asked) > 1:
        raise click.UsageError(f'{asked[1]} cannot be used with {asked[0]}', ctx)
    if more_topics and 'topics' not in given:
        raise click.UsageError(f'unexpected argument {more_topics[0]!r}', ctx)
    done = asked[0] if asked else _TOPICS
    if ctx.obj and done not in (_TOPICS, _CONTINUE):
        raise click.UsageError(f'--ros-args is not for {done}, which needs no ROS', ctx)
    for name, uses in _USES.items():
        if name in given and done not in uses:
            option = f'--{name.replace("_", "-")}'
            wrong = f'is not for {done}' if _TOPICS in uses else f'needs {uses[0]}'
            raise click.UsageError(f'{option} {wrong}', ctx)
    return done


def _name(option: str) -> str:
    return option[2:].replace('-', '_')


def _played(recorded: RecordedRun, options: dict[str, Any], ros_arguments: list[str]) -> int:
    """Plays to topics."""
    module = ros_module('topic_replay')
    names = 'rate', 'start', 'end', 'topics', 'loop', 'wait_for_subscribers'
    chosen = module.ReplayOptions(**{name: options[name] for name in names})
    code: int = module.play(recorded, chosen, ros_arguments)
    return code


def _continued(recorded: RecordedRun, options: dict[str, Any], ros_arguments: list[str]) -> int:
    """Runs a server that continues from a moment."""
    worker = model_process()
    go_on = ros_module('continued_run').go_on
    moment = options['continue_at'], options['section']
    with_commands = options['with_commands']
    code: int = go_on(recorded, *moment, ros_arguments, worker, with_commands=with_commands)
    return code


def _shown(recorded: RecordedRun, progress: Progress, options: dict[str, Any]) -> int:
    """Shows the states at an address, until Ctrl-C."""

    def announce(address: str) -> None:
        _tell_problems(recorded)
        print(f'viewer: {address}', flush=True)

    start, end = options['start'], options['end']
    play_to_viewer(
        recorded,
        announce,
        rate=options['rate'],
        start_s=float('-inf') if start is None else start,
        end_s=float('inf') if end is None else end,
        loop=options['loop'],
        tell=progress,
    )
    return 0


def _verified(recorded: RecordedRun, progress: Progress, *, plugins: bool) -> int:
    check: Any = verify_with_plugins if plugins else verify
    comparison = check(recorded, progress)
    _tell_problems(recorded)
    for note in comparison.notes:
        print(f'note: {note}', file=sys.stderr)
    counts = f'{comparison.states} states'
    if comparison.gaps:
        counts += f' ({comparison.gaps} not compared, because the previous state is missing)'
    if comparison.different:
        print(f'{counts}, {comparison.different} different; the first: {comparison.first}')
        return _DIFFERENT
    if not comparison.states:
        print(f'{counts}: nothing could be compared')
        return _FAILED
    if comparison.gaps or recorded.problems:
        print(f'{counts}, equal to the bit as far as the recording goes')
        return _INCOMPLETE
    print(f'{counts}, all equal to the bit')
    return 0


def _repaired(file: Path, output: Path) -> int:
    """Writes a repaired copy."""
    result = repair_file(file, output)
    for problem in result.problems:
        print(f'note: {problem}', file=sys.stderr)
    lost = ', without the missing or damaged parts' if result.lost else ''
    print(f'{output}: {result.messages} messages{lost}')
    return _INCOMPLETE if result.lost else 0


def _tell_problems(recorded: RecordedRun) -> None:
    for problem in recorded.problems:
        print(f'note: {problem}', file=sys.stderr)


class Progress:
    """Shows the processed share of a file on a terminal; leaving the context clears the line."""

    def __init__(self) -> None:
        self._told = time.monotonic()
        self._terminal = sys.stderr.isatty()

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *error: object) -> None:
        self._write('')

    def __call__(self, share: float) -> None:
        """Shows the share, from 0 to 1, at most a few times a second."""
        now = time.monotonic()
        if share >= 1.0:
            self._write('')
        elif now > self._told + _PROGRESS_S:
            self._told = now
            self._write(f'{share:.0%}')

    def _write(self, text: str) -> None:
        if self._terminal:
            sys.stderr.write(f'{_CLEAR}{text}')
            sys.stderr.flush()
