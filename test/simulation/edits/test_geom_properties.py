from __future__ import annotations

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.simulation.edits import read_geom, rub_geom, shape_geom

SHAPES = """
<mujoco>
  <asset><mesh name="wedge" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 0.1"/>
    <body name="thing" pos="0 0 1">
      <freejoint/>
      <geom name="ball" size="0.05"/>
      <geom name="stick" type="capsule" size="0.02 0.3" pos="0.2 0 0" euler="0 30 0"/>
      <geom name="crate" type="box" size="0.1 0.2 0.3" pos="0 0.4 0.1"/>
    </body>
    <body pos="3 0 1"><joint/><geom name="wedge" type="mesh" mesh="wedge"/></body>
  </worldbody>
</mujoco>
"""
KINDS = ('SPHERE', 'CAPSULE', 'ELLIPSOID', 'CYLINDER', 'BOX')


def change(simulation, part):
    return simulation.edit(lambda m, d, e: e.attempt(lambda: part(m, e))).result()


def number(kind: str) -> int:
    return int(getattr(mujoco.mjtGeom, f'mjGEOM_{kind}'))


@pytest.mark.parametrize('kind', KINDS)
def test_type_and_size_are_as_if_they_had_been_compiled(run, kind):
    simulation = run(SHAPES)
    size = [0.3, 0.2, 0.1]
    edit = change(simulation, lambda m, e: shape_geom(m, 1, number(kind), size, e))
    assert edit.message == "type and size of geom 'ball' set"
    ball = f'name="ball" type="{kind.lower()}" size="0.3 0.2 0.1"'
    spec = mujoco.MjSpec.from_string(SHAPES.replace('name="ball" size="0.05"', ball))
    old = mujoco.MjModel.from_xml_string(SHAPES)
    body = spec.body('thing')  # with the inertia of before, which is not that of the shape
    body.explicitinertial, body.mass = True, old.body_mass[1]
    body.ipos, body.iquat, body.inertia = old.body_ipos[1], old.body_iquat[1], old.body_inertia[1]
    compiled = spec.compile()
    names = ('geom_type', 'geom_rbound', 'geom_aabb')
    found = simulation.submit(lambda m, d: {n: getattr(m, n).copy() for n in names}).result()
    for name in names:
        assert np.allclose(found[name], getattr(compiled, name)), name
    boxes = simulation.submit(lambda m, d: m.bvh_aabb.copy()).result()
    root = int(compiled.body_bvhadr[1])
    assert np.allclose(boxes[root], compiled.bvh_aabb[root])
    assert simulation.submit(lambda m, d: list(m.geom_size[1])).result() == size


@pytest.mark.parametrize('kind', KINDS)
def test_a_type_alone_takes_the_first_size_for_those_that_the_geom_has_not(run, kind):
    simulation = run(SHAPES)
    edit = change(simulation, lambda m, e: shape_geom(m, 1, number(kind), None, e))
    assert edit.refused == []
    found = simulation.submit(lambda m, d: read_geom(m, 1)).result()
    assert found.type == number(kind)
    used = {'SPHERE': 1, 'CAPSULE': 2, 'CYLINDER': 2}.get(kind, 3)
    assert list(found.size[:used]) == [0.05] * used
    simulation.step(10).result()


def test_a_geom_that_has_grown_touches_what_it_reaches(run):
    """MuJoCo looks for contacts by bounds that it computes when a model is compiled."""
    simulation = run(SHAPES.replace('<mujoco>', '<mujoco><option gravity="0 0 0"/>'))
    simulation.step(1).result()
    assert simulation.submit(lambda m, d: d.ncon).result() == 0
    for size in ([0.1, 0.2, 1.5], [0.1, 0.2, 0.3]):
        change(simulation, lambda m, e: shape_geom(m, 3, None, size, e))  # noqa: B023
        count = simulation.submit(lambda m, d: d.ncon).result()
        assert (count > 0) is (size[2] > 1.0)


def test_friction_is_set_and_read(run):
    simulation = run(SHAPES)
    edit = change(simulation, lambda m, e: rub_geom(m, 1, [0.5, 0.25, 0.125], e))
    assert edit.message == "friction of geom 'ball' set"
    assert list(simulation.submit(lambda m, d: read_geom(m, 1).friction).result()) == [
        0.5, 0.25, 0.125,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ('geom', 'kind', 'size', 'reason'),
    [
        (1, number('MESH'), None, "type of geom 'ball' must be one of PLANE (0), SPHERE (2)"),
        (1, 1001, None, 'got 1001'),
        (1, number('PLANE'), None, 'cannot become PLANE, because its body moves'),
        (1, None, [0.0, 0, 0], 'must have 1 numbers above 0 for a SPHERE'),
        (1, None, [-1.0, 0, 0], 'must have 1 numbers above 0 for a SPHERE'),
        (1, number('BOX'), [0.1, 0.1, 0.0], 'must have 3 numbers above 0 for a BOX'),
        (1, None, [np.nan, 0, 0], 'size must be finite'),
        (4, None, [0.1, 0.1, 0.1], 'cannot be set: a MESH has the size of its asset'),
    ],
)
def test_a_shape_that_is_none_is_refused_as_a_whole(run, geom, kind, size, reason):
    simulation = run(SHAPES)
    before = simulation.submit(lambda m, d: read_geom(m, geom)).result()
    edit = change(simulation, lambda m, e: shape_geom(m, geom, kind, size, e))
    assert reason in edit.refused[0]
    assert (edit.done, edit.changes) == ([], [])
    after = simulation.submit(lambda m, d: read_geom(m, geom)).result()
    assert (after.type, list(after.size)) == (before.type, list(before.size))


def test_a_mesh_can_become_a_box(run):
    simulation = run(SHAPES)
    edit = change(simulation, lambda m, e: shape_geom(m, 4, number('BOX'), [0.1, 0.2, 0.3], e))
    assert edit.refused == []
    simulation.step(10).result()


@pytest.mark.parametrize('friction', [[-0.1, 0, 0], [np.inf, 0, 0]])
def test_a_wrong_friction_is_refused(run, friction):
    edit = change(run(SHAPES), lambda m, e: rub_geom(m, 1, friction, e))
    assert 'friction' in edit.refused[0]
    assert edit.changes == []
