"""The command `new`, which creates a ROS package from the example package."""

from __future__ import annotations

import keyword
import re
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns
from tempfile import TemporaryDirectory

import click

from ..errors import ConfigError

_TEMPLATE = 'my_robot'
_NAME = re.compile(r'[a-z](_?[a-z0-9])+')
"""Matches the package names that REP 144 allows."""
_OTHERS = {'mujoco', 'mujoco_ros_py', 'numba', 'numpy', 'rclpy', 'test'}
_IMPORTED = sys.stdlib_module_names | _OTHERS
"""Modules that a package of the same name would hide, or that would hide the package."""
_BUILT = ignore_patterns('__pycache__', '*.egg-info', 'build', '.*')


@click.command()
@click.argument('name')
@click.option(
    '--directory', type=click.Path(file_okay=False, path_type=Path), default='.',
    help='Create the package in this directory, by default in the current one.',
)  # fmt: skip
def new(name: str, directory: Path) -> None:
    """Create a ROS package with a robot, its plugins, a launch file and a test.

    NAME is the name of the package. Its README says how to run it.
    """
    if not _NAME.fullmatch(name) or keyword.iskeyword(name):
        raise ConfigError(
            f'{name}: the name of a package must have only lower-case letters, digits and single'
            ' underscores, must begin with a letter, and must not be a Python keyword'
        )
    if name in _IMPORTED:
        raise ConfigError(f'{name}: a Python module has this name; choose another name')
    package = directory / name
    if package.exists():
        raise ConfigError(f'{package} exists; nothing was written')
    directory.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=directory, prefix=f'.{name}_') as folder:
        copytree(_template(), Path(folder) / name, ignore=_BUILT)
        _rename(Path(folder) / name, name)
        (Path(folder) / name).rename(package)  # the package appears only when it is complete
    for path in sorted(package.rglob('*')):
        if path.is_file():
            click.echo(path)
    click.echo(
        f'\nNext: cd {package} && pip install --editable . pytest'
        '\n      mujoco_ros_py robot.xml plugins.yaml --viewer'
    )


def _template() -> Path:
    """Returns the folder of the example package, which is installed with this package."""
    from ..engine.resources import local_path  # imports MuJoCo, which would slow down --help

    folder = local_path(f'package://mujoco_ros_py/examples/{_TEMPLATE}')
    if not folder.is_dir():
        raise ConfigError(f'{folder} is missing: reinstall mujoco_ros_py')
    return folder


def _rename(folder: Path, name: str) -> None:
    """Replaces the name of the template in the texts and in the names of files and folders."""
    for path in sorted(folder.rglob('*'), reverse=True):  # a folder after its files
        if path.is_file():
            path.write_text(path.read_text().replace(_TEMPLATE, name))
        path.rename(path.with_name(path.name.replace(_TEMPLATE, name)))
