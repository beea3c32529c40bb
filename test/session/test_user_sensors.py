"""User sensors keep the values that plugins write, though MuJoCo clears them in forward passes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mujoco
import pytest

from mujoco_ros_py.plugins import MujocoPlugin
from mujoco_ros_py.session import Session

MODEL = """
<mujoco>
  <worldbody><body><joint name="joint"/><geom size="0.1"/></body></worldbody>
  <sensor>
    <user name="early" dim="2" needstage="pos"/>
    <jointpos joint="joint"/>
    <user name="late" dim="1"/>
  </sensor>
</mujoco>
"""


class Writing(MujocoPlugin[Any]):
    """Writes one sensor before the end of a step and one after it."""

    def control_callback(self, model, data):
        data.sensor('early').data[:] = data.time + 1.0, data.time + 2.0

    def last_stage_callback(self, model, data):
        data.sensor('late').data[:] = data.time


@pytest.fixture
def model() -> Iterator[mujoco.MjModel]:
    """A model; what a test sets as mjcb_sensor is not called for other models."""
    yield mujoco.MjModel.from_xml_string(MODEL)
    mujoco.set_mjcb_sensor(None)


def sensors_after_3_steps(model: mujoco.MjModel) -> list[float]:
    with Session(model, plugins=[{'type': Writing}], strict=True) as session:
        session.step(3)
        return list(session.snapshot().sensors())


def test_user_sensors_of_a_snapshot_are_what_a_plugin_has_written(model):
    assert sensors_after_3_steps(model) == pytest.approx([1.004, 2.004, 0.0, 0.006])


def test_an_mjcb_sensor_tells_user_sensors_in_the_moment_of_a_snapshot(model):
    def tell(model: Any, data: Any, stage: int) -> None:
        data.sensor('late').data[:] = 5.0 + data.time

    mujoco.set_mjcb_sensor(tell)
    assert sensors_after_3_steps(model) == pytest.approx([0.0, 0.0, 0.0, 5.006])
