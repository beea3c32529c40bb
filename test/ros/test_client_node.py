"""The client of the command line, in this process."""

from __future__ import annotations

import pytest
from std_srvs.srv import Trigger

from mujoco_ros_py.errors import NoAnswerError
from mujoco_ros_py.ros.client.client_node import Client


def test_what_ros_refuses_is_an_error_in_one_line(domain, monkeypatch):
    monkeypatch.setenv('ROS_DOMAIN_ID', str(domain))

    def ask() -> None:
        with Client('/mujoco_server', 1.0, []) as client:
            client.node.context.handle.shutdown()
            client.call(Trigger, '/mujoco_server/reset', Trigger.Request())

    with pytest.raises(
        NoAnswerError, match=r'ROS refuses a topic or a service: .*context is invalid'
    ):
        ask()
