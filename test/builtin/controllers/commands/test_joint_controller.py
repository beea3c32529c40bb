"""The joints and forces of JointController; refusals are tested in system/test_arm.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.errors import ConfigError, PluginError
from mujoco_ros_py.session import Session

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
def control() -> Iterator[Callable[..., Arm]]:
    """`control(qpos, **config)` creates a session with TWO_ARMS at rest at `qpos`."""
    sessions: list[Session] = []

    def begin(qpos: list[float], **config: Any) -> Arm:
        plugin = {'type': 'mujoco_ros_py/JointController', 'name': 'arm', **config}
        positions = dict(zip(('rail', 'elbow'), qpos, strict=True))
        model = mujoco.MjModel.from_xml_string(TWO_ARMS)
        sessions.append(Session(model, plugins=[plugin], positions=positions, strict=True))
        return Arm(sessions[-1])

    yield begin
    for session in sessions:
        session.close()


class Arm:
    """A session with a controller."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.step = session.step

    @property
    def plugin(self) -> Any:
        return self.session.plugins['arm']

    @property
    def data(self) -> mujoco.MjData:
        return self.session.snapshot().data

    def aim(self, **targets: float) -> None:
        self.session.call(lambda model, data: self.plugin.set_targets(targets))


def test_it_holds_the_joints_where_they_stand_whatever_their_weight_and_gears(control):
    arm = control([0.2, -0.3])
    arm.step(2000)
    assert list(arm.data.qpos) == pytest.approx([0.2, -0.3], abs=1e-3)


def test_without_compensation_the_weight_pulls_them_down(control):
    arm = control([0.2, -0.3], gravity_compensation=False, stiffness=1000.0)
    arm.step(5000)
    sunk = 0.2 - arm.data.qpos[0]
    assert sunk == pytest.approx(4 * 9.81 / 1000.0, rel=0.01), 'weight by stiffness'


def test_the_force_is_stiffness_by_error_less_damping_by_velocity_whatever_the_gear(control):
    config = {'joints': ['rail', 'elbow'], 'stiffness': [50.0, 7.0], 'damping': [3.0, 2.0]}
    arm = control([0.0, 0.0], **config, gravity_compensation=False)
    arm.aim(rail=0.1, elbow=-0.2)
    arm.session.call(lambda model, data: data.qvel.__setitem__(slice(None), (0.5, 0.25)))
    arm.step(1)
    wanted = [50.0 * 0.1 - 3.0 * 0.5, 7.0 * -0.2 - 2.0 * 0.25]
    assert list(arm.data.qfrc_actuator) == pytest.approx(wanted)


def test_gains_change_while_it_runs(control):
    arm = control([0.0, 0.0], gravity_compensation=False)
    arm.session.configure('arm', stiffness=[20.0, 4.0], damping=0.0)
    arm.aim(rail=0.1, elbow=-0.2)
    arm.step(1)
    assert list(arm.data.qfrc_actuator) == pytest.approx([2.0, -0.8])
    with pytest.raises(ConfigError, match='stiffness must be one number, or one per joint'):
        arm.session.configure('arm', stiffness=[1.0, 2.0, 3.0])
    arm.session.configure('arm', gravity_compensation=True, stiffness=0.0)
    arm.session.reset()
    arm.step(1)
    assert list(arm.data.qfrc_actuator) == pytest.approx(list(arm.data.qfrc_bias), rel=1e-3)


def test_targets_are_set_all_or_none_and_forgotten_at_a_reset(control):
    arm = control([0.1, 0.1])
    with pytest.raises(PluginError, match='arm does not drive wrist; it drives rail, elbow'):
        arm.aim(rail=0.3, wrist=1.0)
    with pytest.raises(PluginError, match='a command has a position that is not finite'):
        arm.aim(rail=0.3, elbow=float('nan'))
    arm.step(1000)
    assert list(arm.data.qpos) == pytest.approx([0.1, 0.1], abs=1e-3)
    arm.aim(rail=0.3)
    arm.step(5000)
    assert list(arm.data.qpos) == pytest.approx([0.3, 0.1], abs=1e-2)
    arm.session.reset()
    arm.step(1000)
    assert list(arm.data.qpos) == pytest.approx([0.1, 0.1], abs=1e-3)


def test_an_emergency_stop_holds_the_joints_and_drops_targets(control):
    arm = control([0.0, 0.0])
    arm.aim(rail=0.5)
    arm.step(100)
    arm.session.call(lambda model, data: arm.plugin.emergency_stop(model, data, True))
    there = np.array(arm.data.qpos)
    arm.aim(rail=-0.5)
    arm.step(5000)
    assert list(arm.data.qpos) == pytest.approx(list(there), abs=1e-2)


def test_joints_with_an_actuator_are_driven_whatever_its_kind():
    model = mujoco.MjModel.from_xml_string(OTHER_KINDS)
    plugin = {'type': 'mujoco_ros_py/JointController', 'name': 'arm', 'joints': ['a', 'c']}
    with Session(model, plugins=[plugin], strict=True) as session:
        arm = Arm(session)
        arm.aim(a=0.2, c=-0.1)
        arm.step()
        force = arm.data.qfrc_actuator - arm.data.qfrc_bias
        assert [force[0], force[2]] == pytest.approx([20.0, -10.0], abs=1e-2)


def test_by_itself_it_takes_every_joint_with_an_actuator():
    xml = OTHER_KINDS.replace('<motor joint="b" gear="0"/>', '')
    plugin = {'type': 'mujoco_ros_py/JointController', 'name': 'arm'}
    with Session(mujoco.MjModel.from_xml_string(xml), plugins=[plugin]) as session:
        assert session.plugins['arm'].joints == ['a', 'c']
    bare = '<mujoco><worldbody><body><joint name="a"/><geom size="1"/></body></worldbody></mujoco>'
    with Session(mujoco.MjModel.from_xml_string(bare), plugins=[plugin]) as session:
        assert 'no hinge or slide joint with an actuator' in session.problems[0]
