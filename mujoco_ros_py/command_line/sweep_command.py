"""The command `sweep`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ..errors import ConfigError
from ..sweep import SweepOptions, make_sweep, repeat

_PASSED, _NOT_PASSED, _INTERRUPTED = 0, 1, 130


@click.command(epilog='Exit code: 0 all runs passed; 1 some did not; 2 not possible; 130 Ctrl-C.')
@click.argument('file', required=False, type=click.Path(path_type=Path))
@click.option('-o', '--output', type=click.Path(path_type=Path), help='The folder of the results.')
@click.option('--resume', is_flag=True, help='Make only the missing runs.')
@click.option('--address', default='', help='A cluster of Ray; default: this machine.')
@click.option('--jobs', type=int, default=0, help='Runs at once; default: the cores.')
@click.option('--list', 'only_list', is_flag=True, help='Only list the runs.')
@click.option(
    '--repeat',
    'kept',
    metavar='FOLDER',
    type=click.Path(path_type=Path),
    help='Repeat a kept run.',
)
@click.option('--headless', is_flag=True, help='With --repeat: no viewer.')
@click.option(
    '--realtime', type=float, default=1.0,
    help='With --repeat: simulated seconds per second (1.0); -1: do not wait.',
)  # fmt: skip
@click.pass_obj
def sweep(
    ros_arguments: list[str],
    /,
    file: Path | None,
    output: Path | None,
    resume: bool,
    address: str,
    jobs: int,
    only_list: bool,
    kept: Path | None,
    headless: bool,
    realtime: float,
) -> int:
    """Make the runs of a FILE of scenarios (.yaml), and report which pass."""
    if ros_arguments:
        raise ConfigError('--ros-args is not for sweep: the file has the parameters of its runs')
    if (file is None) == (kept is None):
        raise ConfigError('a file of scenarios must be given, or --repeat with a folder')
    if kept is not None:
        same = repeat(kept, headless=headless, realtime=realtime)
        return _PASSED if same else _NOT_PASSED
    if jobs < 0:
        raise ConfigError(f'--jobs must be at least 1, got {jobs}')
    assert file is not None
    options = SweepOptions(
        output=output, resume=resume, address=address, jobs=jobs, only_list=only_list
    )
    try:
        return _PASSED if make_sweep(file, options) else _NOT_PASSED
    except KeyboardInterrupt:
        print('mujoco_ros_py sweep: interrupted; --resume continues', file=sys.stderr)
        return _INTERRUPTED
