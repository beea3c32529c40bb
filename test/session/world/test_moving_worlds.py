"""Moving bodies move as they would alone, while other entities are spawned and deleted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.errors import ModelError, SimulationError
from mujoco_ros_py.plugins import Adaptable, MujocoPlugin, compiled, new_state
from mujoco_ros_py.session import Session

pytestmark = pytest.mark.slow

HUMANOID = Path(__file__).parents[3] / 'benchmarks' / 'humanoid.xml'
CUBE = """
<mujoco model="cube">
  <worldbody><body><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody>
</mujoco>
"""
BOMB = """
<mujoco model="bomb">
  <worldbody>
    <replicate count="1000" offset="1 0 0"><replicate count="1000" offset="0 1 0">
      <body><geom size="0.1"/></body>
    </replicate></replicate>
  </worldbody>
</mujoco>
"""
ENDLESS = '<mujoco model="deep"><worldbody>' + '<body>' * 20000 + '</body>' * 20000
ENDLESS += '</worldbody></mujoco>'
PID = """
<mujoco>
  <extension><plugin plugin="mujoco.pid">
    <instance name="pid"><config key="kp" value="3"/><config key="ki" value="2"/>
      <config key="kd" value="0.1"/></instance>
  </plugin></extension>
  <worldbody><body name="arm" pos="0 0 2"><joint name="hinge" axis="0 1 0"/>
    <geom size=".1" pos=".3 0 0"/></body></worldbody>
  <actuator><plugin name="drive" joint="hinge" plugin="mujoco.pid" instance="pid" actdim="1"/>
    <motor name="late" joint="hinge" delay="0.01" nsample="10"/></actuator>
  <sensor><jointpos name="old" joint="hinge" delay="0.006" nsample="5"/></sensor>
</mujoco>
"""


class Gait(MujocoPlugin, Adaptable):
    """Moves all motors of the humanoid by waves, with a phase of its own."""

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        self.state = new_state(count=21, phase=0.0)

    def adapt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        pass

    @staticmethod
    @compiled
    def control_callback(state: Any, model: Any, data: Any) -> None:
        state.phase += 0.01
        for motor in range(state.count):
            data.ctrl[motor] = 0.5 * np.sin(state.phase + motor)


def humanoid(jacobian: mujoco.mjtJacobian) -> mujoco.MjSpec:
    """A humanoid and a stone: MuJoCo solves a single island in another way than several."""
    spec = mujoco.MjSpec.from_file(str(HUMANOID))
    spec.option.jacobian = jacobian
    stone = spec.worldbody.add_body(name='stone', pos=[-6, 0, 0.1])
    stone.add_freejoint()
    stone.add_geom(type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[0.1, 0, 0])
    return spec


def trajectory(session: Session, *, rain: bool) -> np.ndarray:
    """Returns the positions of the humanoid, which are the first ones, after each ten steps."""
    places = []
    for turn in range(24):
        if rain and turn % 3 == 0:
            session.spawn(CUBE, f'cube{turn}', position=[6, turn % 7, 1 + 0.1 * turn])
        if rain and turn % 3 == 1 and turn > 12:
            session.delete(f'cube{turn - 13}')
        session.step(10)
        places.append(session.snapshot().data.qpos[:28].copy())
    return np.array(places)


def trajectories(jacobian: mujoco.mjtJacobian) -> tuple[np.ndarray, np.ndarray]:
    with (
        Session(humanoid(jacobian), [Gait]) as alone,
        Session(humanoid(jacobian), [Gait]) as rained_on,
    ):
        first = trajectory(alone, rain=False)
        second = trajectory(rained_on, rain=True)
        assert len(rained_on.entities) > len(alone.entities)
        assert alone.time == rained_on.time
        return first, second


@pytest.mark.parametrize(
    'jacobian', [mujoco.mjtJacobian.mjJAC_DENSE, mujoco.mjtJacobian.mjJAC_SPARSE], ids=str
)
def test_cubes_that_rain_beside_a_humanoid_change_no_bit_of_its_way(jacobian):
    alone, rained_on = trajectories(jacobian)
    assert np.ptp(alone[:, 2]) > 0.3, 'it moves'
    assert rained_on.tobytes() == alone.tobytes()


def test_where_the_form_of_the_jacobian_changes_the_ways_differ_by_the_tolerance_alone():
    alone, rained_on = trajectories(mujoco.mjtJacobian.mjJAC_AUTO)
    assert rained_on[:20] == pytest.approx(alone[:20], abs=1e-5)


def test_the_state_of_engine_plugins_and_of_delays_goes_on_over_spawns():
    with Session(mujoco_xml=PID) as alone, Session(mujoco_xml=PID) as changed:
        for session in (alone, changed):
            session.call(lambda model, data: data.ctrl.put([0, 1], [0.7, 0.3]))
        for turn in range(20):
            for session in (alone, changed):
                session.step(7)
            if turn % 2:
                changed.delete('cube')
            else:
                changed.spawn(CUBE, position=[4, 0, 1])
            here, there = (each.snapshot().data for each in (alone, changed))
            for name in ('act', 'ctrl', 'history', 'qpos', 'qvel'):
                alone_has, has = getattr(here, name), getattr(there, name)
                assert has[: len(alone_has)].tobytes() == alone_has.tobytes(), name
        assert here.act.any()
        assert here.history.any()


def test_a_saved_state_is_that_of_its_world_over_spawns_resets_and_reloads():
    with Session(mujoco_xml=PID) as session:
        session.step(20)
        small = session.save()
        session.spawn(CUBE, 'one', position=[4, 0, 1])
        session.step(20)
        large = session.save()
        with pytest.raises(SimulationError, match='nq is'):
            session.restore(small)
        session.step(30)
        after = session.snapshot().data.qpos.copy()
        session.reset()
        session.restore(large)
        session.step(30)
        assert session.snapshot().data.qpos.tobytes() == after.tobytes()
        session.delete('one')
        session.restore(small)
        assert session.time == pytest.approx(0.04)
        session.reload()
        with pytest.raises(SimulationError, match='nq is'):
            session.restore(large)
        session.spawn(CUBE, 'one', position=[4, 0, 1])
        session.restore(large)
        session.step(30)
        assert session.snapshot().data.qpos.tobytes() == after.tobytes()


@pytest.mark.parametrize('model', [BOMB, ENDLESS], ids=['many bodies', 'deep'])
def test_a_model_bomb_is_refused_and_the_world_goes_on(model):
    limits = {'model_guard': True, 'model_memory_limit': 512, 'model_time_limit': 4.0}
    with Session(mujoco_xml=PID, unpause=True, realtime=1.0, **limits) as session:
        before = session.time
        with pytest.raises(ModelError):
            session.spawn(model)
        assert session.time > before
        session.spawn(CUBE, position=[4, 0, 1])
        assert [entity.name for entity in session.entities] == ['arm', 'cube']


def test_a_session_that_runs_keeps_its_pace_its_lead_and_what_it_has_handed_out():
    with Session(mujoco_xml=PID, realtime=2.0) as session:
        session.step(10)
        held = session.snapshot()
        kept = held.data.qpos.copy()
        session.spawn(CUBE, position=[4, 0, 1])
        assert (session.status.paused, session.status.realtime) == (True, 2.0)
        session.step(10)
        assert held.data.qpos.tolist() == kept.tolist()
        assert held.model.nbody == 2
        session.set_paused(False)
        session.delete('cube')
        assert not session.status.paused
        assert session.status.steps >= 20
