"""Controllers in a changed model: the commands and values they keep, failures, and reloads."""

from __future__ import annotations

from typing import Any

import pytest
from builtin.controllers.changing import ALL, CUBE, FORWARD, places, session_of, set_stopped, spec
from builtin.controllers.driving import hinge
from builtin.controllers.stoppable import MOTIONS, STOP
from builtin.controllers.trajectories.trajectory_messages import trajectory

from mujoco_ros_py.builtin.controllers import SUCCEEDED
from mujoco_ros_py.builtin.controllers.goals.goals import RESET
from mujoco_ros_py.session import Session

pytestmark = pytest.mark.slow

TWO = """
<mujoco>
  <option timestep="0.001"/>
  <worldbody>
    <body name="left"><joint name="a" axis="0 0 1"/><geom size="0.1"/></body>
    <body name="right" pos="1 0 0"><joint name="b" axis="0 0 1"/><geom size="0.1"/></body>
  </worldbody>
  <actuator><motor name="first" joint="a"/><position name="second" joint="b" kp="9"/></actuator>
</mujoco>
"""
BOTH = {'type': 'mujoco_ros_py/ForwardCommandController', 'name': 'both', 'joints': ['b', 'a'],
        'interface_name': 'effort'}  # fmt: skip
FAN = {'type': 'mujoco_ros_py/ActuatorCommands', 'name': 'fan', 'actuators': ['second', 'first']}
ROBOT = """
<mujoco>
  <worldbody>
    <body name="link"><joint name="turn" axis="0 0 1"/><geom size="0.1"/></body>
  </worldbody>
</mujoco>
"""


def pursuing(session: Session) -> Any:
    """Makes the trajectory controller pursue a goal."""
    moved: Any = session.plugins['moved']
    message = trajectory((0.2, (0.3,), (0.0,)), joints=['joint'])
    return session.call(lambda m, d: moved.pursue(moved.reader.read(message, d.time), d))


def test_a_goal_goes_on_to_its_end_through_many_spawns():
    with session_of(MOTIONS['JointTrajectoryController']) as session:
        goal = pursuing(session)
        for _ in range(20):
            session.spawn(CUBE, 'cube', position=[0, 0, 9])
            session.step(10)
            session.delete('cube')
            session.step(40)
        session.call(lambda m, d: session.plugins['moved'].goals.settle())
        assert goal.end == SUCCEEDED


def test_a_reload_of_the_same_model_ends_a_goal():
    motion = MOTIONS['JointTrajectoryController']
    with Session(mujoco_xml=motion.xml, plugins=[{**motion.plugin, 'name': 'moved'}]) as session:
        goal = pursuing(session)
        session.step(10)
        session.reload()
        assert goal.end == RESET
        assert session.plugins['moved'].trajectory is None


@pytest.mark.parametrize(
    ('name', 'values', 'stiffness'),
    [
        ('motor', {'gains': {'joint': {'p': 33.0}}}, 10.0),
        ('JointController', {'stiffness': 33.0}, 100.0),
    ],
    ids=['gains', 'stiffness'],
)
def test_live_values_stay_until_a_reload(name, values, stiffness):
    motion = ALL[name]
    with Session(mujoco_xml=motion.xml, plugins=[{**motion.plugin, 'name': 'moved'}]) as session:
        plugin: Any = session.plugins['moved']
        session.configure('moved', **values)
        for _ in range(2):
            session.spawn(CUBE, renaming=True, name='cube', position=[0, 0, 9])
            assert session.plugins['moved'] is plugin
            assert plugin.state.drive['p'] == plugin.state.drive['hold_p'] == [33.0]
        session.reload()
        anew: Any = session.plugins['moved']
        assert anew.state.drive['p'] == [stiffness]


def test_a_saved_state_fits_again_when_what_was_spawned_is_gone():
    with session_of(MOTIONS['JointTrajectoryController']) as session:
        session.step(100)
        saved = session.save()
        session.spawn(CUBE, 'cube', position=[0, 0, 9])
        session.step(10)
        session.delete('cube')
        session.restore(saved)
        session.step(100)
        ends = [places(session)]
        session.restore(saved)
        session.step(100)
        assert [places(session)] == ends


@pytest.mark.parametrize('gone', ['left', 'right'])
def test_a_controller_whose_joint_is_gone_is_taken_out_and_leaves_its_other_joint(gone):
    with Session(mujoco_xml=TWO, plugins=[BOTH, STOP]) as session:
        session.call(lambda m, d: session.plugins['both'].set_commands([0.5, 0.5]))
        session.step(50)
        session.delete(gone)
        session.step(1)
        assert list(session.plugins) == ['emergency_stop']
        joint = {'left': 'a', 'right': 'b'}[gone]
        (problem,) = session.problems
        assert problem.startswith(f"both: adapt raised PluginError: unknown joint '{joint}'")
        data = session.snapshot().data
        assert data.ctrl[0] == pytest.approx({'left': data.qpos[0], 'right': 0.0}[gone], abs=0.02)


@pytest.mark.parametrize('gone', ['left', 'right'])
def test_the_other_controls_rest_when_one_of_them_is_gone(gone):
    with Session(mujoco_xml=TWO, plugins=[FAN]) as session:
        session.call(lambda m, d: session.plugins['fan'].set_controls(d, [0.5, 0.5]))
        session.step(50)
        session.delete(gone)
        session.step(1)
        assert session.problems[0].startswith('fan: adapt raised PluginError: unknown actuator')
        data = session.snapshot().data
        assert data.ctrl[0] == pytest.approx({'left': data.qpos[0], 'right': 0.0}[gone], abs=0.02)


def test_a_joint_that_gets_an_actuator_keeps_no_effort_of_before():
    with session_of(ALL['no actuator']) as session:
        session.step(50)
        assert session.snapshot().data.qfrc_applied.any()
        session.change(spec(hinge('<motor joint="joint"/>')))
        session.step(50)
        data = session.snapshot().data
        assert not data.qfrc_applied.any()
        assert data.ctrl.any()
        session.change(spec(hinge()))
        session.step(50)
        assert session.snapshot().data.qfrc_applied.any()


def test_more_actuators_than_before_need_a_reload():
    with session_of(ALL['two motors']) as session:
        session.change(spec(hinge('<motor joint="joint"/>' * 3)))
        assert 'have 2 actuators besides the driving ones, but had 1' in session.problems[0]


def test_what_is_spawned_during_a_stop_is_stopped():
    arm = {**FORWARD, 'joints': ['turn'], 'interface_name': 'velocity', 'name': 'arm'}
    with Session(mujoco_xml=TWO, plugins=[STOP, BOTH]) as session:
        set_stopped(session, True)
        session.spawn(ROBOT, 'robot', position=[5, 0, 0], plugins=[arm])
        session.step(1)
        assert session.plugins['robot/arm'].state.stopped
        set_stopped(session, False)
        assert not session.plugins['robot/arm'].state.stopped


def test_a_reload_of_the_same_model_ends_a_stop():
    with Session(mujoco_xml=TWO, plugins=[BOTH, STOP]) as session:
        before: Any = dict(session.plugins)
        set_stopped(session, True)
        session.reload()
        session.step(1)
        assert session.plugins == before
        assert not before['emergency_stop'].state.stopped
        assert not before['both'].state.stopped


def test_a_spawned_joint_belongs_to_nobody_and_a_claimed_one_stays_claimed():
    arm = {**FORWARD, 'joints': ['turn'], 'interface_name': 'velocity', 'name': 'arm'}
    again = {**BOTH, 'name': 'again'}
    with Session(mujoco_xml=TWO, plugins=[BOTH]) as session:
        session.spawn(ROBOT, 'robot', position=[5, 0, 0], plugins=[arm])
        assert list(session.plugins) == ['both', 'robot/arm']
        session.change(plugins=[BOTH, again])
        assert session.problems == [
            'again: refused to load: PluginError: joints a, b belong to both'
            ' (ForwardCommandController)'
        ]
