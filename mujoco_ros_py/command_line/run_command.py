"""The command `run`, which is also the default for a model without a command."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from ..config.parameter_files import holds_parameters, quoted
from ..server_start import serve, serve_parameters
from .ros_arguments import BEGIN, is_assignment


def _not_for_ros(ctx: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    if value is not None and is_assignment(value):
        raise click.UsageError(f'{value} is a ROS argument', ctx)
    return value


@click.command(epilog='Set all other parameters by --ros-args -p NAME:=VALUE.')
@click.argument('model', type=click.Path(), callback=_not_for_ros)
@click.argument('plugins', type=click.Path(), required=False, callback=_not_for_ros)
@click.option('--viewer', is_flag=True, help='Show the simulation in a browser.')
@click.option('--window', is_flag=True, help='Show the simulation in a window.')
@click.option('--speed', type=float, help='Simulated seconds per second; -1: do not wait.')
@click.option('--paused', is_flag=True, help='Wait for a step or an unpause.')
@click.option('--steps', type=int, help='Stop and exit after this many steps.')
@click.pass_obj
def run(ros_arguments: list[str], /, model: str, plugins: str | None, **options: Any) -> int:
    """Run a server with a MODEL: MJCF, URDF, .mjb, .zip, or a URI such as package://pkg/path.

    PLUGINS is a YAML file with a list of plugins, or a ROS parameter file.
    """
    return serve([BEGIN, *_arguments(model, plugins, **options), *ros_arguments[1:]])


def model_arguments(model: str, plugins: str) -> Iterator[str]:
    """Yields the ROS arguments for a model and for its plugins; either may be empty."""
    from_file = bool(plugins) and holds_parameters(plugins)
    if from_file:  # first: later arguments override it
        yield from ('--params-file', plugins)
    if model:
        yield from ('-p', f'modelfile:={quoted(model)}')
    if plugins and not from_file:
        yield from ('-p', f'MujocoPlugins:={quoted(plugins)}')


def _arguments(
    model: str,
    plugins: str | None,
    *,
    viewer: bool,
    window: bool,
    speed: float | None,
    paused: bool,
    steps: int | None,
) -> Iterator[str]:
    """Yields the equivalent ROS arguments."""
    yield from model_arguments(model, plugins or '')
    values: dict[str, Any] = {}
    values |= {'viewer': 'web'} if viewer else {}
    values |= {'headless': 'false'} if window else {}
    values |= {'realtime': speed} if speed is not None else {}
    values |= {'unpause': 'false'} if paused else {}
    values |= {'num_steps': steps} if steps is not None else {}
    for name, value in values.items():
        yield from ('-p', f'{name}:={value}')


@click.command('parameter-server')
@click.pass_obj
def parameter_server(ros_arguments: list[str]) -> int:
    """Run a node that only holds parameters, for all servers in its namespace and below.

    Pass them with --ros-args --params-file FILE or -p NAME:=VALUE.
    """
    return serve_parameters(ros_arguments)
