"""Plugins between the control callbacks and the robot: read_callback and write_callback."""

from __future__ import annotations

import time

import mujoco
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.plugins import Adaptable, Hardware, MujocoPlugin, compiled, new_state
from mujoco_ros_py.session import Session

MODEL = """
<mujoco>
  <option timestep="0.001" integrator="{}"/><size nuserdata="10000"/>
  <worldbody>
    <body name="cart">
      <joint name="rail" type="slide" axis="1 0 0"/>
      <geom size="0.1" mass="2"/>
    </body>
  </worldbody>
  <actuator><motor name="push" joint="rail"/></actuator>
</mujoco>
"""
EULER = MODEL.format('Euler')
BALL = """
<mujoco>
  <worldbody><body name="ball"><freejoint/><geom size="0.1"/></body></worldbody>
</mujoco>
"""


class Scripted(MujocoPlugin, Hardware):
    """Appends 10, 20 or 30, plus its number, to the user data in its callbacks."""

    def note(self, data, what):
        data.userdata[0] += 1
        data.userdata[int(data.userdata[0])] = what + self.config['number']

    def read_callback(self, model, data):
        self.note(data, 10)

    def control_callback(self, model, data):
        self.note(data, 20)

    def write_callback(self, model, data):
        self.note(data, 30)


class Native(MujocoPlugin, Hardware):
    """Does the same in compiled code."""

    def load(self, model, data):
        self.state = new_state(number=float(self.config['number']))

    @staticmethod
    @compiled
    def read_callback(state, model, data):
        data.userdata[0] += 1
        data.userdata[int(data.userdata[0])] = 10 + state.number

    @staticmethod
    @compiled
    def control_callback(state, model, data):
        data.userdata[0] += 1
        data.userdata[int(data.userdata[0])] = 20 + state.number

    @staticmethod
    @compiled
    def write_callback(state, model, data):
        data.userdata[0] += 1
        data.userdata[int(data.userdata[0])] = 30 + state.number


class Nearest(Native):
    """Is closer to the robot than the others."""

    nearest = True


class Reading(Scripted):
    """Leaves out its other callbacks."""

    def load(self, model, data):
        self.control_callback = self.write_callback = None


class Servo(MujocoPlugin):
    """Holds the cart at 1 m, as far as it can see."""

    @staticmethod
    @compiled
    def control_callback(state, model, data):
        data.ctrl[0] = 200 * (1 - data.qpos[0]) - 40 * data.qvel[0]


class Encoder(MujocoPlugin, Hardware, Adaptable):
    """Shows the position 0.02 m further along the rail, and lets through half of each control."""

    share = 1.0

    def load(self, model, data):
        address = model.joint('rail').qposadr[0]
        self.loads = getattr(self, 'loads', 0) + 1
        self.state = new_state(address=address, true=0.0, share=self.share)

    def adapt(self, model, data):
        self.state.address = model.joint('rail').qposadr[0]

    @staticmethod
    @compiled
    def read_callback(state, model, data):
        state.true = data.qpos[state.address]
        data.qpos[state.address] += 0.02

    @staticmethod
    @compiled
    def write_callback(state, model, data):
        data.qpos[state.address] = state.true
        data.ctrl[0] *= state.share


class Weak(MujocoPlugin, Hardware):
    """Halves the gain of the actuator as long as it is there."""

    def load(self, model, data):
        self.state = new_state(gain=float(model.actuator_gainprm[0, 0]))

    @staticmethod
    @compiled
    def write_callback(state, model, data):
        model.actuator_gainprm[0, 0] = 0.5 * state.gain

    def restore_model(self, model, data):
        model.actuator_gainprm[0, 0] = self.state.gain


class Gains(MujocoPlugin, Adaptable):
    """Reads the gain of each model, as controllers do."""

    def load(self, model, data):
        self.seen = [float(model.actuator_gainprm[0, 0])]

    def adapt(self, model, data):
        self.seen.append(float(model.actuator_gainprm[0, 0]))


class Unsteady(MujocoPlugin, Hardware):
    """Shows another position to its own control callback, which raises from 5 ms on."""

    def load(self, model, data):
        self.state = new_state(true=0.0, shown=False, passes=0)

    @staticmethod
    @compiled
    def read_callback(state, model, data):
        state.true, state.shown = data.qpos[0], True
        data.qpos[0] += 0.02

    def control_callback(self, model, data):
        if data.time >= 0.005:
            raise ValueError('no contact')

    @staticmethod
    @compiled
    def write_callback(state, model, data):
        state.passes += 1
        if state.shown:
            data.qpos[0], state.shown = state.true, False


class Doubler(MujocoPlugin, Hardware):
    def write_callback(self, model, data):
        data.ctrl[0] = 200.0


class Passing(MujocoPlugin):
    """Makes a forward pass of its own in its control callback."""

    def control_callback(self, model, data):
        mujoco.mj_forward(model, data)


class Broken(MujocoPlugin, Hardware):
    """Raises in the callback that its configuration names, from 5 ms on."""

    def fail(self, data, where):
        if self.config['where'] == where and data.time >= 0.005:
            raise ValueError('no contact')

    def read_callback(self, model, data):
        self.fail(data, 'read_callback')

    def control_callback(self, model, data):
        data.ctrl[0] = 1.0

    def write_callback(self, model, data):
        self.fail(data, 'write_callback')


class BrokenNative(MujocoPlugin, Hardware):
    """Does the same in compiled code."""

    def load(self, model, data):
        self.state = new_state(fails_at_read=self.config['where'] == 'read_callback')

    @staticmethod
    @compiled
    def read_callback(state, model, data):
        if state.fails_at_read and data.time >= 0.005:
            raise ValueError('no contact')

    @staticmethod
    @compiled
    def control_callback(state, model, data):
        data.ctrl[0] = 1.0

    @staticmethod
    @compiled
    def write_callback(state, model, data):
        if not state.fails_at_read and data.time >= 0.005:
            raise ValueError('no contact')


def noted(session: Session) -> list[int]:
    """Returns the notes since the last call."""

    def take(model, data):
        notes = [int(x) for x in data.userdata[1 : 1 + int(data.userdata[0])]]
        data.userdata[:] = 0
        return notes

    return session.call(take)


ORDER = [11, 12, 13, 21, 22, 23, 33, 32, 31]
THREE = [
    {'type': kind, 'name': f'p{number}', 'number': number}
    for number, kind in enumerate((Scripted, Native, Scripted), start=1)
]


@pytest.mark.parametrize(('integrator', 'times'), [('Euler', 1), ('implicit', 1), ('RK4', 4)])
def test_all_read_before_all_control_and_write_afterwards_in_reverse(integrator, times):
    with Session(mujoco_xml=MODEL.format(integrator), plugins=THREE) as session:
        noted(session)
        session.step()
        assert noted(session) == ORDER * times


@pytest.mark.parametrize('place', [0, 1, 2])
def test_the_nearest_reads_first_and_writes_last_wherever_it_is_in_the_list(place):
    plugins = [{'type': Native, 'name': f'p{number}', 'number': number} for number in (1, 2)]
    plugins.insert(place, {'type': Nearest, 'name': 'nearest', 'number': 9})
    controls = [1, 2]
    controls.insert(place, 9)
    with Session(mujoco_xml=EULER, plugins=plugins) as session:
        noted(session)
        session.step()
        expected = [19, 11, 12, *(20 + number for number in controls), 32, 31, 39]
        assert noted(session) == expected


def test_a_callback_that_is_none_is_left_out():
    plugins = [THREE[0], {'type': Reading, 'name': 'reading', 'number': 2}, THREE[2]]
    with Session(mujoco_xml=EULER, plugins=plugins) as session:
        noted(session)
        session.step()
        assert noted(session) == [11, 12, 13, 21, 23, 33, 31]
        assert session.problems == []


def test_forward_passes_of_a_load_and_of_a_pause_call_them_too():
    with Session(mujoco_xml=EULER, plugins=THREE, update_in_pause=True) as session:
        passes, deadline = 0, time.monotonic() + DEADLINE_S
        while passes < 3:
            assert time.monotonic() < deadline
            notes = noted(session)
            passes += len(notes) // len(ORDER)
            assert notes == ORDER * (len(notes) // len(ORDER))


@pytest.mark.parametrize('kind', [Scripted, Native])
def test_a_forward_pass_inside_a_control_callback_does_not(kind):
    plugins = [{'type': kind, 'name': 'one', 'number': 1}, {'type': Passing, 'name': 'pass'}]
    with Session(mujoco_xml=EULER, plugins=plugins) as session:
        noted(session)
        session.step()
        assert noted(session) == [11, 21, 31]


def test_controllers_see_what_was_read_and_everyone_else_the_truth():
    plugins = [{'type': Servo, 'name': 'servo'}, {'type': Encoder, 'name': 'encoder'}]
    with Session(mujoco_xml=EULER, plugins=plugins, strict=True) as session:
        session.step(3000)
        assert session.snapshot().data.qpos[0] == pytest.approx(0.98, abs=1e-6)


def test_a_plugin_that_is_listed_first_writes_after_the_controllers():
    class Half(Encoder):
        share = 0.5

    plugins = [{'type': Half, 'name': 'half'}, {'type': Servo, 'name': 'servo'}]
    with Session(mujoco_xml=EULER, plugins=plugins, strict=True) as session:
        assert session.snapshot().data.ctrl[0] == 0.5 * 200 * 0.98


def test_the_limit_of_commands_comes_after_the_last_writing():
    with Session(mujoco_xml=EULER, plugins=[Servo, Doubler], command_limit=50.0) as session:
        session.step(5)
        assert session.snapshot().data.ctrl[0] == 50.0


@pytest.mark.parametrize('where', ['read_callback', 'write_callback'])
@pytest.mark.parametrize('kind', [Broken, BrokenNative])
def test_one_that_raises_is_taken_out_alone(kind, where):
    plugins = [{'type': kind, 'name': 'broken', 'where': where}, *THREE]
    with Session(mujoco_xml=EULER, plugins=plugins) as session:
        assert session.problems == []
        session.step(20)
        (problem,) = session.problems
        assert problem == f'broken: {where} raised ValueError: no contact'
        noted(session)
        session.step()
        assert noted(session) == ORDER


@pytest.mark.parametrize('integrator', ['Euler', 'RK4'])
def test_one_that_fails_between_reading_and_writing_restores_the_truth(integrator):
    with Session(mujoco_xml=MODEL.format(integrator), plugins=[Unsteady]) as session:
        plugin = session.plugins['unsteady']
        session.call(lambda model, data: data.qpos.fill(0.1))
        session.step(10)
        assert len(session.problems) == 1
        assert session.snapshot().data.qpos[0] == 0.1
        passes = int(plugin.state.passes)
        session.step(10)
        assert plugin.state.passes == passes


def test_it_stays_when_entities_come_and_go():
    plugins = [{'type': Servo, 'name': 'servo'}, {'type': Encoder, 'name': 'encoder'}]
    with Session(mujoco_xml=EULER, plugins=plugins, strict=True) as session:
        session.step(100)
        session.spawn(BALL, 'ball', position=[0, 0, 1])
        session.step(3000)
        assert session.plugins['encoder'].loads == 1
        assert session.snapshot().data.joint('rail').qpos[0] == pytest.approx(0.98, abs=1e-6)


def test_two_on_one_joint_restore_the_true_position_to_the_bit():
    plugins = [{'type': Encoder, 'name': f'encoder{k}'} for k in range(3)]
    with Session(mujoco_xml=EULER, plugins=plugins, strict=True) as session:
        session.call(lambda model, data: data.qpos.fill(0.1))
        session.step(10)
        assert session.snapshot().data.qpos[0] == 0.1


def test_a_changed_value_of_the_model_is_restored_before_it_could_be_carried_over():
    plugins = [{'type': Gains, 'name': 'gains'}, {'type': Weak, 'name': 'weak'}]
    with Session(mujoco_xml=EULER, plugins=plugins, strict=True) as session:
        session.step()
        assert session.snapshot().model.actuator_gainprm[0, 0] == 0.5
        session.spawn(BALL, 'ball', position=[0, 0, 1])
        assert session.plugins['gains'].seen == [1.0, 1.0]
        session.step()
        assert session.snapshot().model.actuator_gainprm[0, 0] == 0.5
