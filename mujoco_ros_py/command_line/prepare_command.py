"""The command `prepare`, which compiles everything that a start would have to compile."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Sequence

import click

from ..engine import CRASHES, LOCKSTEP, LOOP, MESSAGES, code_folder, compiled_functions
from ..engine import prepare as prepare_functions
from ..server_start import ros_module
from .ros_arguments import BEGIN
from .run_command import model_arguments

_DISCOVERY = 'ROS_AUTOMATIC_DISCOVERY_RANGE'
_ONE_STEP = 'num_steps:=1', 'realtime:=-1.0', 'report_interval:=0.0', 'strict:=true'
"""The parameters of a server that makes a single step, or exits with 2 if a plugin is refused."""


@click.command(
    epilog='Exit code: 0 done; 2 a plugin or the model cannot be used; 130 Ctrl-C.'
    ' Arguments after --ros-args are for ROS, as for a server.'
)
@click.argument('model', default='')
@click.argument('plugins', default='')
@click.pass_obj
def prepare(ros_arguments: list[str], /, model: str, plugins: str) -> int:
    """Compile the physics loop ahead, so that no later start has to wait for it.

    With a model (a path or package://), also make one step with the plugins (.yaml), which
    compiles them too. Other processes do not see the topics of this server.
    """
    if model or ros_arguments:
        if code := _start(model, plugins, ros_arguments):
            return code
    else:
        _show_progress()
        prepare_functions(LOOP, MESSAGES, LOCKSTEP, CRASHES)
    count = compiled_functions()
    print(f'{count or "no"} functions had to be compiled; the cache is in {code_folder()}')
    return 0


def _start(model: str, plugins: str, ros_arguments: Sequence[str]) -> int:
    """Starts a server that no other process sees, for one step; returns its exit code."""
    os.environ[_DISCOVERY] = 'OFF'
    one_step = [word for each in _ONE_STEP for word in ('-p', each)]
    given = [BEGIN, *model_arguments(model, plugins), *ros_arguments[1:], *one_step]
    code: int = ros_module('main').main(None, given)
    return code


def _show_progress() -> None:
    """Prints the names of functions while they are compiled."""
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(logging.Formatter('%(message)s'))
    log = logging.getLogger('mujoco_ros_py.engine.compiling')
    log.addHandler(handler)
    log.setLevel(logging.INFO)
