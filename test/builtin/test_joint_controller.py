"""What the controller drives, and with which forces; what it refuses is in system/test_arm.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import mujoco
import pytest

pytest.importorskip('rclpy', reason='rclpy is not installed')

from mujoco_ros_py.builtin.joint_controller import JointController, JointControllerConfig
from mujoco_ros_py.config import read
from mujoco_ros_py.engine import CallbackTable, Loop, Outcome, Point, compile_callback
from mujoco_ros_py.errors import PluginError

TWO_ARMS = """
<mujoco>
  <option timestep="0.001"/>
  <worldbody>
    <body name="lift">
      <joint name="rail" type="slide" axis="0 0 1"/><geom size="0.1" mass="3"/>
      <body name="arm">
        <joint name="elbow" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.02" mass="1"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor name="turn" joint="elbow" gear="-2"/><motor name="raise" joint="rail" gear="10"/>
  </actuator>
</mujoco>
"""
OTHER_KINDS = """
<mujoco>
  <worldbody>
    <body>
      <joint name="a"/><joint name="b" axis="0 1 0"/><joint name="c" axis="1 0 0"/>
      <geom size="0.1"/>
    </body>
    <body><joint name="socket" type="ball"/><geom size="0.1"/></body>
  </worldbody>
  <actuator>
    <position joint="a" kp="5"/><motor joint="socket"/><motor joint="b" gear="0"/>
    <motor joint="c"/><motor joint="c" gear="3"/>
  </actuator>
</mujoco>
"""


@pytest.fixture
def control() -> Iterator[Callable[..., tuple[JointController, mujoco.MjData, Callable]]]:
    """`control(qpos, **config)`: a controller of TWO_ARMS, the data, and what makes steps."""
    loops: list[Loop] = []

    def begin(qpos: list[float], **config: Any) -> tuple[Any, Any, Any]:
        model = mujoco.MjModel.from_xml_string(TWO_ARMS)
        data = mujoco.MjData(model)
        data.qpos[:] = qpos
        plugin = JointController(read(JointControllerConfig, config), None, None)
        plugin.name = 'arm'
        plugin.load(model, data)
        function = JointController.__dict__['control_callback'].function
        loop = Loop()
        loops.append(loop)
        loop.adopt(model, data)
        loop.use(CallbackTable([compile_callback(Point.CONTROL, function, plugin.state)]))

        def step(count: int) -> None:
            loop.record.paused, loop.record.burst = 1, count
            assert loop.run() is Outcome.STEPPED

        return plugin, data, step

    yield begin
    for loop in loops:
        loop.release()


def test_it_holds_the_joints_where_they_stand_whatever_their_weight_and_gears(control):
    _, data, step = control([0.2, -0.3])
    step(2000)
    assert list(data.qpos) == pytest.approx([0.2, -0.3], abs=1e-3)


def test_without_compensation_the_weight_pulls_them_down(control):
    _, data, step = control([0.2, -0.3], gravity_compensation=False, stiffness=1000.0)
    step(5000)
    sunk = 0.2 - data.qpos[0]
    assert sunk == pytest.approx(4 * 9.81 / 1000.0, rel=0.01), 'weight by stiffness'


def test_the_force_is_stiffness_by_error_less_damping_by_velocity_whatever_the_gear(control):
    config = {'joints': ['rail', 'elbow'], 'stiffness': [50.0, 7.0], 'damping': [3.0, 2.0]}
    plugin, data, step = control([0.0, 0.0], **config, gravity_compensation=False)
    plugin.set_targets({'rail': 0.1, 'elbow': -0.2})
    data.qvel[:] = 0.5, 0.25
    step(1)
    wanted = [50.0 * 0.1 - 3.0 * 0.5, 7.0 * -0.2 - 2.0 * 0.25]
    assert list(data.qfrc_actuator) == pytest.approx(wanted)


def test_targets_are_set_all_or_none_and_forgotten_at_a_reset(control):
    plugin, data, step = control([0.0, 0.0])
    with pytest.raises(PluginError, match='arm does not drive wrist; it drives elbow, rail'):
        plugin.set_targets({'rail': 0.3, 'wrist': 1.0})
    step(1000)
    assert list(data.qpos) == pytest.approx([0.0, 0.0], abs=1e-3)
    plugin.set_targets({'rail': 0.3})
    step(5000)
    assert list(data.qpos) == pytest.approx([0.3, 0.0], abs=1e-2)
    data.qpos[:] = 0.1, 0.1
    data.qvel[:] = 0
    plugin.reset(None, data)
    step(1000)
    assert list(data.qpos) == pytest.approx([0.1, 0.1], abs=1e-3)


def test_motors_of_hinge_and_slide_joints_are_driven_and_of_several_the_first():
    model = mujoco.MjModel.from_xml_string(OTHER_KINDS)
    plugin = JointController(JointControllerConfig(), None, None)
    plugin.load(model, mujoco.MjData(model))
    assert plugin.joints == ['c']
    assert list(plugin.state.gear) == [1.0]
