"""Compares mujoco_ros_py.plate with plate theory."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.engine.engine_plugins import register
from mujoco_ros_py.engine.engine_plugins.shipped.plate import Plate
from mujoco_ros_py.engine.engine_plugins.shipped.plate_stiffness import bending_stiffness, rigidity

pytestmark = pytest.mark.slow

YOUNG, POISSON, THICKNESS = 2e9, 0.3, 2e-3
DENSITY = 50.0  # kg/m3: light, so it comes to rest quickly
STEEL = {'young': YOUNG, 'poisson': POISSON, 'thickness': THICKNESS}


@pytest.fixture(scope='module', autouse=True)
def registered():
    register(Plate)


def bending(poisson: float = POISSON) -> float:
    return YOUNG * THICKNESS**3 / 12 / (1 - poisson**2)


def plate(
    config: dict[str, float] = STEEL,
    *,
    count: tuple[int, int] = (5, 6),
    spacing: float = 0.1,
    pinned: np.ndarray | None = None,
    name: str = 'plate',
    extra: str = '',
) -> str:
    """Returns a flexcomp; the number of a vertex is row * `count[1]` + column."""
    values = ''.join(f'<config key="{key}" value="{value}"/>' for key, value in config.items())
    pins = '' if pinned is None else f'<pin id="{" ".join(map(str, pinned))}"/>'
    mass = DENSITY * THICKNESS * spacing**2 * count[0] * count[1]
    return (
        f'<flexcomp name="{name}" type="grid" dim="2" count="{count[0]} {count[1]} 1" {extra}'
        f' spacing="{spacing} {spacing} 1" radius="0.001" mass="{mass}">'
        f'<contact contype="0" conaffinity="0" selfcollide="none"/><edge equality="false"/>{pins}'
        f'<plugin plugin="{Plate.name}">{values}</plugin></flexcomp>'
    )


def world(*bodies: str, option: str = 'gravity="0 0 0"') -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><extension><plugin plugin="{Plate.name}"/></extension>'
        f'<option integrator="Euler" {option}/><worldbody>{"".join(bodies)}</worldbody></mujoco>'
    )


def grid(count: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    return np.divmod(np.arange(count[0] * count[1]), count[1])


def clamped_square(count: int, side: float = 0.5) -> float:
    """Returns the deflection of the centre under gravity, divided by the theoretical value."""
    spacing = side / (count - 2)
    row, column = grid((count, count))
    outer = np.minimum.reduce([row, column, count - 1 - row, count - 1 - column]) < 2
    pressure, area_density = 9.81 * DENSITY * THICKNESS, DENSITY * THICKNESS
    timestep = spacing**2 * np.sqrt(area_density / bending()) / 8
    flex = plate(count=(count, count), spacing=spacing, pinned=np.flatnonzero(outer))
    model = world(flex, option=f'timestep="{timestep}"')
    slowest = 35.99 / side**2 * np.sqrt(bending() / area_density)
    model.dof_damping[:] = 2 * slowest * area_density * spacing**2
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, int(20 / slowest / timestep))
    assert np.abs(data.qvel).max() < 1e-6
    return -data.flexvert_xpos[:, 2].min() / (0.00126 * pressure * side**4 / bending())


@pytest.mark.parametrize(
    ('counts', 'most'),
    [((8, 12), 0.1), pytest.param((12, 18), 0.05, marks=pytest.mark.nightly)],
)
def test_finer_grids_come_closer_to_what_the_theory_says_of_a_clamped_square_plate(counts, most):
    """Timoshenko and Woinowsky-Krieger, Theory of Plates and Shells, uniform load."""
    coarse, fine = (abs(1 - clamped_square(count)) for count in counts)
    assert coarse > 1.5 * fine
    assert fine < most


def test_a_strip_clamped_at_one_end_bends_as_a_beam():
    """Tip force: P l^3 / (3 E I), without transverse contraction."""
    count, spacing, force = (16, 5), 0.02, 1e-4
    row, _ = grid(count)
    config = {**STEEL, 'poisson': 0.0}
    model = world(plate(config, count=count, spacing=spacing, pinned=np.flatnonzero(row < 2)))
    data = mujoco.MjData(model)
    vertical = np.arange(2, model.nv, 3)
    stiffness = np.empty((len(vertical), len(vertical)))
    for index, dof in enumerate(vertical):
        data.qpos[:] = 0
        data.qpos[dof] = 1.0
        mujoco.mj_forward(model, data)
        stiffness[index] = -data.qfrc_passive[vertical]
    load = np.where(row[row >= 2] == count[0] - 1, force / count[1], 0.0)
    length, width = (count[0] - 1.5) * spacing, (count[1] - 1) * spacing
    tip = np.linalg.solve(stiffness, load)[-1]
    assert tip == pytest.approx(force * length**3 / (3 * bending(0.0) * width), rel=0.05)


@pytest.mark.parametrize(
    ('bent', 'energy'),
    [
        (lambda x, y: x**2 / 2, 1 / 2),
        (lambda x, y: (x**2 + y**2) / 2, 1 + POISSON),
        (lambda x, y: (x**2 - y**2) / 2, 1 - POISSON),
        (lambda x, y: x * y, 1 - POISSON),
        (lambda x, y: 3 * x - 2 * y + 1, 0.0),
    ],
)
def test_the_energy_of_a_curvature_is_kirchhoffs(bent, energy):
    """Per cell within a grid of skewed triangles: the second difference of the total energy."""

    def total(count: int) -> float:
        row, column = grid((count, count))
        x, y = row + 0.3 * column, 0.9 * column
        first = np.flatnonzero((row < count - 1) & (column < count - 1))
        corners = [(0, count, count + 1), (0, count + 1, 1)]
        triangles = np.concatenate([first[:, None] + corner for corner in corners])
        points, w = np.stack([x, y, 0 * x], axis=1), bent(x, y)
        k = bending_stiffness(points, triangles, rigidity(YOUNG, POISSON, THICKNESS))
        return float(np.sum(w[k.rows] * k.values * w[k.columns])) / 2

    cells = (total(8) - 2 * total(7) + total(6)) / 2
    assert cells / (0.9 * bending()) == pytest.approx(energy, rel=1e-9, abs=1e-9)


def test_at_rest_and_turned_as_a_whole_there_is_no_force():
    inner = plate(extra='euler="50 0 10" pos="1 2 3"')
    model = world(f'<body name="carrier" euler="20 30 40">{inner}</body>')
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    scale = bending() / 0.1
    assert np.abs(data.qfrc_passive).max() < 1e-10 * scale
    turn = np.empty(9)
    mujoco.mju_quat2Mat(turn, [0.5, -0.5, 0.5, 0.5])
    places = data.flexvert_xpos.copy()
    frame = data.xmat[1].reshape(3, 3)
    data.qpos[:] = ((places @ turn.reshape(3, 3).T - places) @ frame).ravel()
    mujoco.mj_forward(model, data)
    np.testing.assert_allclose(data.flexvert_xpos, places @ turn.reshape(3, 3).T, atol=1e-12)
    assert np.abs(data.qfrc_passive).max() < 1e-10 * scale
    data.qpos[0] += 0.1
    mujoco.mj_forward(model, data)
    assert np.abs(data.qfrc_passive).max() > 0.1 * scale


def test_a_free_plate_neither_pushes_nor_turns_itself():
    model = world(plate())
    data = mujoco.MjData(model)
    data.qpos[:] = 0.05 * np.sin(np.arange(model.nq) ** 2)
    mujoco.mj_forward(model, data)
    forces = data.qfrc_passive.reshape(-1, 3)
    scale = np.abs(forces).max()
    assert scale > 1.0
    assert np.abs(forces.sum(axis=0)).max() < 1e-12 * scale
    assert np.abs(np.cross(data.flexvert_xpos, forces).sum(axis=0)).max() < 1e-12 * scale


def test_forces_reach_the_body_that_carries_the_plate_and_damping_counts():
    config = {**STEEL, 'damping': 0.02}
    carried = plate(config, pinned=np.array([0, 1, 6]), extra='pos="0.3 0.2 0.1"')
    frame = '<body name="carrier" pos="1 2 3" euler="10 20 30"><freejoint/><geom size="0.1"/>'
    model = world(f'{frame}{carried}</body>')
    data = mujoco.MjData(model)
    data.qpos[7:] = 0.05 * np.sin(np.arange(model.nq - 7) ** 2)
    data.qvel[:] = 0.3 * np.cos(np.arange(model.nv) ** 2)
    mujoco.mj_forward(model, data)
    jacobians = np.empty((model.nflexvert, 3, model.nv))
    for vertex, body in enumerate(model.flex_vertbodyid):
        point = data.flexvert_xpos[vertex]
        mujoco.mj_jac(model, data, jacobians[vertex], None, point, body)
    rest = 0.1 * np.stack([*grid((5, 6)), np.zeros(30)], axis=1)
    triangles = model.flex_elem.reshape(-1, 3)
    stiffness = np.zeros((30, 30))
    entries = bending_stiffness(rest, triangles, rigidity(**STEEL))
    stiffness[entries.rows, entries.columns] = entries.values
    forces = -stiffness @ (data.flexvert_xpos + 0.02 * jacobians @ data.qvel)
    expected = np.einsum('vcd,vc->d', jacobians, forces)
    assert np.abs(expected[3:6]).min() > 0.01
    np.testing.assert_allclose(data.qfrc_passive, expected, rtol=1e-9, atol=1e-9)


def test_damping_takes_the_energy_of_bending_out():
    def energy(damping: float) -> float:
        model = world(
            plate({**STEEL, 'damping': damping}), option='timestep="1e-3" gravity="0 0 0"'
        )
        data = mujoco.MjData(model)
        data.qvel[2::3] = np.cos(np.arange(30))
        mujoco.mj_step(model, data, 2000)
        return float(np.sum(data.qvel**2))

    assert energy(5e-3) < 0.5 * energy(0.0)


def test_plates_in_one_model_do_not_know_each_other():
    row, _ = grid((5, 6))
    pinned = np.flatnonzero(row < 2)
    stiff = {**STEEL, 'young': 10 * YOUNG}
    model = world(
        plate(pinned=pinned), plate(stiff, pinned=pinned, name='other', extra='pos="0 0 1"')
    )
    data = mujoco.MjData(model)
    half = model.nv // 2
    forces = []
    for dof in (half - 1, model.nv - 1):
        data.qpos[:] = 0.0
        data.qpos[dof] = 0.01
        mujoco.mj_forward(model, data)
        forces.append(data.qfrc_passive.reshape(2, half).copy())
    (first, zero), (nothing, second) = forces
    assert np.abs(first).max() > 1.0
    assert np.abs([zero, nothing]).max() < 1e-9
    np.testing.assert_allclose(second, 10 * first, rtol=1e-9, atol=1e-9)


def test_one_instance_may_serve_several_plates():
    instance = '<plugin instance="both"/></flexcomp>'
    flexes = [plate({}, name=name).partition('<plugin')[0] + instance for name in 'ab']
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><extension><plugin plugin="{Plate.name}"><instance name="both">'
        '<config key="young" value="1e9"/><config key="thickness" value="0.001"/>'
        f'</instance></plugin></extension><worldbody>{"".join(flexes)}</worldbody></mujoco>'
    )
    data = mujoco.MjData(model)
    data.qpos[[2, 92]] = 0.01
    mujoco.mj_forward(model, data)
    one, other = data.qfrc_passive.reshape(2, 90)
    assert one.any()
    np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)


WITHOUT_FLEX = f"""
    <body><joint type="slide"/><geom size="0.1"/>
      <plugin plugin="{Plate.name}">
        <config key="young" value="1"/><config key="thickness" value="1"/>
      </plugin>
    </body>
"""
SOLID = plate().replace('dim="2"', 'dim="3"').replace('5 6 1', '3 3 3')
POINTS = 'point="0 0 0 1 0 0 1 1 1 0 1 0" element="0 1 2 0 2 3"'
CURVED = plate(extra=POINTS).replace('type="grid"', 'type="direct"')


@pytest.mark.parametrize(
    ('body', 'message'),
    [
        (plate({'young': 1e9}), 'thickness must be > 0, got 0'),
        (plate({'thickness': 1e-3}), 'young must be > 0, got 0'),
        (plate({**STEEL, 'poisson': 0.6}), 'poisson must be a number at least 0 and at most 0.5'),
        (WITHOUT_FLEX, 'must act on at least one body that is a vertex of a flex'),
        (SOLID, 'flex 0 must have dim 2, got 3'),
        (CURVED, 'must be flat initially, but vertex [0-3] is .* m off the plane'),
    ],
)  # fmt: skip
def test_what_cannot_work_is_an_error_of_the_compiler(body, message):
    with pytest.raises(ValueError, match=f'engine plugin {Plate.name}, instance .*: {message}'):
        world(body)
