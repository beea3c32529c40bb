"""The cost for the physics of delayed and lost messages, and of faulty encoders."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any

from .domains import second_domain
from .processes import FOLDER, QUIET, plugins, running, server_command
from .rounds import Rounds
from .sensors import chain

_WINDOW_S = 0.5
_RATE_HZ = 100.0
_JOINTS = [f'joint{k}' for k in range(1, 8)]
_TOPICS = 20
_KINDS = 'jointpos', 'jointvel', 'actuatorfrc'


def measure() -> Rounds:
    """Compares steps per second with and without imperfections of the arm, unthrottled.

    A client subscribes to 20 topics at 100 Hz, whose messages are delayed and lost at random. The
    encoders of all seven joints are rounded and shifted.
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
    with ExitStack() as stack:
        servers = [
            stack.enter_context(running(_server(more, topics), **domain))
            for more, domain in (({'bus': bus}, {}), ({}, second_domain()))
        ]
        for domain in ({}, second_domain()):
            stack.enter_context(running(_reader(topics), **domain))
        while True:
            ours, alone = (server.ask(_WINDOW_S) for server in servers)
            yield ours[0] / ours[1], alone[0] / alone[1]


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
