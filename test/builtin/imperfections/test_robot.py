"""The faults of a robot as a whole: groups, saved states, batches, and index checks."""

from __future__ import annotations

import numpy as np
import pytest
from builtin.imperfections.timelines import by_name

from mujoco_ros_py.builtin.imperfections import robot
from mujoco_ros_py.errors import ConfigError, PluginError
from mujoco_ros_py.plugins import MujocoPlugin, compiled
from mujoco_ros_py.session import Session
from mujoco_ros_py.session.batch import Batch

from .worn import Worn, session, worn

ARM = """
<mujoco model="arm">
  <option timestep="0.001" gravity="0 0 0"/>
  <worldbody>
    <body name="base">
      <body>
        <joint name="elbow" axis="0 1 0" damping="1"/>
        <inertial pos="0 0 0" mass="1" diaginertia="2 2 2"/>
        <geom size="0.1"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor name="motor" joint="elbow"/></actuator>
  <sensor><jointpos name="angle" joint="elbow"/></sensor>
</mujoco>
"""
EVERYTHING = [
    {'of': {'joint': 'elbow'}, 'offset': 0.02, 'quantise': 0.001},
    {'of': {'sensor': 'angle'}, 'at': 0.05, 'stick': True},
    {'of': {'actuator': 'motor'}, 'delay': 0.007, 'backlash': 0.01, 'offset': 0.001},
    {'name': 'weak', 'of': {'actuator': 'motor'}, 'at': 0.03, 'scale': 0.5},
    {'of': {'actuator_group': 0}, 'at': 0.06, 'saturate': {'force': 0.4, 'velocity': 0.3}},
]


class Servo(MujocoPlugin):
    """Moves all joints to 0.5 rad, as far as it can see."""

    @staticmethod
    @compiled
    def control_callback(state, model, data):
        for k in range(len(data.ctrl)):
            data.ctrl[k] = 9.0 * (0.5 - data.qpos[k]) - 3.0 * data.qvel[k] + data.sensordata[k]


SERVO = {'type': Servo, 'name': 'servo'}


def everything(**options: object) -> Session:
    return session(ARM, *EVERYTHING, before=[SERVO], **options)


def end(made: Session, steps: int) -> bytes:
    made.step(steps)
    data = made.snapshot().data
    return data.qpos.tobytes() + data.qvel.tobytes() + data.ctrl.tobytes()


@pytest.mark.parametrize('integral', [0.0, 30.0])
def test_a_controller_that_ships_settles_beside_its_goal(integral):
    """Its integral sums up the error that it reads, too."""
    controller = {
        'type': 'mujoco_ros_py/ForwardCommandController', 'name': 'arm', 'joints': ['elbow'],
        'interface_name': 'position', 'gains': {'elbow': {'p': 60.0, 'i': integral, 'd': 20.0}},
    }  # fmt: skip
    faults = {'of': {'joint': 'elbow'}, 'offset': 0.02}
    with session(ARM, faults, before=[controller]) as made:
        arm = made.plugins['arm']
        made.call(lambda model, data: arm.take_command(model, data, data=[0.5]))
        made.step(30_000)
        assert made.snapshot().data.qpos[0] == pytest.approx(0.48, abs=1e-6)


def test_all_faults_together_are_the_same_in_each_run_and_with_index_checks():
    with everything() as one, everything(boundscheck=True) as other:
        assert end(one, 200) == end(other, 200)


def test_a_state_from_the_middle_of_all_faults_repeats_what_followed():
    with everything() as made:
        for steps in (20, 25, 30):
            made.step(steps)
            saved = made.save()
            expected = end(made, 60)
            made.step(7)
            assert made.restore(saved) == []
            assert end(made, 60) == expected
            made.restore(saved)


@pytest.mark.parametrize('place', robot.PLACES)
def test_a_saved_state_with_other_places_is_refused(place):
    rows, field = place.split('.')
    with everything() as made:
        saved = made.save()
        saved.plugins['worn'][rows][field] += 1
        with pytest.raises(ConfigError, match=f'{rows}.*{field}'):
            made.plugins['worn'].check_saved(saved.plugins['worn'])


def test_a_saved_state_with_wild_numbers_does_not_leave_the_memory_of_a_pipe():
    with everything(boundscheck=True) as made:
        made.step(20)
        saved = made.save()
        for head, stored in ((-5, 100), (10**12, -(10**12)), (-(2**63), 2**63 - 1)):
            faults = saved.plugins['worn']['control_faults']
            faults['head'], faults['stored'] = head, stored
            made.restore(saved)
            made.step(20)
        assert made.problems == []


def test_names_in_a_group_of_plugins_are_those_of_its_robot():
    weak = worn(
        {'of': {'actuator': 'motor'}, 'scale': 0.5}, {'of': {'joint': 'elbow'}, 'scale': 2}
    )
    with Session(mujoco_xml=ARM, plugins=[SERVO], strict=True) as made:
        made.spawn(ARM, 'second', position=[0, 1, 0], plugins=[weak])
        made.step()
        first, second = made.snapshot().data.actuator_force
        assert second == pytest.approx(0.5 * first)
        with pytest.raises(PluginError, match="unknown actuator 'engine'; known: motor"):
            made.spawn(ARM, 'third', plugins=[worn({'of': {'actuator': 'engine'}, 'scale': 0.5})])


def test_each_world_of_a_batch_has_its_own_faults():
    timelines = [
        by_name([{**entry, 'active': j < k} for j, entry in enumerate(EVERYTHING)])
        for k in range(1, 6)
    ]
    values = {'worn': {'timeline': timelines}}
    with Batch(mujoco_xml=ARM, plugins=[SERVO, worn(*EVERYTHING)], worlds=5,
               plugin_values=values) as batch:  # fmt: skip
        batch.step(count=100)
        found = np.concatenate([world.data.qpos for world in batch])
    for k in range(1, 6):
        with session(ARM, *EVERYTHING[:k], before=[SERVO]) as made:
            made.step(100)
            assert made.snapshot().data.qpos[0] == found[k - 1]


def test_two_entries_with_one_effect_on_an_actuator_of_a_group_are_refused():
    timeline = [
        {'name': 'weak', 'of': {'actuator': 'motor'}, 'scale': 0.5},
        {'name': 'dead', 'of': {'actuator_group': 0}, 'at': 1.0, 'stop': True},
    ]
    with pytest.raises(PluginError, match=r"'weak'.*'dead'.*actuator 'motor'"):
        session(ARM, *timeline)


def test_faults_of_a_robot_that_is_at_rest_change_nothing():
    timeline = [{**entry, 'active': False} for entry in EVERYTHING]
    with session(ARM, *timeline, before=[SERVO]) as faulty:
        found = end(faulty, 100)
    with Session(mujoco_xml=ARM, plugins=[SERVO]) as sound:
        assert end(sound, 100) == found


def test_the_test_plugin_keeps_its_state_if_it_can():
    with everything() as made:
        plugin = made.plugins['worn']
        assert isinstance(plugin, Worn)
        before = plugin.state
        made.spawn(
            '<mujoco><worldbody><body name="b"><geom size="1"/></body></worldbody></mujoco>'
        )
        assert plugin.state is before


def test_worlds_that_share_a_model_cannot_have_faults_of_actuators():
    with pytest.raises(ConfigError, match=r"share_model must be false: plugin 'worn' \(Worn\)"):
        Batch(mujoco_xml=ARM, plugins=[SERVO, worn(*EVERYTHING)], worlds=2, share_model=True)
