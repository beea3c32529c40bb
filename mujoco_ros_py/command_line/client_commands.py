"""The commands that talk to running nodes. They import ROS when they run, not for their help."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from ..server_start import ros_module

if TYPE_CHECKING:
    from ..ros.client import Client

_REFUSED = 1
"""The exit code if the server refuses a request."""
_NEGATIVE = re.compile(r'-(\d|\.\d|\.inf).*')
_CODES = """\
A NAME without a leading slash is relative to the server; values are YAML.

Exit code: 0 success; 1 refused, or no answer in time; 2 bad input; 130 Ctrl-C."""


class ClientCommand(click.Command):
    """A command that gets a client, instead of the ROS arguments, as its click object.

    The client is closed when the command ends.
    """

    def __init__(self, *args: Any, **more: Any) -> None:
        """Adds the options that all client commands have."""
        super().__init__(*args, **more)
        self.epilog = _CODES
        self.params += [
            click.Option(
                ['--node'], default='/mujoco_server', show_default=True, metavar='NAME',
                help='The node of the server.',
            ),
            click.Option(
                ['--timeout'], type=click.FloatRange(min=0), default=10.0, show_default=True,
                metavar='SECONDS', help='The longest wait for an answer.',
            ),
        ]  # fmt: skip

    def invoke(self, ctx: click.Context) -> Any:
        """Creates the client, and calls the command's function."""
        node, timeout = ctx.params.pop('node'), ctx.params.pop('timeout')
        with ros_module('client').Client(node, timeout, ctx.obj) as client:
            ctx.obj = client
            return super().invoke(ctx)


@click.command(cls=ClientCommand)
@click.argument('name')
@click.argument('request', default='{}')
@click.pass_obj
def call(client: Any, name: str, request: str) -> int:
    """Call a service: mujoco_ros_py call set_pause '{data: true}'."""
    return 0 if ros_module('client').call(client, name, request) else _REFUSED


def _value(ctx: click.Context, parameter: click.Parameter, value: str) -> str:
    """Accepts negative numbers, which click would take for options."""
    if value.startswith('-') and not _NEGATIVE.fullmatch(value):
        raise click.NoSuchOption(value, ctx=ctx)
    return value


@click.command('set', cls=ClientCommand, context_settings={'ignore_unknown_options': True})
@click.argument('name', callback=_value)
@click.argument('value', callback=_value)
@click.pass_obj
def set_parameter(client: Client, name: str, value: str) -> int:
    """Set a parameter: mujoco_ros_py set realtime 0.5."""
    return 0 if ros_module('client').set_value(client, name, value) else _REFUSED


@click.command('get', cls=ClientCommand)
@click.argument('names', nargs=-1, required=True, metavar='NAME...')
@click.pass_obj
def get_parameters(client: Client, names: tuple[str, ...]) -> None:
    """Print the values of parameters: mujoco_ros_py get realtime."""
    ros_module('client').get_values(client, names)


@click.command(cls=ClientCommand)
@click.argument('name')
@click.argument('message')
@click.option('--rate', type=float, metavar='HZ', help='Publish until Ctrl-C; default: once.')
@click.pass_obj
def publish(client: Client, name: str, message: str, rate: float | None) -> None:
    """Publish a message as soon as the topic has a subscriber.

    mujoco_ros_py publish /arm/joint_commands '{name: [elbow], position: [0.5]}'
    """
    ros_module('client').publish(client, name, message, rate)


@click.command(cls=ClientCommand)
@click.argument('name')
@click.option('--once', is_flag=True, help='Print one message.')
@click.option('--count', type=click.IntRange(min=1), help='Print this many messages.')
@click.option('--full', is_flag=True, help='Print long lists and strings in full.')
@click.pass_obj
def echo(client: Client, name: str, once: bool, count: int | None, full: bool) -> None:
    """Print the messages on a topic, until Ctrl-C: mujoco_ros_py echo /joint_states."""
    ros_module('client').echo(client, name, 1 if once else count, full=full)


@click.command('list', cls=ClientCommand)
@click.argument(
    'kind', type=click.Choice(['nodes', 'services', 'topics', 'actions']), required=False
)
@click.pass_obj
def list_names(client: Client, kind: str | None) -> None:
    """List nodes, services, topics and actions, with their types."""
    ros_module('client').list_names(client, kind)


@click.command(cls=ClientCommand)
@click.argument('name')
@click.argument('goal', default='{}')
@click.option('--feedback', is_flag=True, help='Also print the feedback.')
@click.pass_obj
def action(client: Client, name: str, goal: str, feedback: bool) -> int:
    """Send a goal, and print its result; Ctrl-C cancels it.

    mujoco_ros_py action step '{num_steps: 10}'
    """
    return 0 if ros_module('client').send_goal(client, name, goal, feedback=feedback) else _REFUSED


@click.group()
def param() -> None:
    """List, describe, save and set the parameters of the server."""


@param.command('list', cls=ClientCommand)
@click.argument('prefix', default='')
@click.pass_obj
def list_parameters(client: Client, prefix: str) -> None:
    """List the parameters whose names begin with a prefix."""
    ros_module('client').list_parameters(client, prefix)


@param.command('describe', cls=ClientCommand)
@click.argument('names', nargs=-1, required=True, metavar='NAME...')
@click.pass_obj
def describe_parameters(client: Client, names: tuple[str, ...]) -> None:
    """Print the purpose of parameters, and the values that they accept."""
    ros_module('client').describe_parameters(client, names)


@param.command('dump', cls=ClientCommand)
@click.pass_obj
def dump_parameters(client: Client) -> None:
    """Print all parameters as a parameter file: mujoco_ros_py param dump > server.yaml."""
    ros_module('client').dump_parameters(client)


param.add_command(get_parameters)
param.add_command(set_parameter)


@click.command(cls=ClientCommand)
@click.argument('target', required=False)
@click.argument('source', required=False)
@click.pass_obj
def tf(client: Client, target: str | None, source: str | None) -> None:
    """Print the pose of the frame SOURCE in the frame TARGET; without them, the tree of frames.

    mujoco_ros_py tf world hand
    """
    if target is None:
        ros_module('client').describe_frames(client)
    elif source is None:
        raise click.UsageError('two frames are needed, or none')
    else:
        ros_module('client').describe_pose(client, target, source)
