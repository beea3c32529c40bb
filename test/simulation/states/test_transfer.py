"""The transfer of the state of one model to another, and the matching of their objects."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.mujoco_internals import begin_histories
from mujoco_ros_py.session import Session
from mujoco_ros_py.simulation.models.object_keys import ObjectKeys
from mujoco_ros_py.simulation.states.transfer import StateTransfer

EVERYTHING = """
<mujoco>
  <option timestep="0.002"/>
  <size nuserdata="3"/>
  <worldbody>
    <body name="arm" pos="0 0 1">
      <joint name="shoulder" axis="0 1 0"/><geom size=".05" pos=".3 0 0"/>
      <body pos=".5 0 0"><joint type="ball"/><geom size=".04" pos=".2 0 0"/></body>
    </body>
    <body name="hand" mocap="true" pos="0 1 1"/>
    {0}
    <body name="target" mocap="true" pos="0 2 1"/>
    <body name="box" pos="1 0 2"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  </worldbody>
  <tendon><fixed name="string"><joint joint="shoulder" coef="1"/></fixed></tendon>
  <equality>
    <weld name="grip" body1="hand" body2="box" active="false"/>
    <connect body1="arm" body2="world" anchor="0 0 0" active="false"/>
  </equality>
  <actuator>
    {1}
    <motor name="motor" joint="shoulder" delay="0.01" nsample="10"/>
    <general joint="shoulder" dyntype="filter" dynprm="0.1"/>
  </actuator>
  <sensor>
    <jointpos joint="shoulder" delay="0.006" nsample="5"/>{2}
    <framepos name="place" objtype="body" objname="box"/>
  </sensor>
</mujoco>
"""
ADDED = (
    '<body name="cube" pos="5 0 3"><freejoint/><geom size=".1"/>'
    '<body name="cubit" pos="0 0 1"><joint name="turn"/><geom size=".1"/></body></body>'
    '<body name="other hand" mocap="true"/>',
    '<general name="push" site="" body="cubit" dyntype="integrator"/>'.replace(
        'site="" ', ''
    ).replace('body="cubit"', 'joint="turn"'),
    '<clock name="clock"/>',
)
BEFORE = EVERYTHING.format('', '', '')
AFTER = EVERYTHING.format(*ADDED)
INTEGRATION = int(mujoco.mjtState.mjSTATE_INTEGRATION)


def made(xml: str) -> tuple[mujoco.MjModel, mujoco.MjData]:
    model = mujoco.MjModel.from_xml_string(xml)
    return model, mujoco.MjData(model)


def state(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
    values = np.zeros(mujoco.mj_stateSize(model, INTEGRATION))
    mujoco.mj_getState(model, data, values, INTEGRATION)
    return values


@pytest.fixture
def moved() -> tuple[mujoco.MjModel, mujoco.MjData]:
    """A state in which no number is what it is after a reset."""
    model, data = made(BEFORE)
    data.ctrl[:] = 0.4, 0.7
    data.qfrc_applied[:] = np.arange(model.nv) * 0.1
    data.xfrc_applied[:] = np.arange(6 * model.nbody).reshape(-1, 6) * 0.01
    data.userdata[:] = 1.0, 2.0, 3.0
    data.mocap_pos[:] += 0.25
    data.eq_active[:] = True, False
    for _ in range(50):
        mujoco.mj_step(model, data)
    return model, data


def test_nothing_is_lost_on_the_way_to_a_larger_model_and_back(moved):
    model, data = moved
    larger, there = made(AFTER)
    StateTransfer(ObjectKeys(model), ObjectKeys(larger)).carry(data, there)
    back, here = made(BEFORE)
    StateTransfer(ObjectKeys(larger), ObjectKeys(back)).carry(there, here)
    assert np.array_equal(state(back, here), state(model, data))
    assert np.array_equal(here.sensordata, data.sensordata)


def test_each_number_goes_to_the_object_of_the_same_name(moved):
    model, data = moved
    larger, there = made(AFTER)
    StateTransfer(ObjectKeys(model), ObjectKeys(larger)).carry(data, there)
    assert there.time == data.time
    assert there.joint('shoulder').qpos == data.joint('shoulder').qpos
    for name in ('arm', 'box', 'hand'):
        assert np.array_equal(there.body(name).xfrc_applied, data.body(name).xfrc_applied)
    assert there.actuator('motor').ctrl == data.actuator('motor').ctrl
    for name in ('hand', 'target'):
        old, new = model.body(name).mocapid[0], larger.body(name).mocapid[0]
        assert np.array_equal(there.mocap_pos[new], data.mocap_pos[old])
    assert there.eq_active.tolist() == [1, 0]


def test_what_is_new_begins_as_after_a_reset(moved):
    model, data = moved
    larger, there = made(AFTER)
    StateTransfer(ObjectKeys(model), ObjectKeys(larger)).carry(data, there)
    assert there.joint('turn').qpos == 0
    cube = larger.body('cube').jntadr[0]
    address = larger.jnt_qposadr[cube]
    assert there.qpos[address : address + 3].tolist() == [5, 0, 3]
    assert there.actuator('push').ctrl == 0
    new = larger.body('other hand').mocapid[0]
    assert there.mocap_pos[new].tolist() == [0, 0, 0]


def test_objects_without_names_are_known_by_their_place():
    text = """<mujoco><worldbody>
      <body name="a"><joint axis="1 0 0"/><joint axis="0 1 0"/><geom size="1"/></body>
      {}
      <body name="b"><joint axis="0 0 1"/><geom size="1"/></body>
    </worldbody></mujoco>"""
    model, data = made(text.format(''))
    larger, there = made(text.format('<body><joint/><geom size="1"/></body>'))
    data.qpos[:] = 1, 2, 3
    StateTransfer(ObjectKeys(model), ObjectKeys(larger)).carry(data, there)
    assert there.qpos.tolist() == [1, 2, 0, 3]


def test_a_joint_of_another_type_begins_anew():
    text = """<mujoco><worldbody>
      <body name="a"><joint name="j" type="{}"/><geom size="1"/></body>
    </worldbody></mujoco>"""
    model, data = made(text.format('hinge'))
    other, there = made(text.format('ball'))
    data.qpos[:], data.qvel[:] = 0.5, 0.25
    StateTransfer(ObjectKeys(model), ObjectKeys(other)).carry(data, there)
    assert there.qpos.tolist() == [1, 0, 0, 0]
    assert not there.qvel.any()


def test_an_actuator_with_another_number_of_activations_begins_anew():
    text = """<mujoco><worldbody><body><joint name="j"/><geom size="1"/></body></worldbody>
      <actuator><general name="a" joint="j" {}/></actuator></mujoco>"""
    model, data = made(text.format('dyntype="integrator"'))
    other, there = made(text.format(''))
    data.act[:], data.ctrl[:] = 0.5, 0.25
    StateTransfer(ObjectKeys(model), ObjectKeys(other)).carry(data, there)
    assert there.ctrl.tolist() == [0.25]
    StateTransfer(ObjectKeys(other), ObjectKeys(model)).carry(there, fresh := mujoco.MjData(model))
    assert fresh.act.tolist() == [0]


SLEEPING = """
<mujoco>
  <option><flag sleep="enable"/></option>
  <worldbody>
    <geom type="plane" size="9 9 .1"/>
    {}
    <body name="low" pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body name="high" pos="0 0 .3"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body name="apart" pos="2 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  </worldbody>
</mujoco>
"""
FALLING = '<body name="new" pos="5 5 3"><freejoint/><geom size=".1"/></body>'


def asleep(model: mujoco.MjModel, data: mujoco.MjData) -> dict[str, bool]:
    names = [model.body(first).name for first in model.tree_bodyadr]
    return {name: value >= 0 for name, value in zip(names, data.tree_asleep, strict=True)}


def fall_asleep() -> tuple[mujoco.MjModel, mujoco.MjData]:
    model, data = made(SLEEPING.format(''))
    for _ in range(2000):
        mujoco.mj_step(model, data)
        if all(asleep(model, data).values()):
            return model, data
    raise AssertionError('the boxes do not fall asleep')


def test_what_sleeps_goes_on_sleeping_where_it_lies():
    model, data = fall_asleep()
    larger, there = made(SLEEPING.format(FALLING))
    transfer = StateTransfer(ObjectKeys(model), ObjectKeys(larger))
    transfer.carry(data, there)
    mujoco.mj_forward(larger, there)
    transfer.carry_sleep(data, there)
    for _ in range(100):
        mujoco.mj_step(larger, there)
    assert asleep(larger, there) == {'new': False, 'low': True, 'high': True, 'apart': True}
    for name in ('low', 'high', 'apart'):
        assert np.array_equal(there.body(name).xpos, data.body(name).xpos)


def test_what_slept_beside_a_body_that_is_gone_wakes_up():
    model, data = fall_asleep()
    smaller, there = made(SLEEPING.format('').replace('name="low"', 'name="another"'))
    transfer = StateTransfer(ObjectKeys(model), ObjectKeys(smaller))
    transfer.carry(data, there)
    mujoco.mj_forward(smaller, there)
    transfer.carry_sleep(data, there)
    assert asleep(smaller, there) == {'another': False, 'high': False, 'apart': True}


def test_callbacks_find_the_forces_of_the_last_step_in_the_other_model(moved):
    model, data = moved
    other, new = made(AFTER)
    transfer = StateTransfer(ObjectKeys(model), ObjectKeys(other))
    transfer.carry(data, new)
    mujoco.mj_forward(other, new)
    fresh = new.joint('turn').qacc[0]
    transfer.carry_forces(data, new)
    for field in ('qacc', 'qfrc_actuator', 'qfrc_smooth', 'qfrc_constraint'):
        old, there = (getattr(each.joint('shoulder'), field) for each in (data, new))
        np.testing.assert_array_equal(there, old)
    np.testing.assert_array_equal(new.actuator_force[1:], data.actuator_force)
    assert new.joint('turn').qacc[0] == fresh


PERIODIC = """
<mujoco>
  <option timestep="0.01"/>
  <worldbody>
    <body name="ball" pos="0 0 9"><freejoint/><geom size=".1"/></body>{0}
  </worldbody>
  <sensor>{1}</sensor>
  <keyframe><key name="late" time="7.3"/></keyframe>
</mujoco>
"""
SENSORS = (
    '<framepos name="seldom" objtype="body" objname="ball" interval="0.5 -0.1" nsample="3"/>'
    '<framepos name="late" objtype="body" objname="ball" delay="0.03" nsample="5"/>'
)


def changes(model: mujoco.MjModel, data: mujoco.MjData) -> list[list[int]]:
    """Returns in which of 160 steps the value of each sensor changes."""
    found: list[list[int]] = [[] for _ in range(model.nsensor)]
    before = data.sensordata.reshape(model.nsensor, -1).copy()
    for step in range(160):
        mujoco.mj_step(model, data)
        for sensor, values in enumerate(data.sensordata.reshape(model.nsensor, -1)):
            if (values != before[sensor]).any():
                found[sensor].append(step)
        before = data.sensordata.reshape(model.nsensor, -1).copy()
    return found


def assert_alike(found: list[list[int]], wanted: list[list[int]]) -> None:
    for each, other in zip(found, wanted, strict=True):
        assert each == pytest.approx(other, abs=1)  # the sum of time steps is rounded


def test_sensors_with_intervals_and_delays_that_come_later_begin_as_after_a_reset():
    alone = changes(*made(PERIODIC.format('', SENSORS)))
    assert len(alone[0]) == 3
    old_model, old = made(PERIODIC.format('', ''))
    for _ in range(431):
        mujoco.mj_step(old_model, old)
    model, data = made(PERIODIC.format('<body name="stone"/>', SENSORS))
    StateTransfer(ObjectKeys(old_model), ObjectKeys(model)).carry(old, data)
    assert data.time == pytest.approx(4.31)
    assert_alike(changes(model, data), alone)


def test_histories_go_on_when_the_time_alone_is_set_back():
    model, data = made(PERIODIC.format('', SENSORS))
    for _ in range(400):
        mujoco.mj_step(model, data)
    other = mujoco.MjData(model)
    everything = mujoco.mjtState.mjSTATE_INTEGRATION
    state = np.zeros(mujoco.mj_stateSize(model, everything))
    mujoco.mj_getState(model, data, state, everything)
    mujoco.mj_setState(model, other, state, everything)
    other.sensordata[:] = data.sensordata
    before, data.time = data.time, 0.0
    begin_histories(model, data, before)
    assert_alike(changes(model, data), changes(model, other))


@pytest.mark.parametrize('keep_time', [False, True])
def test_sensors_begin_anew_at_a_reset_to_a_later_time(keep_time):
    alone = changes(*made(PERIODIC.format('', SENSORS)))
    with Session(mujoco_xml=PERIODIC.format('', SENSORS)) as session:
        session.step(431)
        key = None if keep_time else 'late'
        session._assembly.simulation.reset(key, keep_time=keep_time).result()
        assert session.time == pytest.approx(4.31 if keep_time else 7.3)
        assert_alike(session.call(changes), alone)
