"""Rays that are cast together hit the same geoms as single rays, in any scene."""

from __future__ import annotations

import ctypes
import gc
import weakref

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.engine import HiddenGeoms
from mujoco_ros_py.engine.libmujoco import library
from mujoco_ros_py.mujoco_internals import address_of

SCENES, _BLOCK = 20_000, 1000
RAYS, FARTHEST = 64, 6.0
SHAPES = ('sphere', 'capsule', 'ellipsoid', 'cylinder', 'box', 'mesh')
OF_THE_WORLD = ('plane', 'hfield')
ROOM = """
<mujoco>
  <worldbody>
    <geom name="far" type="box" size="0.1 0.1 0.1" pos="0 0 5"/>
    <geom name="wall" type="box" size="0.1 2 2" pos="3 0 0" contype="0" conaffinity="0"/>
  </worldbody>
</mujoco>
"""


class RandomScene:
    """Bodies and a world with geoms of all types; half of the geoms collide with nothing."""

    def __init__(self, seed: int) -> None:
        self.random = random = np.random.default_rng(seed)
        # Each distance field takes most of a second to compile.
        shapes = (*SHAPES, 'sdf') if seed % 100 == 0 else SHAPES
        bodies = ''.join(self._body(shapes) for _ in range(random.integers(1, 6)))
        fixed = (*shapes, *OF_THE_WORLD)
        world = ''.join(self._geom(fixed) for _ in range(random.integers(0, 5)))
        flex = (
            f'<flexcomp name="cloth" type="grid" dim="2" count="3 3 1" spacing="0.3 0.3 0.3" '
            f'mass="1" radius="0.02" pos="{self._numbers(-2, 2, 3)}"><edge equality="true"/>'
            '</flexcomp>'
            if random.random() < 0.2
            else ''
        )
        vertices = random.normal(size=(8, 3)) * random.uniform(0.1, 0.6, 3) + random.normal(size=3)
        xml = f"""
        <mujoco>
          <asset>
            <mesh name="mesh" vertex="{' '.join(map(str, vertices.ravel()))}"/>
            <hfield name="hfield" nrow="4" ncol="5" elevation="{self._numbers(0, 1, 20)}"
                    size="{self._numbers(0.3, 2, 2)} {self._numbers(0.1, 1, 2)}"/>
          </asset>
          <worldbody>{world}{bodies}{flex}</worldbody>
        </mujoco>"""
        self.model = mujoco.MjModel.from_xml_string(xml)
        self.data = mujoco.MjData(self.model)
        mujoco.mj_forward(self.model, self.data)

    def rays(self) -> tuple[np.ndarray, np.ndarray]:
        """Returns a position, and directions, most of which lead to a geom."""
        place, geoms = self.random.uniform(-5.0, 5.0, 3), self.model.ngeom
        directions = self.random.normal(size=(RAYS, 3))
        aimed = self.random.integers(geoms, size=RAYS)
        aims = self.data.geom_xpos[aimed] + directions * self.model.geom_rbound[aimed, None] / 2
        near = self.random.random(RAYS) < 0.8
        directions[near] = (aims - place)[near]
        return place, directions / np.linalg.norm(directions, axis=1, keepdims=True)

    def _body(self, shapes: tuple[str, ...]) -> str:
        joint = '<freejoint/>' if self.random.random() < 0.5 else ''
        geoms = ''.join(self._geom(shapes) for _ in range(self.random.integers(1, 4)))
        return f'<body {self._place(4.0)}>{joint}<geom size="0.01"/>{geoms}</body>'

    def _geom(self, types: tuple[str, ...]) -> str:
        kind = self.random.choice(types)
        asset = {'mesh': 'mesh="mesh"', 'sdf': 'mesh="mesh"', 'hfield': 'hfield="hfield"'}
        passive = 'contype="0" conaffinity="0"' if self.random.random() < 0.5 else ''
        color = 'rgba="1 1 1 0"' if self.random.random() < 0.1 else ''
        shape = asset.get(kind, f'size="{self._numbers(0.02, 1, 3)}"')
        return (
            f'<geom type="{kind}" {shape} {passive} {color} {self._place(2.0)} '
            f'group="{self.random.integers(6)}"/>'
        )

    def _place(self, size: float) -> str:
        return f'pos="{self._numbers(-size, size, 3)}" quat="{self._numbers(-1, 1, 4)}"'

    def _numbers(self, low: float, high: float, count: int) -> str:
        return ' '.join(map(str, self.random.uniform(low, high, count)))


def cast_alone(model, data, place, directions, groups):
    """Returns the geoms that `mj_ray` hits, -1 for none, and their distances."""
    hits, hit, distances = [], np.empty(1, np.int32), []
    for direction in directions:
        distance = mujoco.mj_ray(model, data, place, direction, groups, True, -1, hit, None)
        distances.append(distance)
        hits.append(int(hit[0]))
    return np.array(hits), np.array(distances)


def cast_together(seen, data, place, directions, groups, farthest):
    """Returns the geoms that `mj_multiRay` hits in a model for rays, and their distances."""
    count, pointer = len(directions), ctypes.c_void_p
    hits, distances = np.empty(count, np.int32), np.empty(count)
    at = [each.ctypes.data_as(pointer) for each in (place, directions, groups, hits, distances)]
    library().mj_multiRay(
        pointer(seen.address), pointer(address_of(data)), *at[:3], True, -1, *at[3:], None, count,
        ctypes.c_double(farthest),
    )  # fmt: skip
    return hits, distances


def assert_alike(seed: int) -> int:
    """Casts rays into a random scene; returns how many hit something."""
    scene = RandomScene(seed)
    model, data, random = scene.model, scene.data, scene.random
    hidden = np.flatnonzero(random.random(model.ngeom) < 0.2)
    seen, (place, directions) = HiddenGeoms(model, hidden), scene.rays()
    groups = (random.random(6) < 0.8).astype(np.uint8)
    hits, distances = cast_together(seen, data, place, directions, groups, FARTHEST)
    model.geom_rgba[hidden, 3] = 0.0
    wanted, far = cast_alone(model, data, place, directions, groups)
    beyond = far > FARTHEST
    hits[distances > FARTHEST], wanted[beyond], far[beyond] = -1, -1, -1.0
    distances[hits < 0] = -1.0
    assert hits.tolist() == wanted.tolist(), f'scene {seed}'
    assert distances.tolist() == far.tolist(), f'scene {seed}'
    return int((hits >= 0).sum())


def test_rays_hit_what_mj_ray_hits_in_random_scenes():
    hits = sum(map(assert_alike, range(40)))
    assert hits > 400, 'the rays find something to hit'


@pytest.mark.nightly
@pytest.mark.parametrize('first', range(0, SCENES, _BLOCK))
def test_rays_hit_what_mj_ray_hits_in_very_many_random_scenes(first):
    for seed in range(first, first + _BLOCK):
        assert_alike(seed)


def test_a_wall_without_collisions_is_hit_whatever_else_its_body_has():
    model = mujoco.MjModel.from_xml_string(ROOM)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    ahead, everything = np.array([[1.0, 0.0, 0.0]]), np.ones(6, np.uint8)
    seen = HiddenGeoms(model, [])
    hits, distances = cast_together(seen, data, np.zeros(3), ahead, everything, 10.0)
    assert hits.tolist() == [model.geom('wall').id]
    assert distances == pytest.approx([2.9])


def test_a_plane_without_end_is_hit_far_from_its_centre():
    model = mujoco.MjModel.from_xml_string(
        '<mujoco><worldbody><geom type="plane" size="0 0 1"/></worldbody></mujoco>'
    )
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    down, place, everything = np.array([[0.0, 0, -1]]), np.array([50.0, 0, 1]), np.ones(6, 'u1')
    hits, distances = cast_together(HiddenGeoms(model, []), data, place, down, everything, 5.0)
    assert (hits.tolist(), distances.tolist()) == ([0], [1.0])


def test_a_geom_that_has_grown_is_hit_when_the_bounds_are_renewed():
    model = mujoco.MjModel.from_xml_string(
        '<mujoco><worldbody><body><geom size="0.1"/></body></worldbody></mujoco>'
    )
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    seen, down, everything = HiddenGeoms(model, []), np.array([[0.0, 0, -1]]), np.ones(6, 'u1')
    model.geom_size[0], model.geom_rbound[0], model.geom_aabb[0, 3:] = 1.0, 1.0, 1.0
    seen.renew_bounds()
    hits, distances = cast_together(seen, data, np.array([0.5, 0, 3]), down, everything, 9.0)
    assert hits.tolist() == [0]
    assert distances == pytest.approx([3.0 - 0.75**0.5])


def test_the_bounds_of_a_model_are_shared_and_end_with_it():
    model = mujoco.MjModel.from_xml_string(ROOM)
    sensors = [HiddenGeoms(model, []) for _ in range(2)]
    assert sensors[0]._bounds is sensors[1]._bounds
    bounds = weakref.ref(sensors[0]._bounds)
    del model, sensors
    gc.collect()
    assert bounds() is None
