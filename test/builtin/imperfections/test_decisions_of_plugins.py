"""Decisions about messages in the compiled callback of a plugin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np
import pytest
import yaml
from builtin.imperfections.sending import TRANSIT, transits_at
from builtin.imperfections.timelines import by_name

from mujoco_ros_py.builtin.imperfections.timeline import Entry, named
from mujoco_ros_py.builtin.imperfections.transit_rows import Pipe, transit_fields
from mujoco_ros_py.builtin.imperfections.transits import decide
from mujoco_ros_py.plugins import MujocoPlugin, compiled, new_state, ros_type
from mujoco_ros_py.session import Session

pytestmark = pytest.mark.slow

BALL = '<mujoco><worldbody><body><freejoint/><geom size="1"/></body></worldbody></mujoco>'
TIMELINE = """
- {of: a, latency: {gamma: {shape: 0.5, scale: 0.01}}, jitter: 0.01}
- {of: a, drop: {burst: {enter: 0.1, leave: 0.3}}, duplicate: 0.2, stale: 0.1}
"""
STEPS = 500


@dataclass(frozen=True, kw_only=True, slots=True)
class SenderConfig:
    """The configuration of Sender."""

    timeline: Mapping[str, Entry]
    seed: int = 0


class Sender(MujocoPlugin[SenderConfig]):
    """Decides about a message after each step."""

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Makes the rows of the timeline."""
        entries = named(self.config.timeline)
        kind = ros_type('sensor_msgs/msg/JointState')
        pipe = Pipe(topic='/a', published=False, kind=kind, entries=entries)
        self.state = new_state(
            sent=0,
            transits=np.asarray(transits_at(np.zeros(STEPS))).view(TRANSIT),
            **transit_fields(entries, [pipe], seed=self.config.seed, stream=self.name),
        )

    @staticmethod
    @compiled
    def last_stage_callback(state: Any, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Sends a message."""
        transit = state.transits[state.sent]
        transit.time = data.time
        decide(state, transit)
        state.sent += 1


def transits_of_run(seed: int, **options: Any) -> Any:
    """Returns the messages of a run."""
    plugins = [{'type': Sender, 'seed': seed, 'timeline': by_name(yaml.safe_load(TIMELINE))}]
    with Session(mujoco_xml=BALL, plugins=plugins, strict=True, **options) as session:
        session.step(STEPS)
        return np.array(session.plugins['sender'].state.transits)


def test_two_runs_of_a_plugin_decide_the_same_to_the_bit():
    one, other, third = transits_of_run(1), transits_of_run(1), transits_of_run(2)
    assert one.tobytes() == other.tobytes()
    assert one.tobytes() != third.tobytes()
    assert len(set(one['delays'][:, 0])) > STEPS / 2
    assert set(one['copies']) == {0, 1, 2}


def test_decisions_run_with_bounds_checks():
    assert len(transits_of_run(1, boundscheck=True)) == STEPS
