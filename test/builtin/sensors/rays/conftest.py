"""The fixtures of compound sensors, of which Range is one."""

from __future__ import annotations

import pytest

pytest.importorskip('rclpy', reason='rclpy is not installed')

from builtin.sensors.compound.conftest import domain, load_sensor, new_keeper, serve

__all__ = ['domain', 'load_sensor', 'new_keeper', 'serve']
