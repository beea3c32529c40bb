"""Plugins with a configured fault in a configured method: they raise, exit or block."""

# The first parameter of a compiled callback is the state.

from __future__ import annotations

import atexit
import os
import sys
import time

import numba
import rclpy
from rclpy.context import Context
from rclpy.duration import Duration

from mujoco_ros_py.plugins import MujocoPlugin, compiled, new_state

from .lines import say


class UnprintableError(Exception):
    def __str__(self):
        raise ValueError('this exception cannot be printed')


def _raise(plugin, stage):
    raise RuntimeError(f'broken in {stage}')


def _exit(plugin, stage):
    sys.exit(f'exit in {stage}')


def _interrupt(plugin, stage):
    raise KeyboardInterrupt(f'interrupt in {stage}')


def _leave_generator(plugin, stage):
    raise GeneratorExit(f'generator exit in {stage}')


def _recurse(plugin, stage):
    _recurse(plugin, stage)


def _raise_unprintable(plugin, stage):
    raise UnprintableError


def _end_ros(plugin, stage):
    rclpy.shutdown()


def _sleep(plugin, stage):
    """Until there is a file `end`."""
    say('the block begins')
    while not os.path.exists(plugin.config['end']):
        time.sleep(0.02)
    say('the block ends')


def _sleep_in_ros(plugin, stage):
    """Sleeps forever in C++ code of rclpy, which asks for the GIL now and then.

    No shutdown ends it.
    """
    say('the block begins')
    context = Context()
    context.init()
    while True:
        plugin.node.get_clock().sleep_for(Duration(seconds=0.01), context)


def _spin(plugin, stage):
    """Computes in Python until there is a file `end`."""
    say('the block begins')
    while not os.path.exists(plugin.config['end']):
        sum(range(1_000_000))
    say('the block ends')


def _end_with_python(plugin, stage):
    """Blocks when the interpreter ends, as a library that saves its files then."""
    atexit.register(print, 'the interpreter ends', flush=True)


def _wait(plugin, stage):
    """Waits until somebody writes to the pipe `gate`."""
    say(f'{stage} waits at the gate')
    with open(plugin.config['gate']) as gate:
        gate.read()


FAULTS = {
    'raise': _raise,
    'exit': _exit,
    'interrupt': _interrupt,
    'generator exit': _leave_generator,
    'recurse': _recurse,
    'raise unprintable': _raise_unprintable,
    'end ROS': _end_ros,
    'sleep': _sleep,
    'sleep in ROS': _sleep_in_ros,
    'spin': _spin,
    'wait': _wait,
    'end with Python': _end_with_python,
}
TAKE_TIME = ('sleep', 'sleep in ROS', 'spin', 'wait')


class Faulty(MujocoPlugin):
    """Configured by `fault` (one of FAULTS), `stage` (the method) and `after` (s).

    Faults that take time occur once.
    """

    def __init__(self, config, node, environment):
        super().__init__(config, node, environment)
        self._took_time = False
        self._reach('__init__')

    def load(self, model, data):
        self._reach('load')

    def reset(self, model, data):
        self._reach('reset')

    def unload(self):
        say(f'{self.name} unloads')
        self._reach('unload')

    def control_callback(self, model, data):
        self._reach('control_callback', data.time)

    def passive_callback(self, model, data):
        self._reach('passive_callback', data.time)

    def last_stage_callback(self, model, data):
        self._reach('last_stage_callback', data.time)

    def _reach(self, stage, now=float('inf')):
        due = self.config.get('stage') == stage and now >= self.config.get('after', 0.0)
        if due and not self._took_time:
            self._took_time = self.config['fault'] in TAKE_TIME
            FAULTS[self.config['fault']](self, stage)


STAGES = ('control_callback', 'passive_callback', 'last_stage_callback')


@numba.njit
def _descend(depth):
    if depth < 0:
        return 0
    return 1 + _descend(depth + 1)


class CompiledFaulty(Faulty):
    """A plugin with compiled callbacks, which can raise; the first one can recurse, too."""

    def load(self, model, data):
        stage = self.config.get('stage')
        self.state = new_state(
            stage=STAGES.index(stage) if stage in STAGES else -1,
            after=float(self.config.get('after', 0.0)),
            recurse=self.config.get('fault') == 'recurse',
        )
        super().load(model, data)

    @staticmethod
    @compiled
    def control_callback(state, model, data):
        if state.stage == 0 and data.time >= state.after:
            if state.recurse:
                _descend(0)
            raise ValueError('broken in control_callback')

    @staticmethod
    @compiled
    def passive_callback(state, model, data):
        if state.stage == 1 and data.time >= state.after:
            raise ValueError('broken in passive_callback')

    @staticmethod
    @compiled
    def last_stage_callback(state, model, data):
        if state.stage == 2 and data.time >= state.after:
            raise ValueError('broken in last_stage_callback')
