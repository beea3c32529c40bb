from __future__ import annotations

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.errors import ConfigError
from mujoco_ros_py.simulation.edits import (
    BodyState,
    find_body,
    move_body,
    place_body,
    pose_in_world,
    put_back,
    read_body,
    weigh_body,
)

WORLD = """
<mujoco>
  <option gravity="0 0 -9.81"/>
  <worldbody>
    <body name="cube" pos="0 0 1">
      <freejoint/>
      <geom name="side" type="box" size="0.1 0.2 0.3" mass="2"/>
    </body>
    <body name="rod" pos="1 0 1">
      <joint name="hinge" axis="0 1 0"/>
      <geom size="0.1" pos="0.5 0 0"/>
      <site name="tip" pos="1 0 0" quat="0 0 0 1"/>
    </body>
    <body name="wall"><geom size="0.1"/></body>
    <body name="child"><geom size="0.1"/></body>
  </worldbody>
</mujoco>
"""
TURN = np.array([np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)])
"""A quarter turn about z."""


def state_of(simulation, name: str) -> BodyState:
    return simulation.submit(lambda m, d: read_body(m, d, find_body(m, name))).result()


def refused(simulation, part) -> str:
    return (
        simulation.edit(lambda m, d, edit: edit.attempt(lambda: part(m, d, edit)))
        .result()
        .refused[0]
    )


def test_what_is_set_is_what_is_read(run):
    simulation = run(WORLD)

    def change(model, data, edit):
        body = find_body(model, 'cube')
        edit.attempt(lambda: place_body(model, data, body, [1.0, 2.0, 3.0], TURN))
        edit.attempt(lambda: move_body(model, data, body, [1.0, 0.0, 0.0], [0.0, 4.0, 0.0]))
        edit.attempt(lambda: weigh_body(model, data, body, 5.0, edit))

    edit = simulation.edit(change).result()
    assert edit.refused == []
    assert edit.message == (
        "pose of body 'cube' set; velocity of body 'cube' set; mass of body 'cube' set"
    )
    state = state_of(simulation, 'cube')
    assert state.name == 'cube'
    assert np.allclose(state.position, [1, 2, 3])
    assert np.allclose(state.quat, TURN)
    assert np.allclose(state.linear, [1, 0, 0])
    assert np.allclose(state.angular, [0, 4, 0])
    assert state.mass == 5.0


def test_an_angular_velocity_is_about_the_axes_of_the_world(run):
    simulation = run(WORLD.replace('-9.81', '0'))

    def change(model, data, edit):
        body = find_body(model, 'cube')
        edit.attempt(lambda: place_body(model, data, body, [0.0, 0.0, 5.0], TURN))
        edit.attempt(lambda: move_body(model, data, body, [0.0] * 3, [1.0, 0.0, 0.0]))

    assert simulation.edit(change).result().refused == []
    before = simulation.submit(lambda m, d: d.xmat[1].reshape(3, 3).copy()).result()
    simulation.step(50).result()
    after = simulation.submit(lambda m, d: d.xmat[1].reshape(3, 3).copy()).result()
    turned = after @ before.T
    assert turned[2, 1] > 0.01, 'it turns about the x axis of the world'
    assert np.allclose(turned[0], [1, 0, 0], atol=1e-3)


def test_a_geom_stands_for_its_body(run):
    assert state_of(run(WORLD), 'side').name == 'cube'


@pytest.mark.parametrize('name', ['', 'cub'])
def test_an_unknown_body_is_refused_with_the_known_ones(run, name):
    simulation = run(WORLD)
    with pytest.raises(ConfigError, match=r'unknown body or geom .*; known: .*cube.*, rod, side'):
        simulation.submit(lambda m, d: find_body(m, name)).result()


@pytest.mark.parametrize(
    ('name', 'joints'), [('rod', 'hinge'), ('wall', 'no joint'), ('child', 'no joint')]
)
def test_a_body_without_exactly_one_free_joint_is_not_moved(run, name, joints):
    simulation = run(WORLD)
    for part in (
        lambda m, d, e: place_body(m, d, find_body(m, name), [0.0] * 3, TURN),
        lambda m, d, e: move_body(m, d, find_body(m, name), [0.0] * 3, [0.0] * 3),
        lambda m, d, e: put_back(m, d, find_body(m, name), still=True),
    ):
        reason = refused(simulation, part)
        assert f"body '{name}' must have exactly one joint, a free joint" in reason
        assert reason.endswith(f'it has {joints}')


def test_the_state_of_a_jointed_body_is_that_of_this_moment(run):
    simulation = run(WORLD)
    simulation.step(100).result()
    angle, speed = simulation.submit(lambda m, d: (d.qpos[7], d.qvel[6])).result()
    state = state_of(simulation, 'rod')
    assert np.allclose(state.quat, [np.cos(angle / 2), 0, np.sin(angle / 2), 0])
    assert np.allclose(state.angular, [0, speed, 0])
    assert np.allclose(state.position, [1, 0, 1])


def test_reading_a_body_does_not_change_the_course(run):
    watched, alone = run(WORLD), run(WORLD)
    for simulation in (watched, alone):
        for _ in range(30):
            simulation.step(3).result()
            if simulation is watched:
                state_of(simulation, 'rod')
    ends = [each.submit(lambda m, d: d.qpos.copy()).result() for each in (watched, alone)]
    assert np.array_equal(*ends)


def test_a_body_is_put_back_and_keeps_its_velocity_unless_it_is_to_be_still(run):
    simulation = run(WORLD)
    simulation.step(100).result()
    for still in (False, True):
        simulation.edit(
            lambda m, d, e: e.attempt(lambda: put_back(m, d, find_body(m, 'cube'), still=still))  # noqa: B023
        ).result()
        state = state_of(simulation, 'cube')
        assert np.allclose(state.position, [0, 0, 1])
        assert bool(state.linear[2] == 0.0) is still


def test_a_mass_scales_the_inertia_and_what_follows_from_it(run):
    simulation = run(WORLD)

    def look(model, data):
        weights = model.dof_invweight0[:6].copy()
        return model.body_inertia[1].copy(), model.body_subtreemass[0], weights

    inertia, total, weights = simulation.submit(look).result()
    simulation.step(10).result()
    before = state_of(simulation, 'cube')
    simulation.edit(
        lambda m, d, e: e.attempt(lambda: weigh_body(m, d, find_body(m, 'cube'), 4.0, e))
    ).result()
    heavier, heavy_total, lighter = simulation.submit(look).result()
    assert np.allclose(heavier, 2 * inertia)
    assert heavy_total == pytest.approx(total + 2.0)
    assert np.allclose(lighter, weights / 2)
    assert np.array_equal(state_of(simulation, 'cube').position, before.position)


@pytest.mark.parametrize('mass', [0.0, -1.0, np.nan, np.inf])
def test_a_mass_that_is_none_is_refused(run, mass):
    simulation = run(WORLD)
    reason = refused(simulation, lambda m, d, e: weigh_body(m, d, 1, mass, e))
    assert "mass of body 'cube' must be above 0 and finite" in reason
    assert state_of(simulation, 'cube').mass == 2.0


def test_a_pose_may_be_in_the_frame_of_a_body_or_a_site(run):
    simulation = run(WORLD)

    def pose(frame: str):
        return simulation.submit(
            lambda m, d: pose_in_world(m, d, frame, [0.0, 1.0, 0.0], [2.0, 0.0, 0.0, 0.0])
        ).result()

    assert np.allclose(pose('')[0], [0, 1, 0])
    assert np.allclose(pose('world')[1], [1, 0, 0, 0])
    assert np.allclose(pose('rod')[0], [1, 1, 1])
    place, quat = pose('tip')
    assert np.allclose(place, [2, -1, 1])
    assert np.allclose(np.abs(quat), [0, 0, 0, 1])


def test_a_wrong_pose_is_refused(run):
    simulation = run(WORLD)
    for frame, position, quat, reason in (
        ('moon', [0.0] * 3, TURN, "unknown frame 'moon'; known: child, cube, "),
        ('', [np.nan, 0, 0], TURN, 'position must be finite'),
        ('', [0.0] * 3, [0.0] * 4, 'orientation must be a rotation'),
        ('', [0.0] * 3, [np.inf, 0, 0, 0], 'orientation must be finite'),
    ):
        with pytest.raises(ConfigError, match=reason):
            simulation.submit(
                lambda m, d: pose_in_world(m, d, frame, position, quat)  # noqa: B023
            ).result()


def test_the_constants_are_those_of_a_compilation_whatever_moved_before(run):
    mocap = WORLD.replace('<worldbody>', '<worldbody><body name="hand" mocap="true" pos="0 0 3"/>')
    simulation = run(mocap)
    simulation.step(50).result()

    def change(model, data, edit):
        data.mocap_pos[0] = [9.0, 9.0, 9.0]
        edit.attempt(lambda: weigh_body(model, data, find_body(model, 'cube'), 3.0, edit))

    assert simulation.edit(change).result().refused == []
    compiled = mujoco.MjModel.from_xml_string(mocap.replace('mass="2"', 'mass="3"'))
    found, hand = simulation.submit(
        lambda m, d: ({n: getattr(m, n).copy() for n in FOLLOWING}, d.mocap_pos[0].copy())
    ).result()
    for name in FOLLOWING:
        assert np.allclose(found[name], getattr(compiled, name)), name
    assert np.allclose(hand, 9.0)


FOLLOWING = ('body_mass', 'body_inertia', 'body_subtreemass', 'body_invweight0', 'dof_invweight0')
