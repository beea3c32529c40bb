"""A saved state can be restored to its own model, and to no other."""

from __future__ import annotations

import pickle
import subprocess
import sys
from dataclasses import replace

import mujoco
import numpy as np
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.engine.engine_plugins import Capability, EnginePlugin, register
from mujoco_ros_py.errors import SimulationError
from mujoco_ros_py.simulation import SavedState

ARM = """
<mujoco>
  <worldbody>
    <body name="upper">
      <joint name="lift" axis="0 1 0"/><geom size="0.1" pos="0.3 0 0"/>
      <body name="lower"><joint axis="0 1 0"/><geom size="0.1" pos="0.3 0 0"/></body>
    </body>
    <body name="target" mocap="true"/>
    <body name="start"/>
  </worldbody>
  <actuator>
    <general name="first" joint="lift" dyntype="filter"/><motor name="second" joint="lift"/>
  </actuator>
  <sensor>
    <jointpos name="seen" joint="lift" delay="0.01" nsample="5"/>
    <jointvel name="felt" joint="lift"/>
  </sensor>
  <equality><weld name="hold" body1="lower" body2="target"/></equality>
</mujoco>
"""
OTHERS = {
    'the type of a joint': (
        '<joint name="lift"', '<joint name="lift" type="slide"',
        "joint 0 is 'lift (hinge of upper)' in the state and 'lift (slide of upper)' in the model",
    ),
    'the name of a joint': (
        'lift', 'swing',
        "joint 0 is 'lift (hinge of upper)' in the state"
        " and 'swing (hinge of upper)' in the model",
    ),
    'the name of a body': (
        'lower', 'hand',
        "body 2 is 'lower' in the state and 'hand' in the model,"
        " joint 1 is 'unnamed_joint_1 (hinge of lower)' in the state"
        " and 'unnamed_joint_1 (hinge of hand)' in the model",
    ),
    'the mocap body': (
        '<body name="target" mocap="true"/>\n    <body name="start"/>',
        '<body name="target"/>\n    <body name="start" mocap="true"/>',
        "body 3 is 'target (mocap)' in the state and 'target' in the model",
    ),
    'the actuator with an activation': (
        '"lift" dyntype="filter"/><motor', '"lift"/><general dyntype="filter"',
        "actuator 0 is 'first (dynamics: filter, activations: 1)' in the state"
        " and 'first (dynamics: none, activations: 0)' in the model",
    ),
    'the type of an equality': (
        '<weld name="hold"', '<connect anchor="0 0 0" name="hold"',
        "equality 0 is 'hold (weld)' in the state and 'hold (connect)' in the model",
    ),
    'the sensor with a history': (
        'joint="lift" delay="0.01" nsample="5"/>\n    <jointvel name="felt"',
        'joint="lift"/>\n    <jointvel name="felt" delay="0.01" nsample="5"',
        "sensor with history 0 is 'seen' in the state and 'felt' in the model",
    ),
}  # fmt: skip
"""What is different, by its name: what to replace in the model by what, and what is refused."""

IN_ANOTHER_PROCESS = """
import pickle, sys
from mujoco_ros_py.session import Session

with Session(mujoco_xml=sys.argv[1]) as session:
    session.restore(pickle.loads(sys.stdin.buffer.read()))
    sys.stdout.buffer.write(pickle.dumps(session.save()))
"""


def model_of(text: str) -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(text)


@pytest.fixture
def saved(simulate) -> SavedState:
    """Returns the state of the arm after some steps."""
    simulation = simulate(model_of(ARM), paused=True)
    simulation.step(20).result(DEADLINE_S)
    return simulation.save().result(DEADLINE_S)


def numbers(simulation) -> list[float]:
    return simulation.save().result(DEADLINE_S).integration.tolist()


@pytest.mark.parametrize('what', OTHERS)
def test_the_state_of_a_model_with_equal_sizes_is_refused_and_nothing_changes(
    simulate, saved, what
):
    old, new, told = OTHERS[what]
    assert old in ARM
    simulation = simulate(model_of(ARM.replace(old, new)), paused=True)
    before, epoch = numbers(simulation), simulation.epoch
    assert len(before) == saved.integration.size
    with pytest.raises(SimulationError) as refused:
        simulation.restore(saved).result(DEADLINE_S)
    assert str(refused.value) == f'the saved state belongs to another model: {told}'
    assert numbers(simulation) == before
    assert simulation.epoch == epoch


def test_a_load_begins_in_a_saved_state_and_nobody_hears_of_another_time(simulate, recorder):
    first = simulate(model_of(ARM), paused=True)
    first.step(3).result(DEADLINE_S)
    saved, listener = first.save().result(DEADLINE_S), recorder()
    second = simulate(paused=True, listener=listener)
    second.load(model_of(ARM), begin=saved).result(DEADLINE_S)
    assert numbers(second) == saved.integration.tolist()
    assert listener.log == [('jump', saved.time)]
    other = model_of(ARM.replace('lift', 'swing'))
    with pytest.raises(SimulationError, match='the saved state belongs to another model'):
        second.load(other, begin=saved)
    assert numbers(second) == saved.integration.tolist()


class Left(EnginePlugin):
    """Has one number in the state."""

    name = 'test.left'
    capabilities = Capability.PASSIVE

    @classmethod
    def state_size(cls, config, instance):
        return 1

    @staticmethod
    def compute_passive(p, model, data):
        pass


class Right(Left):
    """Has one number, too."""

    name = 'test.right'


def test_the_state_of_an_engine_plugin_is_refused_by_another_of_the_same_size(simulate):
    states = {}
    for plugin in (Left, Right):
        register(plugin)
        text = f"""
            <mujoco>
              <extension><plugin plugin="{plugin.name}"><instance name="one"/></plugin></extension>
              <worldbody><body><geom size="1"/><plugin instance="one"/></body></worldbody>
            </mujoco>"""
        simulation = simulate(model_of(text), paused=True)
        states[plugin] = simulation.save().result(DEADLINE_S)
    assert simulation.restore(states[Right]).result(DEADLINE_S) == []
    told = (
        "engine plugin 0 is 'one (test.left, numbers: 1)' in the state"
        " and 'one (test.right, numbers: 1)' in the model"
    )
    with pytest.raises(SimulationError) as refused:
        simulation.restore(states[Left]).result(DEADLINE_S)
    assert str(refused.value) == f'the saved state belongs to another model: {told}'


def test_a_model_that_was_tuned_while_it_ran_is_still_the_same(simulate, saved):
    simulation = simulate(model_of(ARM), paused=True)

    def tune(model: mujoco.MjModel, data: mujoco.MjData) -> None:
        model.body_mass[:] *= 2.0
        model.dof_damping[:] = 0.5
        model.opt.timestep *= 0.5

    simulation.submit(tune).result(DEADLINE_S)
    assert simulation.restore(saved).result(DEADLINE_S) == []
    assert numbers(simulation) == saved.integration.tolist()
    simulation.step(5).result(DEADLINE_S)
    tuned = simulation.save().result(DEADLINE_S)
    simulation.load(model_of(ARM)).result(DEADLINE_S)
    assert simulation.restore(tuned).result(DEADLINE_S) == []


@pytest.mark.slow
def test_another_process_with_the_same_model_takes_a_state(saved):
    done = subprocess.run(
        [sys.executable, '-c', IN_ANOTHER_PROCESS, ARM],
        input=pickle.dumps(saved), capture_output=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b'')
    there = pickle.loads(done.stdout)
    np.testing.assert_array_equal(there.integration, saved.integration)
    assert there.model == saved.model


def test_a_state_that_was_saved_with_sizes_alone_is_restored_where_they_are_the_same(
    simulate, saved
):
    sizes = {name: size for name, size in saved.model.items() if isinstance(size, int)}
    old = pickle.loads(pickle.dumps(replace(saved, model=sizes)))
    simulation = simulate(model_of(ARM), paused=True)
    assert simulation.restore(old).result(DEADLINE_S) == []
    simulation.load(model_of('<mujoco/>')).result(DEADLINE_S)
    with pytest.raises(
        SimulationError, match=r'to another model: nq is 2 in the state and 0 in the model'
    ):
        simulation.restore(old).result(DEADLINE_S)
