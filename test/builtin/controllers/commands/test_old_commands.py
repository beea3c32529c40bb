"""Plugins with set-points ignore commands after a reset that repeat the last command before."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import mujoco
import numpy as np
import pytest
from builtin.controllers.driving import said

from mujoco_ros_py.session import Session

ROBOT = """
<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <body><joint name="a" axis="0 0 1" damping="1"/><geom size="0.1"/></body>
    <body pos="1 0 0"><joint name="b" axis="0 0 1" damping="1"/><geom size="0.1"/></body>
  </worldbody>
  <actuator>
    <position name="at_a" joint="a" kp="50" kv="2"/>
    <position name="at_b" joint="b" kp="50" kv="2"/>
  </actuator>
</mujoco>
"""
FORWARD = {'type': 'ForwardCommandController', 'joints': ['a', 'b'], 'interface_name': 'position'}
CONTROLS = {'type': 'ActuatorCommands', 'actuators': ['at_a', 'at_b']}
TARGETS = {'type': 'JointController', 'joints': ['a', 'b']}
HARDWARE = {'type': 'TopicBasedHardware', 'joints': {'a': 'position', 'b': 'position'}}
ALL = pytest.mark.parametrize(
    'config', [FORWARD, CONTROLS, TARGETS, HARDWARE], ids=lambda config: config['type']
)


class Robot:
    """Two joints that start at 0, and the plugin that moves them."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.plugin: Any = session.plugins['plugin']

    def send(self, *values: float, names: str = 'ab', stamp_s: int = 0) -> None:
        """Passes a message with positions to the compiled function of the topic."""
        stamp = SimpleNamespace(sec=stamp_s, nanosec=0)
        message = SimpleNamespace(
            header=SimpleNamespace(stamp=stamp), data=np.array(values),
            name=[np.frombuffer(name.encode(), np.uint8) for name in names],
            position=np.array(values), velocity=np.zeros(0), effort=np.zeros(0),
        )  # fmt: skip
        plugin = self.plugin
        self.session.call(lambda m, d: plugin.take(plugin.state, m, d, message))

    def command(self, *values: float) -> None:
        """Sets the command from Python."""
        call = {
            'ForwardCommandController': lambda m, d: self.plugin.set_commands(values),
            'ActuatorCommands': lambda m, d: self.plugin.set_controls(d, values),
            'JointController': lambda m, d: self.plugin.set_targets(
                dict(zip('ab', values, strict=True))
            ),
            'TopicBasedHardware': lambda m, d: self.plugin.set_commands('ab', position=values),
        }
        self.session.call(call[type(self.plugin).__name__])

    def positions(self) -> list[float]:
        """Returns the positions of the joints after two more seconds."""
        self.session.step(1000)
        return [round(float(position), 2) for position in self.session.snapshot().data.qpos]


@pytest.fixture
def load() -> Iterator[Callable[..., Robot]]:
    """`load(config, **more)` creates a session with the plugin."""
    sessions: list[Session] = []

    def begin(config: dict[str, Any], **more: Any) -> Robot:
        plugin = {**config, 'type': f'mujoco_ros_py/{config["type"]}', 'name': 'plugin', **more}
        model = mujoco.MjModel.from_xml_string(ROBOT)
        sessions.append(Session(model, plugins=[plugin], strict=True))
        return Robot(sessions[-1])

    yield begin
    for session in sessions:
        session.close()


@ALL
def test_a_command_from_before_a_reset_is_ignored_until_it_changes(load, config):
    robot = load(config)
    robot.send(0.5, 0.3)
    assert robot.positions() == [0.5, 0.3]
    robot.session.reset()
    for _ in range(3):
        robot.send(0.5, 0.3)
        assert robot.positions() == [0.0, 0.0]
    robot.send(0.4, 0.2)
    assert robot.positions() == [0.4, 0.2]
    robot.send(0.5, 0.3)
    assert robot.positions() == [0.5, 0.3]


@ALL
def test_it_is_the_same_after_every_reset_even_if_no_command_was_taken_between(load, config):
    robot = load(config)
    robot.send(0.5, 0.3)
    for _ in range(3):
        robot.session.reset()
        robot.send(0.5, 0.3)
        assert robot.positions() == [0.0, 0.0]


@ALL
def test_a_command_that_the_time_out_or_a_stop_has_ended_is_remembered_too(load, config):
    timeout = {} if config is TARGETS else {'command_timeout': 0.1}
    robot = load(config, **timeout)
    robot.send(0.5, 0.3)
    robot.session.step(200)
    for stopped in (True, False):
        robot.session.call(lambda m, d, s=stopped: robot.plugin.emergency_stop(m, d, s))
    robot.session.reset()
    robot.send(0.5, 0.3)
    assert robot.positions() == [0.0, 0.0]


@ALL
def test_a_command_from_python_is_given_on_purpose_and_is_taken(load, config):
    robot = load(config)
    robot.command(0.5, 0.3)
    robot.session.reset()
    robot.command(0.5, 0.3)
    assert robot.positions() == [0.5, 0.3]
    robot.session.reset()
    robot.send(0.5, 0.3)
    assert robot.positions() == [0.0, 0.0], 'a message repeats it'


@ALL
def test_with_the_parameter_off_a_command_is_taken_whatever_it_is(load, config):
    robot = load(config, ignore_old_commands_after_reset=False)
    robot.send(0.5, 0.3, stamp_s=1)
    robot.session.reset()
    robot.send(0.5, 0.3, stamp_s=1)
    assert robot.positions() == [0.5, 0.3]


@ALL
def test_a_restored_state_goes_on_with_its_commands_and_what_it_ignored(load, config):
    robot = load(config)
    robot.send(0.5, 0.3)
    robot.session.reset()
    saved = robot.session.save()
    robot.send(0.4, 0.2)
    robot.session.restore(saved)
    robot.send(0.5, 0.3)
    assert robot.positions() == [0.0, 0.0]


@ALL
def test_the_log_names_the_ignored_command_once_for_each_reset(load, config, caplog):
    robot = load(config)
    robot.send(0.5, 0.3)
    for count in (1, 2):
        robot.session.reset()
        for _ in range(5):
            robot.send(0.5, 0.3)
            robot.session.step(200)
        assert said(caplog, robot.session, 'ignored until')
        assert robot.plugin.state.old_count == count


@pytest.mark.parametrize('config', [FORWARD, CONTROLS], ids=['joints', 'actuators'])
def test_an_array_is_one_command_so_that_all_of_a_changed_one_is_taken(load, config):
    robot = load(config)
    robot.send(0.5, 0.3)
    robot.session.reset()
    robot.send(0.5, 0.4)
    assert robot.positions() == [0.5, 0.4]


def test_targets_are_compared_for_the_joints_that_a_message_names(load):
    robot = load(TARGETS)
    robot.send(0.5, names='a')
    robot.send(0.3, names='b')
    robot.session.reset()
    robot.send(0.3, names='b')
    robot.send(0.4, names='a')
    robot.send(0.3, names='b')
    assert robot.positions() == [0.4, 0.0]
    robot.send(0.4, 0.3)
    assert robot.positions() == [0.4, 0.3], 'one of them is new'


def test_one_message_of_a_manager_has_the_commands_of_several_controllers(load):
    """A controller that commands its joints must not start the joints of another controller."""
    robot = load(HARDWARE)
    robot.send(math.nan, math.nan, stamp_s=1)
    robot.send(0.5, 0.3, stamp_s=1)
    robot.session.reset()
    robot.send(0.5, 0.4, stamp_s=1)
    assert robot.positions() == [0.0, 0.4]
    robot.send(0.4, 0.4, stamp_s=2)
    assert robot.positions() == [0.4, 0.4]
    robot.send(0.5, 0.3, stamp_s=2)
    assert robot.positions() == [0.5, 0.3]


def test_the_first_command_of_a_manager_that_was_there_before_the_server_is_an_old_one(load):
    """A manager that is started later begins with NaN, and its messages have stamps."""

    def silent() -> Robot:
        robot = load(HARDWARE)
        assert robot.session.call(lambda m, d: robot.plugin.distrust_first())
        return robot

    robot = silent()
    robot.send(0.5, math.nan, stamp_s=9)
    robot.send(0.5, 0.3, stamp_s=9)
    assert robot.positions() == [0.0, 0.3]
    robot.send(0.4, 0.3, stamp_s=10)
    assert robot.positions() == [0.4, 0.3]
    by_hand = silent()
    by_hand.send(0.5, 0.3)
    assert by_hand.positions() == [0.5, 0.3]


def test_the_log_names_the_joints_whose_old_commands_are_ignored(load, caplog):
    robot = load(HARDWARE)
    robot.send(0.5, 0.3)
    robot.session.reset()
    robot.send(0.5, 0.4)
    assert said(caplog, robot.session, 'ignored until') == [
        'plugin: the commands of a are the same as before the reset or the start, and are ignored'
        ' until they change (ignore_old_commands_after_reset)'
    ]
