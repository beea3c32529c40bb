"""Controllers continue without a trace while other bodies are added and removed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

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
from builtin.controllers.stoppable import STOP, Motion

from mujoco_ros_py.plugins import Adaptable
from mujoco_ros_py.session import Session

FAST = {'filter', 'JointTrajectoryController', 'DiffDriveController', 'MocapPose'}
"""A motion of each family, and a motion with an activation; other motions are in later tiers."""
MOTIONS = [
    pytest.param(motion, id=name, marks=[] if name in FAST else pytest.mark.slow)
    for name, motion in ALL.items()
]
STOPPED = [
    pytest.param(motion, id=name, marks=() if name in FAST else pytest.mark.nightly)
    for name, motion in ALL.items()
]


def moved(motion: Motion, *changes: Callable[[Session], object]) -> tuple[dict[str, Any], ...]:
    """Returns the positions after every 100 steps, with one of the changes after each block."""
    with session_of(motion) as session:
        plugin, trace = session.plugins['moved'], []
        assert type(plugin).adapt is not Adaptable.adapt
        for change in changes:
            session.step(100)
            trace.append(places(session))
            change(session)
        session.step(100)
        assert session.plugins['moved'] is plugin
        return (*trace, places(session), fields(session))


@pytest.mark.parametrize('motion', MOTIONS)
def test_what_comes_and_goes_elsewhere_changes_no_motion(motion):
    larger = motion.xml.replace('<mujoco>', FIRST, 1)
    undisturbed = moved(motion, *[lambda _: None] * 4)
    assert undisturbed[0] != undisturbed[1] != undisturbed[2], 'it moves'
    assert undisturbed == moved(
        motion,
        lambda session: session.spawn(CUBE, 'cube', position=[0, 0, 9]),
        lambda session: session.delete('cube'),
        lambda session: session.change(spec(larger)),  # all ids are others
        lambda session: session.change(spec(motion.xml)),
    )


@pytest.mark.slow
@pytest.mark.parametrize('motion', ALL.values(), ids=ALL)
def test_a_reload_of_the_same_model_begins_again_with_the_same_plugins(motion):
    plugins = [STOP, {**motion.plugin, 'name': 'moved'}]
    with Session(mujoco_xml=motion.xml, plugins=plugins) as session:
        before, ends = dict(session.plugins), []
        for begin_again in (session.reset, session.reload):
            session.call(lambda m, d: motion.begin(before['moved'], d))
            session.step(150)
            begin_again()
            assert session.plugins == before
            session.call(lambda m, d: motion.begin(before['moved'], d))
            session.step(100)
            ends.append(places(session))
    assert ends[0] == ends[1]


@pytest.mark.slow
@pytest.mark.parametrize('motion', STOPPED)
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
    """The load of a joint is computed from the forces of the previous step."""
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
