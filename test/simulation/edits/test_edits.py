from __future__ import annotations

import threading

import numpy as np
import pytest

from mujoco_ros_py.errors import ConfigError, EngineError
from mujoco_ros_py.simulation.edits import (
    find_mocap,
    place_body,
    place_mocap,
    rub_geom,
    set_gravity,
    weigh_body,
)

WORLD = """
<mujoco>
  <worldbody>
    <body name="hand" mocap="true"><geom size="0.1" contype="0" conaffinity="0"/></body>
    <body name="cube" pos="0 0 1"><freejoint/><geom size="0.1"/></body>
  </worldbody>
</mujoco>
"""


def test_parts_that_are_refused_do_not_keep_others_from_being_made(run):
    simulation = run(WORLD)

    def change(model, data, edit):
        edit.attempt(lambda: weigh_body(model, data, 2, -1.0, edit))
        edit.attempt(lambda: set_gravity(model, [0.0, 0.0, -1.0], edit))

    edit = simulation.edit(change).result()
    assert edit.message == "mass of body 'cube' must be above 0 and finite, got -1; gravity set"
    assert (len(edit.refused), len(edit.done)) == (1, 1)


def test_poses_and_accelerations_follow_at_once(run):
    simulation = run(WORLD)

    def change(model, data, edit):
        edit.attempt(lambda: place_body(model, data, 2, [1.0, 2.0, 3.0], [1.0, 0, 0, 0]))
        edit.attempt(lambda: set_gravity(model, [0.0, 0.0, -2.0], edit))

    simulation.edit(change).result()
    place, fall = simulation.submit(lambda m, d: (d.xpos[2].copy(), d.qacc[2])).result()
    assert np.allclose(place, [1, 2, 3])
    assert fall == pytest.approx(-2.0)


def test_plugins_hear_once_of_each_element_that_has_changed(run):
    simulation = run(WORLD)
    hearing = simulation._running.plugins

    def change(model, data, edit):
        edit.attempt(lambda: rub_geom(model, 1, [0.5, 0, 0], edit))
        edit.attempt(lambda: rub_geom(model, 1, [0.6, 0, 0], edit))
        edit.attempt(lambda: weigh_body(model, data, 2, 3.0, edit))
        edit.attempt(lambda: place_body(model, data, 2, [0.0] * 3, [1.0, 0, 0, 0]))

    simulation.edit(change).result()
    assert hearing.heard == [('geom', 1), ('body', 2)]


def test_what_is_refused_computes_nothing_and_is_heard_by_nobody(run):
    simulation = run(WORLD)
    before = simulation.submit(lambda m, d: d.qacc_warmstart.copy()).result()
    edit = simulation.edit(
        lambda m, d, e: e.attempt(lambda: set_gravity(m, [np.nan, 0, 0], e))
    ).result()
    assert edit.refused == ['gravity must be finite, got [nan, 0.0, 0.0]']
    assert simulation._running.plugins.heard == []
    after = simulation.submit(lambda m, d: (d.qacc_warmstart.copy(), m.opt.gravity[2])).result()
    assert np.array_equal(after[0], before)
    assert after[1] == -9.81


def test_nothing_is_asked_for(run):
    assert run(WORLD).edit(lambda m, d, e: None).result().message == 'nothing was requested'


def test_a_mocap_body_is_placed(run):
    simulation = run(WORLD)
    simulation.edit(
        lambda m, d, e: place_mocap(d, find_mocap(m, 'hand'), [1.0, 2.0, 3.0], [0.0, 1.0, 0, 0])
    ).result()
    assert list(simulation.submit(lambda m, d: d.mocap_pos[0].copy()).result()) == [1, 2, 3]
    for name in ('cube', 'foot', ''):
        with pytest.raises(ConfigError, match=f"unknown mocap body '{name}'; known: hand"):
            simulation.submit(lambda m, d: find_mocap(m, name)).result()  # noqa: B023


def test_a_simulation_that_has_stopped_is_not_edited(run):
    simulation = run(WORLD)
    simulation._running.fail('a test has stopped it')
    with pytest.raises(EngineError, match=r'cannot edit after a fatal error; .* first: a test'):
        simulation.edit(lambda m, d, e: None).result()


def test_a_reset_keeps_the_changes_of_the_model(run):
    simulation = run(WORLD)
    simulation.edit(lambda m, d, e: e.attempt(lambda: set_gravity(m, [0, 0, -1.0], e))).result()
    simulation.reset().result()
    assert simulation.submit(lambda m, d: m.opt.gravity[2]).result() == -1.0


def test_steps_that_are_withdrawn_are_not_made_and_others_are(run):
    simulation = run(WORLD)
    held = simulation.between_steps(lambda: None)
    held.result()
    blocked = threading.Event()
    simulation.between_steps(blocked.wait)
    first, second, third = (simulation.step(count) for count in (10, 1000, 20))
    withdrawn = simulation.withdraw_steps(second)
    blocked.set()
    withdrawn.result()
    first.result()
    third.result()
    assert 'withdrawn' in str(second.exception())
    assert simulation.status().steps == 30
    assert simulation.status().pending_steps == 0


def test_withdrawing_steps_that_are_made_does_nothing(run):
    simulation = run(WORLD)
    made = simulation.step(3)
    made.result()
    simulation.withdraw_steps(made).result()
    assert made.exception() is None
    assert simulation.status().steps == 3
