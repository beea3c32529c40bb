"""Fixtures with a server in this process and a client that draws its markers."""

from __future__ import annotations

import pytest

pytest.importorskip('rclpy', reason='rclpy is not installed')
pytest.importorskip('tf2_msgs.msg', reason='tf2_msgs is not installed')
pytest.importorskip('visualization_msgs.msg', reason='visualization_msgs is not installed')

from builtin.sensors.conftest import sense
from ros.conftest import domain, new_keeper, serve

__all__ = ['domain', 'new_keeper', 'sense', 'serve']
