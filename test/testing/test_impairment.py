"""`server.impair`: messages are late or lost while a block of a test runs."""

from __future__ import annotations

import pytest

pytest.importorskip('rclpy', reason='rclpy is not installed')

from mujoco_ros_py.errors import ConfigError
from mujoco_ros_py.testing import serve
from mujoco_ros_py.testing.impairment import entries_of, plugin_in

MODEL = """<mujoco><option timestep="0.001"/>
  <worldbody>
    <body><joint name="wheel" axis="0 0 1" damping="1"/><geom size="0.1"/></body>
  </worldbody>
  <actuator><motor name="motor" joint="wheel" ctrlrange="-9 9"/></actuator></mujoco>"""
MOTORS = {'type': 'mujoco_ros_py/ActuatorCommands', 'name': 'motors', 'actuators': ['motor']}
BUS = {'type': 'mujoco_ros_py/Imperfections', 'name': 'bus'}


def test_each_target_becomes_an_entry_with_all_its_effects():
    effects = {'latency': {'arm': 0.01, '/imu': 0.02}, 'drop': {'arm': 0.1}}
    made = entries_of(effects)
    assert list(made.values()) == [
        {'of': 'arm', 'latency': 0.01, 'drop': 0.1}, {'of': '/imu', 'latency': 0.02},
    ]  # fmt: skip
    assert not made.keys() & entries_of(effects).keys(), 'blocks may be in blocks'


@pytest.mark.parametrize(
    ('effects', 'said'),
    [
        ({}, 'impair needs an effect'),
        ({'latency': 0.01}, 'latency must be a mapping from targets'),
    ],
)
def test_effects_need_targets(effects, said):
    with pytest.raises(ConfigError, match=said):
        entries_of(effects)


def test_a_list_without_the_plugin_is_refused():
    with pytest.raises(ConfigError, match=r'impair needs the plugin .*; the plugins are motors'):
        plugin_in([MOTORS])


def test_a_session_has_no_messages():
    with (
        serve(MODEL, [MOTORS]) as server,
        pytest.raises(ConfigError, match='start the server with process=True'),
        server.impair(latency={'motors': 0.01}),
    ):
        pass


@pytest.mark.slow
def test_commands_are_late_while_the_block_runs():
    with serve(MODEL, [MOTORS, BUS], process=True) as server:

        def control_after(steps: int, value: float) -> float:
            server.command('motors', '~/commands', data=[value])
            return float(server.step(steps).ctrl[0])

        assert control_after(1, 1.0) == 1.0
        with server.impair(latency={'motors': 0.005}):
            assert control_after(5, 2.0) == 1.0
            assert float(server.step(1).ctrl[0]) == 2.0
            with server.impair(drop={'motors': 1.0}):
                assert control_after(10, 3.0) == 2.0
        assert control_after(1, 4.0) == 4.0
        with (
            pytest.raises(ConfigError, match="unknown plugin 'arm'"),
            server.impair(latency={'arm': 0.1}),
        ):
            pass
        assert control_after(1, 5.0) == 5.0
