"""Requests of plugins for the clock end with the plugin, and are refused for invalid rates."""

from __future__ import annotations

from typing import Any

import pytest

from mujoco_ros_py.engine import Port
from mujoco_ros_py.errors import PluginError
from mujoco_ros_py.plugins.host import AbsentParts, NoRos
from mujoco_ros_py.ros.entities.node_connection import NodeConnection
from mujoco_ros_py.simulation import Owner, Simulation


def ros_of(connection: Any, owner: Owner, simulation: Simulation) -> Any:
    given = owner.name, owner, simulation.exchange, AbsentParts()
    return connection.for_plugin(*given, boundscheck=False)


def test_the_clock_has_the_highest_rate_that_a_plugin_needs_until_the_plugin_ends(new_keeper):
    connection, simulation = NodeConnection(new_keeper('server')), Simulation()
    nowhere = Port(call=0, handle=0, message=0, forget_error=0)
    clock = simulation.exchange.new_clock(nowhere, 0, least_period_s=1.0, repeat_s=1.0)
    arm, finger = Owner.of_no_plugin('arm'), Owner.of_no_plugin('finger')
    for owner, rate_hz in ((arm, 200.0), (finger, 50.0), (arm, 100.0)):
        ros_of(connection, owner, simulation).need_clock(rate_hz)
    assert clock.period_s == pytest.approx(0.005)
    arm.close()
    assert clock.period_s == pytest.approx(0.02)
    finger.fail('control_callback', ValueError('it fails'))
    assert clock.period_s == 0


@pytest.mark.parametrize('rate_hz', [0, -1.0, float('nan')])
def test_a_rate_that_is_not_positive_is_refused_with_ros_and_without(new_keeper, rate_hz):
    simulation, owner = Simulation(), Owner.of_no_plugin('arm')
    for connection in (NodeConnection(new_keeper('server')), NoRos()):
        with pytest.raises(PluginError, match='the clock: rate_hz must be > 0, got'):
            ros_of(connection, owner, simulation).need_clock(rate_hz)
