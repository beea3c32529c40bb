"""The command `identify`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import numpy as np

from ..errors import ConfigError
from ..identification import SETS, FittedParameter, Result
from ..identification.fit import Progress
from ..identification.identify import identify as fitted
from ..identification.outputs import check_folder, write_outputs
from ..identification.parameter_file import read_question
from ..recording.files.bag_folder import single_file
from .several_words import SeveralWords

_FITS, _DOES_NOT_FIT = 0, 1


@click.command(
    cls=SeveralWords,
    epilog='Exit code: 0 done; 1 the held-out error exceeds --max-error; 2 not possible;'
    ' 130 Ctrl-C.',
)
@click.argument(
    'files', nargs=-1, required=True, metavar='FILE...', type=click.Path(path_type=Path)
)
@click.option(
    '--model', required=True, type=click.Path(path_type=Path), help='The model, MJCF or URDF.'
)
@click.option(
    '--fit', multiple=True, metavar='SET...', help=f'The sets of parameters: {", ".join(SETS)}.'
)
@click.option('--plugins', default='', metavar='FILE', help='The controllers in the loop (.yaml).')
@click.option(
    '--parameters',
    type=click.Path(path_type=Path),
    help='Options of the fit and of the recordings (.yaml).',
)
@click.option('--start', type=float, help='The first second to use; default: 0.')
@click.option('--end', type=float, help='The last second to use; default: all.')
@click.option(
    '--max-error', type=float, metavar='PERCENT',
    help='The largest error of held-out sequences, relative to the motion.',
)  # fmt: skip
@click.option(
    '-o', '--output', type=click.Path(path_type=Path), default=Path('twin'), show_default=True,
    help='The folder of the results.',
)  # fmt: skip
@click.option('--force', is_flag=True, help='Replace the results in an existing folder.')
@click.pass_obj
def identify(
    ros_arguments: list[str],
    /,
    files: tuple[Path, ...],
    model: Path,
    max_error: float | None,
    output: Path,
    force: bool,
    **given: Any,
) -> int:
    """Fit a model to recordings of a robot (.mcap).

    Writes the model with the fitted values, a report and the intervals of the values to a folder.
    """
    if ros_arguments:
        raise ConfigError('--ros-args is not for identify, which needs no ROS')
    check_folder(output, force=force)
    question = read_question(files, model, **given)
    result = fitted(question, Progress(sys.stderr))
    for line in _table(result.parameters):
        print(line)
    print()
    for line in _errors(result):
        print(line)
    options = given['plugins'], given['parameters']
    inputs = [*map(single_file, files), *(Path(each) for each in options if each)]
    for direction in result.directions:
        names = ', '.join(f'{weight:+.2f} {name}' for name, weight in direction.weights.items())
        print(f'note: the data do not determine {names}; {direction.advice}', file=sys.stderr)
    for warning in result.warnings:
        print(f'note: {warning}', file=sys.stderr)
    for path in write_outputs(output, model, result, files=inputs, force=force):
        print(path)
    return _exit_code(result, max_error)


def _table(parameters: tuple[FittedParameter, ...]) -> Iterator[str]:
    """Yields a row for each parameter: before, after, and the 95 % interval."""
    rows = [('', 'before', 'after', '95 % interval', '')]
    for each in parameters:
        interval = f'{each.low:.5g} to {each.high:.5g}' if each.identifiable else 'not determined'
        after = f'{each.after:.5g}{" (bound)" if each.at_bound else ""}'
        rows.append((each.name, f'{each.before:.5g}', after, interval, each.unit))
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield '  '.join(cells).rstrip()


def _errors(result: Result) -> Iterator[str]:
    for held, name in ((False, 'fitted'), (True, 'held-out')):
        found = [each for each in result.sequences if each.sequence.held_out == held]
        if found:
            before, after = (
                100.0
                * float(
                    np.sqrt(np.mean(np.square([pair[k] for pair in map(result.shares, found)])))
                )
                for k in (0, 1)
            )
            yield (
                f'error of {len(found)} {name} sequences: {before:.3g} % of the motion before,'
                f' {after:.3g} % after'
            )


def _exit_code(result: Result, most: float | None) -> int:
    if most is None:
        return _FITS
    held = [each for each in result.sequences if each.sequence.held_out]
    if not held:
        raise ConfigError('--max-error needs held-out sequences; record more, or set hold_out')
    worst = max(held, key=lambda each: result.shares(each)[1])
    share = 100.0 * result.shares(worst)[1]
    if share <= most:
        return _FITS
    print(
        f'{worst.sequence.name}: the error is {share:.3g} % of the motion, but --max-error is'
        f' {most:g} %',
        file=sys.stderr,
    )
    return _DOES_NOT_FIT
