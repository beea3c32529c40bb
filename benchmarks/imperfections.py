"""The cost for the physics of delayed and lost messages, and of faulty encoders."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from itertools import cycle
from typing import Any

from .domains import second_domain
from .processes import FOLDER, QUIET, plugins, running, server_command
from .rounds import Rounds
from .sensors import chain

_WINDOW_S, _TURNS = 0.25, 4
_RATE_HZ = 100.0
_JOINTS = [f'joint{k}' for k in range(1, 8)]
_TOPICS = 20
_KINDS = 'jointpos', 'jointvel', 'actuatorfrc'


def measure() -> Rounds:
    """Compares steps per second with and without imperfections of the arm, unthrottled.

    A client subscribes to 20 topics at 100 Hz, whose messages are delayed and lost at random. The
    encoders of all seven joints are rounded and shifted.

    Each round starts both servers again, in turn one and the other first: two equal servers differ
    by some percent for as long as they run.
    """
    topics = [f'/told/s{k}' for k in range(_TOPICS)]
    messages = {
        f'message{k}': {
            'of': topic,
            'latency': {'normal': {'mean': 0.005, 'stddev': 0.001}},
            'drop': 0.05,
        }
        for k, topic in enumerate(topics)
    }
    encoders = {
        joint: {'of': {'joint': joint}, 'offset': 0.001, 'quantise': 0.0005} for joint in _JOINTS
    }
    bus = {'type': 'mujoco_ros_py/Imperfections', 'timeline': {**messages, **encoders}}
    commands = [_server({'bus': bus}, topics), _server({}, topics)]
    with ExitStack() as stack:
        for domain in ({}, second_domain()):
            stack.enter_context(running(_reader(topics), **domain))
        for order in cycle([(0, 1), (1, 0)]):
            speeds = _speeds([commands[place] for place in order])
            yield speeds[order[0]], speeds[order[1]]


def _speeds(commands: list[list[str]]) -> list[float]:
    """Starts two servers, and returns the steps per second of each."""
    steps, seconds = [0.0, 0.0], [0.0, 0.0]
    with ExitStack() as stack:
        servers = [
            stack.enter_context(running(command, **domain))
            for command, domain in zip(commands, ({}, second_domain()), strict=True)
        ]
        for server in servers:
            server.ask(_WINDOW_S)  # the caches are cold
        for turn in range(_TURNS):
            for place in (0, 1) if turn % 2 else (1, 0):
                made, took = servers[place].ask(_WINDOW_S)[:2]
                steps[place] += made
                seconds[place] += took
    return [made / took for made, took in zip(steps, seconds, strict=True)]


def _server(more: Mapping[str, Any], topics: list[str]) -> list[str]:
    """Returns the command of a server with the arm, its sensors and more plugins."""
    told = {'type': 'mujoco_ros_py/Sensors', 'update_rate': _RATE_HZ}
    runner = {'type': 'benchmarks/Runner', 'topics': topics}
    parameters = {'mujoco_xml': _arm(), 'unpause': False, 'realtime': -1.0}
    return server_command({**QUIET, **parameters, **plugins(told=told, **more, runner=runner)})


def _reader(topics: list[str]) -> list[str]:
    """Returns the command of a client that subscribes to all topics in compiled code."""
    counter = {'type': 'benchmarks/SensorCounter', 'topics': topics}
    parameters = {**QUIET, 'mujoco_xml': chain(1, 0.001), **plugins(counter=counter)}
    return server_command(parameters, '-r', '__node:=reader', '-r', '/clock:=/own')


def _arm() -> str:
    """Returns the example of an arm, with a named sensor for each topic."""
    text = (FOLDER.parent / 'examples' / 'arm.xml').read_text()
    made = [
        f'<{kind} name="s{{}}" {"actuator" if kind == "actuatorfrc" else "joint"}="{joint}"/>'
        for kind in _KINDS
        for joint in _JOINTS
    ]
    sensors = ''.join(each.format(k) for k, each in enumerate(made[:_TOPICS]))
    return text.replace('</mujoco>', f'<sensor>{sensors}</sensor></mujoco>')
