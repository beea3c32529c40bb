"""Controllers go on while bodies come and go elsewhere, as if nothing had happened."""

from __future__ import annotations

import pytest
from builtin.controllers.changing import (
    ALL,
    CUBE,
    FIRST,
    FORWARD,
    fields,
    places,
    session_of,
    set_stopped,
    spec,
)
from builtin.controllers.stoppable import STOP

from mujoco_ros_py.plugins import MujocoPlugin
from mujoco_ros_py.session import Session

FAST = {'motor', 'filter', 'JointTrajectoryController', 'DiffDriveController', 'MocapPose'}
"""A motion of each family, and one with an activation; the others are slow tests."""
MOTIONS = [
    pytest.param(motion, id=name, marks=[] if name in FAST else pytest.mark.slow)
    for name, motion in ALL.items()
]


@pytest.mark.slow
def test_every_plugin_that_moves_something_stays():
    for motion in ALL.values():
        with session_of(motion) as session:
            assert type(session.plugins['moved']).adapt is not MujocoPlugin.adapt


@pytest.mark.parametrize('motion', MOTIONS)
def test_a_cube_that_is_spawned_and_deleted_changes_no_motion(motion):
    ends = []
    for spawns in (False, True):
        with session_of(motion) as session:
            plugin = session.plugins['moved']
            session.step(100)
            trace = [places(session)]
            if spawns:
                session.spawn(CUBE, 'cube', position=[0, 0, 9])
            session.step(100)
            trace.append(places(session))
            if spawns:
                session.delete('cube')
            session.step(100)
            assert session.plugins['moved'] is plugin
            ends.append([*trace, places(session), fields(session)])
            assert trace[0] != trace[1] != ends[-1][2], 'it moves'
    assert ends[0] == ends[1]


@pytest.mark.slow
@pytest.mark.parametrize('motion', ALL.values(), ids=ALL)
def test_other_ids_change_no_motion(motion):
    larger = motion.xml.replace('<mujoco>', FIRST, 1)
    ends = []
    for changes in (False, True):
        with session_of(motion) as session:
            plugin = session.plugins['moved']
            session.step(100)
            if changes:
                session.change(spec(larger))
            session.step(100)
            trace = [places(session)]
            if changes:
                session.change(spec(motion.xml))
            session.step(100)
            assert session.plugins['moved'] is plugin
            ends.append([*trace, places(session), fields(session)])
    assert ends[0] == ends[1]


@pytest.mark.slow
@pytest.mark.parametrize('motion', ALL.values(), ids=ALL)
def test_a_reload_of_the_same_model_begins_again_with_the_same_plugins(motion):
    with session_of(motion) as session:
        session.step(150)
        session.reset()
        session.call(lambda m, d: motion.begin(session.plugins['moved'], d))
        session.step(100)
        there = places(session)
    plugins = [STOP, {**motion.plugin, 'name': 'moved'}]
    with Session(mujoco_xml=motion.xml, plugins=plugins) as session:
        before = dict(session.plugins)
        session.call(lambda m, d: motion.begin(before['moved'], d))
        session.step(150)
        session.reload()
        assert session.plugins == before
        session.call(lambda m, d: motion.begin(before['moved'], d))
        session.step(100)
        assert places(session) == there


@pytest.mark.slow
@pytest.mark.parametrize('motion', ALL.values(), ids=ALL)
def test_a_stop_goes_on(motion):
    ends = []
    for spawns in (False, True):
        with session_of(motion) as session:
            session.step(100)
            set_stopped(session, True)
            session.step(50)
            if spawns:
                session.spawn(CUBE, 'cube', position=[0, 0, 9])
            session.step(50)
            assert session.plugins['moved'].state.stopped
            ends.append(places(session))
            assert set_stopped(session, False) == ['moved']
            assert not session.plugins['moved'].state.stopped
    assert ends[0] == ends[1]


LEVER = """
<mujoco>
  <option timestep="0.001"/>
  <worldbody>
    <body name="lever"><joint name="joint" axis="0 1 0"/>
      <geom size="0.05" pos="0.3 0 0" mass="1"/></body>
  </worldbody>
  <actuator><motor joint="joint"/></actuator>
</mujoco>
"""


def test_a_hold_that_begins_with_the_change_bears_the_same_load():
    """What a joint bears is found from the forces of the step before."""
    gains = {'gains': {'joint': {'p': 30.0, 'i': 50.0, 'd': 5.0}}}
    plugin = {**FORWARD, 'interface_name': 'position', 'name': 'moved', **gains}
    ends = []
    for spawns in (False, True):
        with Session(mujoco_xml=LEVER, plugins=[STOP, plugin], strict=True) as session:
            session.call(lambda m, d: session.plugins['moved'].set_commands([0.3]))
            session.call(lambda m, d: d.xfrc_applied[1].put(2, -2.0))
            session.step(2500)
            set_stopped(session, True)
            if spawns:
                session.spawn(CUBE, 'cube', position=[0, 0, 9])
            session.step(100)
            assert session.plugins['moved'].state.drive['load'] != 0.0
            ends.append(places(session))
    assert ends[0] == ends[1]
