"""The tree of commands. Each command is imported when it is used; the help imports no command."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any, NoReturn

import click
from click.shell_completion import CompletionItem, get_completion_class

from ..config.wording import unknown
from ..errors import MujocoRosError, NoAnswerError
from .ros_arguments import ros_hint, split_ros_arguments

PROGRAM = 'mujoco_ros_py'
COMMANDS = {
    'new': ('command_line.new_command:new', 'Create a ROS package with a robot and plugins.'),
    'run': ('command_line.run_command:run', 'Run a server with a model.'),
    'prepare': ('command_line.prepare_command:prepare', 'Compile ahead of the first start.'),
    'call': ('command_line.client_commands:call', 'Call a service.'),
    'set': ('command_line.client_commands:set_parameter', 'Set a parameter.'),
    'get': ('command_line.client_commands:get_parameters', 'Print the values of parameters.'),
    'publish': ('command_line.client_commands:publish', 'Publish a message.'),
    'echo': ('command_line.client_commands:echo', 'Print the messages on a topic.'),
    'list': ('command_line.client_commands:list_names', 'List nodes, services, topics, actions.'),
    'action': ('command_line.client_commands:action', 'Send a goal, and wait for its result.'),
    'param': ('command_line.client_commands:param', 'List, describe, save and set parameters.'),
    'tf': ('command_line.client_commands:tf', 'Print the pose of a frame in another.'),
    'replay': ('command_line.recording_commands:replay', 'Play, check or continue a recording.'),
    'render': ('command_line.recording_commands:render', 'Make a film of a recording.'),
    'latency': ('command_line.latency_command:latency', 'Estimate the delay of commands.'),
    'identify': ('command_line.identify_command:identify', 'Fit a model to recordings.'),
    'excite': (
        'command_line.excite_command:excite',
        'Design a motion that determines the model of a robot.',
    ),
    'sweep': ('command_line.sweep_command:sweep', 'Make many runs, and report which pass.'),
    'mjcf': ('mjcf.tools.commands:mjcf', 'Check, format, compare and export models.'),
    'docs': ('command_line.docs_command:docs', 'Print a page of the documentation.'),
    'parameter-server': (
        'command_line.run_command:parameter_server',
        'Hold parameters for servers.',
    ),
    'completion': ('command_line.command_tree:completion', 'Print a completion script.'),
}
"""The module and name of each command, relative to this package, and its help text."""

BAD_INPUT, NO_ANSWER, INTERRUPTED = 2, 1, 128 + signal.SIGINT
_PIPE_CLOSED = 128 + signal.SIGPIPE
_MODEL = re.compile(r'.*[./:]', re.DOTALL)
"""Matches a file or a URI, as opposed to a misspelt command."""
_OWN_OPTIONS = ('-h', '--help', '--version')
_EPILOG = """\
\b
A model runs by itself:  mujoco_ros_py robot.xml plugins.yaml --viewer
All settings are ROS parameters:  mujoco_ros_py --ros-args -p modelfile:=robot.xml

Arguments after --ros-args are for ROS. Each command has its own --help.
Exit code: 0 success; 1 refused, no answer, or a difference found; 2 bad input; 130 Ctrl-C."""


def run(argv: Sequence[str]) -> int:
    """Runs a command and returns the exit code; no error ends with a traceback."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _interrupt)
    _interrupts.clear()
    words, ros_arguments = split_ros_arguments(argv)
    if f'_{PROGRAM}_complete'.upper() in os.environ:
        tree.main(words, PROGRAM)  # prints completions and ends the process
    try:
        with tree.make_context(PROGRAM, words, obj=ros_arguments) as context:
            return int(tree.invoke(context) or 0)
    except click.exceptions.Exit as end:  # raised by --help
        return end.exit_code
    except click.ClickException as error:
        error.show()
        if hint := ros_hint(words):
            print(hint, file=sys.stderr)
        return BAD_INPUT
    except BrokenPipeError:  # as in `| head`
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _PIPE_CLOSED


_interrupts: list[int] = []
"""The signals that have interrupted the command."""


def _interrupt(number: int, frame: object) -> NoReturn:
    """Raises KeyboardInterrupt. Inside a conversion of pybind11, rclpy makes it a RuntimeError."""
    _interrupts.append(number)
    raise KeyboardInterrupt


class CommandTree(click.Group):
    """The commands; a model without a command goes to `run`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Returns the names of the commands in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Imports the command."""
        if cmd_name not in COMMANDS:
            return None
        ctx.invoked_subcommand = cmd_name  # errors while its module is imported name it
        module, name = COMMANDS[cmd_name][0].split(':')
        found: click.Command = getattr(import_module(f'{PROGRAM}.{module}'), name)
        return found

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Reads options before a model as options of `run`."""
        if args and args[0].startswith('-') and args[0] not in _OWN_OPTIONS:
            args = ['run', *args]
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Finds the command. Raises UsageError with a suggestion for an unknown command."""
        name = args[0]
        if name not in COMMANDS and not ctx.resilient_parsing:
            if not _MODEL.match(name) and not os.path.exists(name):
                raise click.UsageError(unknown('command', name, COMMANDS), ctx)
            args = ['run', *args]
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the table of the commands."""
        with formatter.section('Commands'):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Completes commands, and the file names of models."""
        named = [
            CompletionItem(name, help=text)
            for name, (_, text) in COMMANDS.items()
            if name.startswith(incomplete)
        ]
        if incomplete.startswith('-'):
            return super(click.Group, self).shell_complete(ctx, incomplete)
        return [*named, CompletionItem(incomplete, type='file')]

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command. Prints an error in one line, and returns the exit code for it."""
        try:
            return super().invoke(ctx)
        except MujocoRosError as error:
            print(f'{PROGRAM} {ctx.invoked_subcommand}: {error}', file=sys.stderr)
            return NO_ANSWER if isinstance(error, NoAnswerError) else BAD_INPUT
        except (KeyboardInterrupt, RuntimeError) as error:
            if isinstance(error, RuntimeError) and not _interrupts:
                raise
            print(f'{PROGRAM} {ctx.invoked_subcommand}: interrupted', file=sys.stderr)
            return INTERRUPTED


def _print_version(ctx: click.Context, parameter: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        print('\n'.join(_versions()))
        ctx.exit()


def _versions() -> Iterator[str]:
    """Yields the lines that a bug report needs: the versions of installed packages."""
    import platform
    from importlib.metadata import PackageNotFoundError, version

    from .. import __version__

    yield f'{PROGRAM} {__version__}'
    yield f'Python {platform.python_version()}, {platform.platform()}'
    for name in ('mujoco', 'mujoco-core', 'numba', 'llvmlite', 'numpy', 'ros-rclpy', 'rclpy'):
        with suppress(PackageNotFoundError):
            yield f'{name} {version(name)}'
    yield f'RMW_IMPLEMENTATION={os.environ.get("RMW_IMPLEMENTATION", "")}'


tree = CommandTree(
    help='A ROS 2 simulation server for MuJoCo.',
    epilog=_EPILOG,
    subcommand_metavar='[COMMAND | MODEL [PLUGINS]] ...',
    context_settings={'help_option_names': ['-h', '--help']},
    params=[
        click.Option(
            ['--version'], is_flag=True, is_eager=True, expose_value=False,
            callback=_print_version, help='Print the versions for a bug report.',
        )
    ],
)  # fmt: skip


@click.command(epilog='In ~/.bashrc or ~/.zshrc: eval "$(mujoco_ros_py completion bash)"')
@click.argument('shell', type=click.Choice(['bash', 'zsh', 'fish']))
def completion(shell: str) -> None:
    """Print a script with which the shell completes commands, options and files."""
    kind = get_completion_class(shell)
    assert kind is not None, 'click has a class for each of the choices'
    click.echo(kind(tree, {}, PROGRAM, f'_{PROGRAM}_complete'.upper()).source())
