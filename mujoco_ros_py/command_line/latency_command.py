"""The command `latency`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import yaml

from ..errors import ConfigError
from ..recording import RecordedRun
from ..recording.files.bag_folder import single_file
from ..recording.latency import DISTRIBUTIONS, TIMES, Estimate, Question, estimate_latency

_LEAST_AGE_S = 0.0005
"""The shortest delay of the states that is worth a note."""
_METHODS = {
    'onset': 'changes, from each change to the onset of motion',
    'correlation': 'windows of time, by correlation, including the phase of the robot',
}


@click.command(
    epilog='Exit code: 0 done; 2 not possible; 130 Ctrl-C. The output is an entry of the timeline'
    ' of the plugin Imperfections.'
)
@click.argument('file', type=click.Path(path_type=Path))
@click.option('--commands', required=True, metavar='TOPIC', help='The commands.')
@click.option('--states', required=True, metavar='TOPIC', help='The joint states or odometry.')
@click.option('--joint', default='', metavar='NAME', help='The joint; default: the only one.')
@click.option(
    '--command-field', default='', metavar='N',
    help='An index of an array (0); linear.x and so on of a twist; or like --state.',
)  # fmt: skip
@click.option(
    '--state', default='', metavar='FIELD',
    help='position, velocity or effort (the first in the messages); linear.x and so on.',
)  # fmt: skip
@click.option(
    '--max', 'longest', type=float, default=0.5, show_default=True, metavar='SECONDS',
    help='The longest possible delay.',
)  # fmt: skip
@click.option(
    '--time', 'clock', type=click.Choice(TIMES), default='received', show_default=True,
    help='Receive times include the delay of the states; stamps need synchronous clocks.',
)  # fmt: skip
@click.option(
    '--distribution', type=click.Choice(DISTRIBUTIONS), default='auto', show_default=True,
    help='auto: the best by BIC.',
)  # fmt: skip
@click.option(
    '--from-onset', is_flag=True,
    help='Use only changes after a rest, to exclude the phase of the robot.',
)  # fmt: skip
@click.option('-o', '--output', type=click.Path(path_type=Path), help='Write the entry to a file.')
@click.option('--force', is_flag=True, help='Overwrite an existing file.')
@click.pass_obj
def latency(
    ros_arguments: list[str], /, file: Path, output: Path | None, force: bool, **options: Any
) -> int:
    """Estimate the delay of commands from a recording of a robot (.mcap).

    Compares the times of commands with the times at which the states follow.
    """
    if ros_arguments:
        raise ConfigError('--ros-args is not for latency, which needs no ROS')
    if output is not None and output.exists() and not force:
        raise ConfigError(f'{output} exists; --force overwrites it')
    file = single_file(file)
    with RecordedRun(file) as run:
        estimate = estimate_latency(run, Question(**options))
        for note in (*run.problems, *_notes(estimate)):
            print(f'note: {note}', file=sys.stderr)
    text = ''.join(f'# {line}\n' for line in _summary(file, estimate)) + _entry(estimate)
    print(text, end='')
    if output is not None:
        try:
            output.write_text(text, encoding='utf-8')
        except OSError as error:
            raise ConfigError(f'{output} cannot be written: {error.strerror}') from None
    return 0


def _summary(file: Path, estimate: Estimate) -> Iterator[str]:
    """Yields lines about the topics, the number of delays, and their statistics."""
    commands, states = estimate.commands, estimate.states
    yield f'{file}: {commands.topic} ({commands.what}) to {states.topic} ({states.what})'
    yield f'{len(estimate.delays.values)} {_METHODS[estimate.method]}'
    for name, (value, low, high) in (
        ('mean', estimate.mean), ('standard deviation', estimate.stddev),
    ):  # fmt: skip
        yield f'{name} {_ms(value)} ms, 95 % confidence {_ms(low)} to {_ms(high)} ms'


def _notes(estimate: Estimate) -> Iterator[str]:
    """Yields notes about what limits the accuracy of the result."""
    if estimate.unseen:
        yield f'{estimate.unseen} changes have no visible response, or states are missing'
    if estimate.method == 'correlation':
        yield (
            'the delay includes the phase of the robot, and its deviation applies to averages over'
            ' windows; --from-onset uses only changes after a rest'
        )
    age = estimate.states.age
    if age is not None and not estimate.states.stamped and _LEAST_AGE_S < age < 1.0:
        yield (
            f'{estimate.states.topic} was received {_ms(age)} ms after its stamps (median), which'
            ' is part of the delay; --time stamp excludes it if the clocks are synchronous'
        )
    if estimate.fit.rejected:
        yield f'the delays do not fit the {estimate.fit.name} distribution (Kolmogorov-Smirnov)'


def _entry(estimate: Estimate) -> str:
    """Returns the entry of the timeline."""
    entry = {'late_commands': {'of': estimate.commands.topic, 'latency': estimate.fit.latency}}
    text: str = yaml.safe_dump(entry, sort_keys=False, default_flow_style=None, width=99)
    return text


def _ms(seconds: float) -> str:
    return f'{1000.0 * seconds:.2f}'
