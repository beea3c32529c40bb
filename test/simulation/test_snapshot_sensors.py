"""Sensors of a snapshot are up to date, although those of MuJoCo lag by one step."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.engine import Point, python_callback

STEPS = 150
MODEL = """
<mujoco>
  <option timestep="0.002" integrator="{integrator}"><flag energy="enable"/></option>
  <worldbody>
    <geom type="plane" size="5 5 0.1"/>
    <body name="ball" pos="0 0 0.14">
      <freejoint/><geom size="0.1"/><site name="ball" size="0.11"/>
    </body>
    <body name="rod" pos="1 0 1">
      <joint name="hinge" axis="0 1 0" damping="0.1" stiffness="1"/>
      <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.05"/><site name="tip" pos="0.3 0 0"/>
    </body>
  </worldbody>
  <actuator><motor name="motor" joint="hinge"/></actuator>
  <sensor>
    <clock/><jointpos joint="hinge"/><framepos objtype="site" objname="tip"/>
    <gyro site="tip"/><velocimeter site="tip"/><jointvel joint="hinge"/>
    <accelerometer site="tip"/><force site="tip"/><torque site="tip"/><touch site="ball"/>
    <jointactuatorfrc joint="hinge"/><framelinacc objtype="body" objname="ball"/>
    <e_kinetic/><e_potential/>{delayed}
  </sensor>
</mujoco>
"""
DELAYED = """
    <jointpos joint="hinge" nsample="10" delay="0.01"/>
    <accelerometer site="tip" nsample="4" interval="0.006"/>
"""


def push(data: mujoco.MjData) -> None:
    data.qfrc_passive[-1] += 1.5


def after_steps(model: mujoco.MjModel, passive: bool) -> mujoco.MjData:
    """Those of MuJoCo alone, after as many steps and one more forward pass."""
    data = mujoco.MjData(model)
    try:
        if passive:
            mujoco.set_mjcb_passive(lambda m, d: push(d) if d is data else None)
        data.ctrl[:] = 0.5
        mujoco.mj_step(model, data, STEPS)
        data.flg_energyvel = False  # otherwise the kinetic energy stays that of the moment before
        mujoco.mj_forward(model, data)
    finally:
        mujoco.set_mjcb_passive(None)
    return data


@pytest.fixture(params=['Euler', 'implicitfast', 'RK4'])
def model(request) -> mujoco.MjModel:
    new = hasattr(mujoco.MjModel, 'sensor_delay')
    delayed = DELAYED if new else ''
    return mujoco.MjModel.from_xml_string(MODEL.format(integrator=request.param, delayed=delayed))


def snapshot_after_steps(simulate, model, recorder=None):
    simulation = simulate(model, *(recorder or ()), paused=True)
    receiver = simulation.receiver().result(DEADLINE_S)
    simulation.submit(lambda m, d: d.ctrl.fill(0.5)).result(DEADLINE_S)
    receiver.ask(due=(STEPS - 0.5) * model.opt.timestep)
    simulation.step(STEPS).result(DEADLINE_S)
    snapshot = receiver.take(DEADLINE_S)
    assert snapshot.steps == STEPS
    return snapshot


@pytest.mark.parametrize('passive', [False, True])
def test_sensors_of_a_snapshot_are_those_of_its_moment(simulate, recorder, model, passive):
    wanted = after_steps(model, passive)
    found = []
    callbacks = [python_callback(Point.PASSIVE, lambda: push(found[0]))]

    class Pushes(recorder):
        def load(self, model, data):
            found.append(data)
            return super().load(model, data)

    snapshot = snapshot_after_steps(simulate, model, [Pushes(callbacks)] if passive else None)
    before = snapshot.data.sensordata.copy()
    assert not np.allclose(before, wanted.sensordata, atol=1e-6), 'MuJoCo leaves the past there'
    np.testing.assert_allclose(snapshot.sensors(), wanted.sensordata, rtol=0, atol=1e-9)
    for field in ('qpos', 'qvel', 'xpos', 'cvel', 'qacc', 'qfrc_passive', 'qfrc_applied', 'ctrl'):
        np.testing.assert_allclose(
            getattr(snapshot.data, field), getattr(wanted, field), rtol=0, atol=1e-9
        )


def test_sensors_are_computed_once_for_all_who_ask(simulate, model):
    snapshot = snapshot_after_steps(simulate, model)
    values = snapshot.sensors()
    values[:] = 7.0
    assert np.all(snapshot.sensors() == 7.0)
    snapshot.data.xpos[:] = 7.0
    snapshot.update()
    assert np.all(snapshot.data.xpos == 7.0), 'poses came with them'


def test_bringing_a_snapshot_up_to_date_calls_no_plugin_and_changes_no_result(
    simulate, recorder, model
):
    calls = []
    callbacks = [
        python_callback(point, lambda: calls.append(1)) for point in (Point.PASSIVE, Point.CONTROL)
    ]
    simulation = simulate(model, recorder(callbacks), paused=True)
    receiver = simulation.receiver().result(DEADLINE_S)

    def state() -> np.ndarray:
        kind = int(mujoco.mjtState.mjSTATE_INTEGRATION)

        def read(model, data):
            values = np.empty(mujoco.mj_stateSize(model, kind))
            mujoco.mj_getState(model, data, values, kind)
            return values

        return simulation.submit(read).result(DEADLINE_S)

    for _ in range(50):
        simulation.step().result(DEADLINE_S)
        taken = receiver.next(DEADLINE_S)
        taken.sensors()
    taken = receiver.next(DEADLINE_S)

    def update() -> int:
        """On the physics thread, so that nothing else calls them meanwhile."""
        before = len(calls)
        taken.sensors()
        return len(calls) - before

    assert simulation.between_steps(update).result(DEADLINE_S) == 0
    alone = mujoco.MjData(model)
    mujoco.mj_step(model, alone, 50)
    wanted = np.empty_like(state())
    mujoco.mj_getState(model, alone, wanted, int(mujoco.mjtState.mjSTATE_INTEGRATION))
    np.testing.assert_array_equal(state(), wanted)
