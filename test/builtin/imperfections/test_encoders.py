"""Faulty encoders and sensors: control callbacks read them, and everyone else the truth."""

from __future__ import annotations

import numpy as np
import pytest

from mujoco_ros_py.errors import PluginError
from mujoco_ros_py.plugins import MujocoPlugin, compiled, new_state
from mujoco_ros_py.session import Session

from .worn import session, worn

ARM = """
<mujoco>
  <option timestep="0.001" gravity="0 0 0" integrator="{}"/>
  <worldbody>
    <body>
      <joint name="elbow" axis="0 1 0" damping="1"/><geom size="0.1" pos="0.3 0 0" mass="1"/>
      <site name="hand" pos="0.6 0 0"/>
      <body pos="0.6 0 0"><joint name="ball" type="ball"/><geom size="0.05"/></body>
    </body>
  </worldbody>
  <actuator><motor name="motor" joint="elbow"/></actuator>
  <sensor>
    <jointpos name="angle" joint="elbow"/>
    <framepos name="place" objtype="site" objname="hand"/>
  </sensor>
</mujoco>
"""
MODEL = ARM.format('Euler')


class Servo(MujocoPlugin):
    """Moves the elbow to 0.5 rad, as far as it can see."""

    @staticmethod
    @compiled
    def control_callback(state, model, data):
        data.ctrl[0] = 40.0 * (0.5 - data.qpos[0]) - 8.0 * data.qvel[0]


class Reader(MujocoPlugin):
    """Keeps what it reads in its control callback: position, velocity and sensors."""

    def load(self, model, data):
        self.state = new_state(position=0.0, velocity=0.0, sensors=np.zeros(4))

    @staticmethod
    @compiled
    def control_callback(state, model, data):
        state.position, state.velocity = data.qpos[0], data.qvel[0]
        state.sensors[:] = data.sensordata


READER = {'type': Reader, 'name': 'reader'}


def of_joint(**effects: object) -> dict[str, object]:
    return {'of': {'joint': 'elbow'}, **effects}


def read_at(time_s: float, *timeline: dict[str, object], **start: float) -> tuple[float, float]:
    """The position and the velocity that control callbacks read at a time."""
    with session(MODEL, *timeline, before=[READER]) as made:
        move(made, **start)
        made.step(round(1000 * time_s) + 1)  # the last step reads at its beginning
        state = made.plugins['reader'].state
        return float(state.position), float(state.velocity)


def move(made: Session, position: float = 0.3, velocity: float = 0.0) -> None:
    def put(model, data):
        model.dof_damping[0] = 0.0
        data.qpos[0], data.qvel[0] = position, velocity

    made.call(put)


@pytest.mark.parametrize('integrator', ['Euler', 'RK4', 'implicitfast'])
def test_an_offset_makes_a_servo_settle_beside_its_goal_and_snapshots_show_the_truth(integrator):
    model, servo = ARM.format(integrator), {'type': Servo, 'name': 'servo'}
    with session(model, of_joint(offset=0.02), before=[servo]) as made:
        made.step(6000)
        snapshot = made.snapshot()
        assert snapshot.data.qpos[0] == pytest.approx(0.48, abs=1e-9)
        assert snapshot.sensors()[0] == snapshot.data.qpos[0]


@pytest.mark.parametrize(
    ('effects', 'position', 'velocity'),
    [
        ({'offset': 0.02}, 0.42, 0.1),
        ({'scale': 2.0}, 0.8, 0.2),
        ({'drift': 0.05}, 0.45, 0.15),
        ({'at': 0.5, 'drift': 0.05}, 0.425, 0.15),
        ({'at': 0.5, 'stick': True}, 0.35, 0.0),
        ({'dead_zone': 0.5}, 0.0, 0.1),
        ({'quantise': 0.07}, 0.42, 0.1),
        ({'at': 0.5, 'until': 0.8, 'offset': 1.0}, 0.4, 0.1),
        ({'at': 1.0, 'offset': 1.0}, 1.4, 0.1),
        ({'at': 1.001, 'offset': 1.0}, 0.4, 0.1),
        ({'active': False, 'offset': 1.0}, 0.4, 0.1),
    ],
)
def test_each_effect_changes_what_is_read(effects, position, velocity):
    read = read_at(1.0, of_joint(**effects), velocity=0.1)
    assert read == pytest.approx((position, velocity), abs=1e-9)


def test_effects_of_several_entries_are_applied_in_one_order_whatever_theirs_is():
    entries = [of_joint(quantise=0.1), of_joint(offset=0.04), of_joint(scale=2.0)]
    for timeline in (entries, entries[::-1]):
        assert read_at(0.0, *timeline)[0] == pytest.approx(0.6)


def test_the_true_state_is_the_same_to_the_bit_with_and_without_faults():
    def moved(*timeline: dict[str, object]) -> np.ndarray:
        with session(MODEL, *timeline, before=[READER]) as made:
            made.call(lambda model, data: data.qvel.__setitem__(slice(None), [0.7, 0.1, 0.2, 0.3]))
            made.step(500)
            data = made.snapshot().data
            return np.concatenate([data.qpos, data.qvel, data.sensordata])

    faults = [of_joint(offset=0.1, scale=1.7), {'of': {'sensor': 'place'}, 'drift': 0.3}]
    assert moved(*faults).tobytes() == moved().tobytes()


def test_all_numbers_of_a_sensor_have_the_fault():
    timeline = [{'of': {'sensor': 'place'}, 'offset': 0.5}]
    with session(MODEL, *timeline, before=[READER]) as made:
        made.step()
        sensors = made.plugins['reader'].state.sensors
        assert list(sensors) == pytest.approx([0.0, 1.1, 0.5, 0.5])
        assert list(made.snapshot().data.sensordata) == pytest.approx([0.0, 0.6, 0.0, 0.0])


def test_a_stuck_encoder_sticks_through_a_saved_state_and_not_through_a_reset():
    timeline = [of_joint(at=0.1, stick=True)]
    with session(MODEL, *timeline, before=[READER]) as made:
        state = made.plugins['reader'].state
        move(made, velocity=1.0)
        made.step(201)
        saved = made.save()
        made.step(100)
        assert state.position == pytest.approx(0.4)
        made.restore(saved)
        made.step()
        assert state.position == pytest.approx(0.4)
        made.reset()
        move(made, velocity=2.0)
        made.step(201)
        assert state.position == pytest.approx(0.5)


def test_two_plugins_on_one_joint_add_up_and_restore_the_truth():
    plugins = [READER, *(worn(of_joint(offset=0.1), name=f'worn{k}') for k in range(2))]
    for each in plugins[1:]:
        each['type'] = worn()['type']
    with Session(mujoco_xml=MODEL, plugins=plugins, strict=True) as made:
        move(made, position=0.3)
        made.step(10)
        assert made.plugins['reader'].state.position == pytest.approx(0.5)
        assert made.snapshot().data.qpos[0] == 0.3


@pytest.mark.parametrize(
    ('target', 'message'),
    [
        (
            {'joint': 'elbov'},
            r"timeline.e0\.of: unknown joint 'elbov' \(did you mean 'elbow'\?\); known: elbow",
        ),
        (
            {'joint': 'ball'},
            r"timeline.e0\.of: joint must be a hinge or a slide, got 'ball', which is a ball"
            ' joint; known: elbow',
        ),
        (
            {'sensor': 'angel'},
            r"timeline.e0\.of: unknown sensor 'angel' .*known: angle, pl",
        ),
    ],
)
def test_a_wrong_target_is_refused_with_what_there_is(target, message):
    with pytest.raises(PluginError, match=message):
        session(MODEL, {'of': target, 'offset': 0.1})
