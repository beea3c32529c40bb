"""The command `excite`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import numpy as np

from ..config import read
from ..errors import ConfigError
from ..identification.excitation import Design, LimitOptions, Request, design, trajectory_yaml
from ..identification.excitation.design import SETS
from ..identification.excitation.joint_limits import read_limits
from ..identification.options import FitOptions
from .several_words import SeveralWords

_LIMITS = 'velocity', 'acceleration', 'effort', 'margin'
_RARELY_USED = 0.5
"""The share of a motion below which a note is worth it."""


@click.command(
    cls=SeveralWords,
    epilog='Exit code: 0 done; 2 not possible; 130 Ctrl-C. Publish the file to the topic'
    ' joint_trajectory of a JointTrajectoryController.',
)
@click.option(
    '--model', required=True, type=click.Path(path_type=Path), help='The model, MJCF or URDF.'
)
@click.option('--joints', required=True, multiple=True, metavar='NAME...', help='What to move.')
@click.option(
    '--fit', multiple=True, default=('friction', 'armature'), metavar='SET...',
    help=f'What identify will fit: {", ".join(SETS)}; default: friction armature.',
)  # fmt: skip
@click.option('--only', multiple=True, metavar='PATTERN...', help='Of these joints and bodies.')
@click.option('--length', type=float, default=10.0, show_default=True, help='The length in s.')
@click.option('--keyframe', default='', metavar='NAME', help='The start; default: all joints 0.')
@click.option(
    '--limits', type=click.Path(path_type=Path), metavar='FILE',
    help="The joints' limits (joint_limits.yaml of MoveIt); ranges come from the model.",
)  # fmt: skip
@click.option('--velocity', type=float, default=1.0, show_default=True, help='In rad/s or m/s.')
@click.option(
    '--acceleration', type=float, default=3.0, show_default=True, help='In rad/s^2 or m/s^2.'
)
@click.option('--effort', type=float, help="In N m or N; default: the actuators' largest.")
@click.option(
    '--margin', type=float, default=0.05, show_default=True,
    help='The share of the range to avoid at each end.',
)  # fmt: skip
@click.option(
    '--noise', type=float, help='Of measured efforts, in N m or N; default: 1 % of the largest.'
)
@click.option('--rate', type=float, default=100.0, show_default=True, help='Of measurements, Hz.')
@click.option('--iterations', type=int, default=40, show_default=True, help='Of the optimiser.')
@click.option('--seed', type=int, default=0, show_default=True, help='Of random motions.')
@click.option(
    '-o', '--output', type=click.Path(path_type=Path), default=Path('goals.yaml'),
    show_default=True, help='The trajectory (trajectory_msgs/JointTrajectory).',
)  # fmt: skip
@click.option('--force', is_flag=True, help='Overwrite an existing file.')
@click.pass_obj
def excite(
    ros_arguments: list[str], /, output: Path, force: bool, limits: Path | None, **given: Any
) -> int:
    """Design a motion of joints that determines the parameters of a model.

    Prints the predicted 95 % intervals, next to those after a random motion of the same length.
    """
    if ros_arguments:
        raise ConfigError('--ros-args is not for excite, which needs no ROS')
    if output.exists() and not force:
        raise ConfigError(f'{output} exists; --force overwrites it')
    found = design(_request(limits, given), _progress)
    _end_progress()
    text = trajectory_yaml(found.joints, found.motion)
    try:
        output.write_text(text, encoding='utf-8')
    except OSError as error:
        raise ConfigError(f'{output} cannot be written: {error.strerror}') from None
    for line in _table(found):
        print(line)
    if found.used < _RARELY_USED:
        print(
            f'note: efforts and the distances of bodies permit {100.0 * found.used:.0f} % of the'
            ' motion; choose another --keyframe, or fewer joints',
            file=sys.stderr,
        )
    print(output)
    return 0


def _request(limits: Path | None, given: dict[str, Any]) -> Request:
    joints = {} if limits is None else read_limits(limits)
    options = {name: given.pop(name) for name in _LIMITS}
    fit = {'fit': given.pop('fit'), 'only': given.pop('only')}
    model = given.pop('model')
    given.update(
        limits=read(LimitOptions, {**options, 'joints': joints}), fit=read(FitOptions, fit)
    )
    return Request(model=model, **given)


def _progress(share: float) -> None:
    if sys.stderr.isatty():
        print(f'\rwidth of the confidence region: {100.0 * share:.1f} %', end='', file=sys.stderr)


def _end_progress() -> None:
    if sys.stderr.isatty():
        print(file=sys.stderr)


def _table(found: Design) -> Iterator[str]:
    """Yields a row for each parameter: its value, and half of the intervals."""
    rows = [('', 'value', '95 % interval', 'random motion', '')]
    for each, widths in zip(found.parameters, found.random, strict=True):
        half = f'± {(each.high - each.low) / 2.0:.3g}' if each.identifiable else 'not determined'
        other = float(np.median(widths)) / 2.0
        random = f'± {other:.3g}' if np.isfinite(other) else 'not determined'
        rows.append((each.name, f'{each.before:.4g}', half, random, each.unit))
    columns = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, columns, strict=True))
        yield '  '.join(cells).rstrip()
    yield (
        f'the confidence region is {found.ratio:.2f} times as wide as after a random motion of the'
        ' same length'
    )
