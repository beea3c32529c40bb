"""Signed distance fields: compared with MuJoCo's own, with exact values, and in collisions."""

from __future__ import annotations

import ctypes
import logging
import math
import re
from pathlib import Path

import mujoco
import numba
import numpy as np
import pytest

from mujoco_ros_py import mjcf
from mujoco_ros_py.engine.engine_plugins import (
    Capability,
    EnginePlugin,
    plugin_table,
    register,
    shape_inertial,
)
from mujoco_ros_py.engine.engine_plugins.shipped.gear import Gear
from mujoco_ros_py.engine.engine_plugins.shipped.superquadric import Superquadric
from mujoco_ros_py.engine.engine_plugins.shipped.torus import Torus
from mujoco_ros_py.mujoco_internals import PluginStruct

from .models import assert_as_in_c

pytestmark = pytest.mark.slow


@pytest.fixture(scope='module', autouse=True)
def registered():
    for plugin in (Torus, Gear, Superquadric):
        register(plugin)


def shape(name, plugin, place='', body='', **config):
    """Returns parts of a model: an instance, its mesh, and a free body with the shape."""
    values = ''.join(f'<config key="{key}" value="{value}"/>' for key, value in config.items())
    instance = f'<plugin plugin="{plugin}"><instance name="{name}">{values}</instance></plugin>'
    mesh = f'<mesh name="{name}"><plugin instance="{name}"/></mesh>'
    backed = f'<plugin instance="{name}"/>'
    geom = f'<geom type="sdf" name="{name}" mesh="{name}" density="500">{backed}</geom>'
    return instance, mesh, f'<body name="{name}" {place}>{body or "<freejoint/>"}{geom}</body>'


def compiled(*shapes, world='', option=''):
    instances, meshes, bodies = (''.join(parts) for parts in zip(*shapes, strict=True))
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><option {option}/><extension>{instances}</extension><asset>{meshes}</asset>'
        f'<worldbody>{world}{bodies}</worldbody></mujoco>'
    )


def contacts(model, steps):
    data, rows = mujoco.MjData(model), []
    for _ in range(steps):
        mujoco.mj_step(model, data)
        rows.extend([c.dist, *c.pos, *c.frame] for c in data.contact)
    return np.array(rows)


FLOOR = '<geom type="plane" size="2 2 1"/><geom size="0.2" pos="0.1 0 0.2"/>'


@pytest.mark.parametrize(
    'config', [pytest.param({}, marks=pytest.mark.nightly), {'radius1': 0.25, 'radius2': 0.1}]
)
def test_the_torus_is_that_of_the_original(config):
    ours, theirs = (
        compiled(
            shape('a', plugin, 'pos="0 0 0.6" euler="20 30 0"', **config),
            shape('b', plugin, 'pos="0.3 0.1 1.2" euler="80 0 0"', **config),
            world=FLOOR,
            option='sdf_iterations="10" sdf_initpoints="40"',
        )
        for plugin in (Torus.name, 'mujoco.sdf.torus')
    )
    assert_as_in_c(ours.mesh_vert, theirs.mesh_vert)
    expected = contacts(theirs, 300)
    assert len(expected) > 500
    np.testing.assert_allclose(contacts(ours, 300), expected, rtol=0, atol=1e-12)


def volume(model, name):
    """Returns the volume of the mesh, from the mass of the body."""
    return model.body(name).mass[0] / 500


@pytest.mark.parametrize(
    ('north', 'east'),
    [
        (0.2, 1.0),
        (0.5, 2.0),
        *(pytest.param(*each, marks=pytest.mark.nightly) for each in ((1.0, 0.2), (1.5, 1.0))),
    ],
)
def test_the_mesh_of_a_superquadric_has_its_volume(north, east):
    # long and thin, because its mesh is created quickly
    config = {'axes': '0.1 0.15 0.8', 'north': north, 'east': east}
    model = compiled(shape('s', Superquadric.name, **config))

    def beta(a, b):
        return math.gamma(a) * math.gamma(b) / math.gamma(a + b)

    expected = 2 * 0.1 * 0.15 * 0.8 * north * east  # Jaklic, Leonardis and Solina (2000), 2.60
    expected *= beta(north / 2 + 1, north) * beta(east / 2, east / 2)
    assert volume(model, 's') == pytest.approx(expected, rel=0.02)


def test_a_superquadric_ball_rests_as_a_ball_does():
    model = compiled(
        shape('s', Superquadric.name, 'pos="0 0 0.201"', axes='0.2 0.2 0.2', north=1, east=1),
        world='<geom type="plane" size="2 2 1"/>',
    )
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, 200)
    assert data.ncon >= 1
    assert data.qpos[2] == pytest.approx(0.2, abs=1e-3)
    assert data.contact[0].frame[:3] == pytest.approx([0, 0, 1], abs=1e-3)


def points(count=300):
    return np.random.default_rng(1).uniform(-0.5, 0.5, (count, 3))


@pytest.mark.parametrize(
    'config',
    [
        {'axes': (0.2, 0.3, 0.4), 'north': 0.3, 'east': 1.4},
        {'axes': (0.3, 0.3, 0.3), 'north': 1.0, 'east': 1.0},
    ],
)
def test_the_gradient_of_a_superquadric_is_that_of_its_distance(config):
    check_gradient(Superquadric, config)


def test_the_gradient_of_a_torus_is_that_of_its_distance():
    check_gradient(Torus, {'radius1': 0.35, 'radius2': 0.15})


def check_gradient(plugin, config):
    record = type('Shape', (), plugin.shape(config))
    for point in points():
        gradient = np.zeros(3)
        plugin.gradient(record, point, gradient)
        for axis, step in enumerate(1e-6 * np.eye(3)):
            above, below = (plugin.distance(record, point + s) for s in (step, -step))
            assert gradient[axis] == pytest.approx((above - below) / 2e-6, abs=1e-5, rel=1e-4)


def test_the_distance_to_the_flank_of_a_gear_is_that_to_its_nearest_point():
    config = {'alpha': 0.1, 'diameter': 1.0, 'teeth': 12, 'thickness': 0.2, 'innerdiameter': 0.0}
    gear = type('Shape', (), Gear.shape(config))
    pressure = np.linspace(0, math.acos(gear.base_circle / gear.outer), 20000)
    radius = gear.base_circle / np.cos(pressure)
    angle = 0.1 + gear.tooth - (np.tan(pressure) - pressure)  # the flank of the tooth on x
    flank = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    middle = flank[8000:12000]
    for point, out in zip(middle[::400], np.linspace(-0.02, 0.02, 10), strict=True):
        tangent = np.array([-point[1], point[0]]) / math.hypot(*point)
        moved = point + out * tangent
        nearest = np.min(np.hypot(*(flank - moved).T))
        distance = Gear.distance(gear, [*moved, 0.0])
        assert distance == pytest.approx(math.copysign(nearest, out), abs=1e-6)


def test_two_gears_that_mesh_turn_in_the_ratio_of_their_teeth():
    hinge = '<joint name="{}" axis="0 0 1" damping="{}"/>'
    large, small = {'diameter': 0.4, 'teeth': 20}, {'diameter': 0.2, 'teeth': 10}
    model = compiled(
        shape('large', Gear.name, 'pos="0 0 0"', hinge.format('l', 0), **large),
        shape('small', Gear.name, 'pos="0.302 0 0"', hinge.format('s', 2.0), **small),
        option='gravity="0 0 0" sdf_initpoints="60" sdf_iterations="10"',
    )
    data = mujoco.MjData(model)
    data.joint('s').qpos[0] = math.pi / 10  # a gap where the large gear has a tooth
    for _ in range(500):
        data.joint('l').qvel[0] = 1.0
        mujoco.mj_step(model, data)
    turned = data.joint('s').qpos[0] - math.pi / 10
    assert data.joint('l').qpos[0] > 0.8
    assert turned == pytest.approx(-2 * data.joint('l').qpos[0], abs=0.1)


class Ball(EnginePlugin):
    """A shape without a gradient and without attributes."""

    name = 'test.ball'
    capabilities = Capability.SDF

    @classmethod
    def bounds(cls, config):
        return 0, 0, 0, 0.21, 0.21, 0.21

    @staticmethod
    def distance(shape, point):
        return math.sqrt(point[0] ** 2 + point[1] ** 2 + point[2] ** 2) - 0.2


def test_without_a_gradient_differences_take_its_place():
    register(Ball)
    floor = '<geom type="plane" size="2 2 1"/>'
    model = compiled(shape('s', Ball.name, 'pos="0 0 0.201"'), world=floor)
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, 200)
    assert data.qpos[2] == pytest.approx(0.2, abs=1e-3)
    assert data.contact[0].frame[:3] == pytest.approx([0, 0, 1], abs=1e-3)


def test_a_shape_stays_while_a_thread_of_mujoco_makes_its_mesh():
    """Python only knows this thread while it calls Python: here twice, as MuJoCo may."""
    register(Ball)
    place, seen, kept = ctypes.c_int64(), [], []

    def look():
        seen.append(ctypes.string_at(place.value, 256))
        kept.extend(ctypes.create_string_buffer(b'\xff' * 256, 256) for _ in range(1000))
        seen.append(ctypes.string_at(place.value, 256))

    number = ctypes.c_int64
    read = ctypes.CFUNCTYPE(None, number, number, number)(
        PluginStruct.from_address(plugin_table.find(Ball.name)).sdf_attribute
    )
    look_again = ctypes.CFUNCTYPE(None)(look)
    address = ctypes.addressof(place)

    @numba.cfunc(numba.types.voidptr(numba.types.voidptr))
    def run(argument):
        read(address, 0, address)
        look_again()
        return argument

    library, thread = ctypes.CDLL(None), ctypes.c_ulong()
    library.pthread_create(ctypes.byref(thread), None, ctypes.c_void_p(run.address), None)
    library.pthread_join(thread, None)
    before, after = seen
    assert before == after
    assert any(before)


def test_a_shape_whose_box_is_off_the_origin_is_there_and_collides_there():
    class Aside(Ball):
        name = 'test.aside'

        @classmethod
        def bounds(cls, config):
            return 0.5, 0.1, -0.3, 0.21, 0.22, 0.23

        @staticmethod
        def distance(shape, point):
            x, y, z = point[0] - 0.5, point[1] - 0.1, point[2] + 0.3
            return math.sqrt(x * x + y * y + z * z) - 0.2

    register(Aside)
    balls = '<geom size="0.1" pos="0.79 0.1 0.7"/><geom size="0.1" pos="0 0 1"/>'
    model = compiled(shape('s', 'test.aside', 'pos="0 0 1"'), world=balls)
    centre, half = np.split(model.geom_aabb[model.geom('s').id].ravel(), 2)
    assert centre == pytest.approx([0.5, 0.1, -0.3], abs=1e-3)
    assert half == pytest.approx([0.2, 0.2, 0.2], abs=1e-3)
    assert volume(model, 's') == pytest.approx(4 / 3 * math.pi * 0.2**3, rel=1e-3)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    assert {int(geom) for geom in data.contact.geom.flat} == {0, model.geom('s').id}
    assert np.abs(data.contact.pos - [0.695, 0.1, 0.7]).max() < 0.05


class Half(Ball):
    """Half a ball on its flat side; its centre of mass is 3/8 of the radius above this side."""

    name = 'test.half'

    @staticmethod
    def distance(shape, point):
        ball = math.sqrt(point[0] ** 2 + point[1] ** 2 + point[2] ** 2) - 0.2
        return max(ball, -point[2])


RING_MASS = 500 * 2 * math.pi**2 * 0.35 * 0.15**2
RING = (
    RING_MASS * (0.35**2 / 2 + 5 / 8 * 0.15**2),
    RING_MASS * (0.35**2 + 3 / 4 * 0.15**2),
)
"""The moments of a solid torus about a diameter and about its axis."""


HALF_MASS = 500 * 2 / 3 * math.pi * 0.2**3
HALF = HALF_MASS * 83 / 320 * 0.2**2, HALF_MASS * 2 / 5 * 0.2**2
"""The moments of half a ball about a line through its centre of mass, and about its axis."""


def exact(name, plugin):
    """A shape whose axis is the x axis of its body, with the volume of its mesh."""
    instance, mesh, body = shape(name, plugin)
    mesh = mesh.replace('<mesh', '<mesh inertia="exact"')
    return instance, mesh, body.replace('type="sdf"', 'type="sdf" pos="1 2 3" quat="1 1 1 1"')


@pytest.mark.parametrize(
    ('plugin', 'mass', 'centre', 'moments'),
    [(Torus, RING_MASS, [1, 2, 3], RING), (Half, HALF_MASS, [1 + 3 / 8 * 0.2, 2, 3], HALF)],
)
def test_the_inertia_of_a_shape_is_that_of_its_mesh_where_it_is_asked_for(
    plugin, mass, centre, moments, caplog
):
    register(plugin)
    inertial = shape_inertial(compiled(exact('s', plugin.name)), 's')
    across, along = moments
    assert inertial['mass'] == pytest.approx(mass, rel=2e-3)
    assert inertial['pos'] == pytest.approx(centre, abs=1e-3)
    assert inertial['fullinertia'] == pytest.approx(
        [along, across, across, 0, 0, 0], rel=5e-3, abs=1e-3 * along
    )
    (warning,) = [record.getMessage() for record in caplog.records]
    where = f"engine plugin {plugin.name}, instance 's': body 's' has a wrong inertia: "
    assert warning.startswith(f"{where}MuJoCo takes the origin of geom 's' as its centre of mass")
    caplog.clear()
    found = re.search('write (<inertial .*/>) in the body$', warning)[1]
    instance, mesh, body = exact('s', plugin.name)
    model = compiled((instance, mesh, body.replace('<freejoint/>', f'<freejoint/>{found}')))
    assert model.body('s').ipos == pytest.approx(inertial['pos'], abs=1e-5)
    assert sorted(model.body('s').inertia) == pytest.approx(
        sorted(inertial['fullinertia'][:3]), rel=1e-4
    )
    assert not caplog.records, 'the body has what it needs'


MOVED = '<freejoint/>'
OWN = f'{MOVED}<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
MASSLESS = {'density="500"': 'mass="0"'}
OTHER = {'</body>': '<geom size="0.1" pos="0 0 1"/></body>'}


RIGHT = {
    'mocap': ('', {'<body': '<body mocap="true"'}),
    'massless': (MOVED, {**MASSLESS, '</body>': '<body><geom size="1"/></body></body>'}),
    'own': (OWN, {}),
    'own_and_other': (OWN, OTHER),
    'own_off_both': (OWN.replace('0 0 0', '0 0.1 0.1'), OTHER),
    'other': (MOVED, {**MASSLESS, **OTHER}),
}
"""Bodies with half a ball: their other elements, and replacements in the model."""


def test_a_shape_with_the_right_inertia_has_no_warning(caplog):
    register(Half)
    register(Ball)
    instance, mesh, _ = shape('half', Half.name)
    bodies = ''
    for name, (inside, changed) in RIGHT.items():
        _, _, body = shape('half', Half.name, body=inside or '<site/>')
        body = body.replace('name="half"', f'name="{name}"')
        for before, after in changed.items():
            body = body.replace(before, after, 1)
        bodies += body
    static = shape('static', Torus.name, body='<site/>')
    compiled((instance, mesh, bodies), shape('ball', Ball.name), static)
    assert not caplog.records


def test_a_shape_whose_moments_descend_has_no_warning(caplog):
    compiled(shape('descending', Superquadric.name, axes='0.05 0.1 0.6'))
    assert not caplog.records


def test_a_ring_whose_volume_mujoco_takes_for_larger_has_a_warning_too(caplog):
    compiled(shape('legacy', Torus.name))
    (record,) = caplog.records
    assert "instance 'legacy'" in record.getMessage()


def test_each_body_of_a_shape_has_one_warning_however_many_data_are_made(caplog):
    register(Half)
    instance, mesh, body = shape('one', Half.name)
    other = body.replace('name="one"', 'name="two"', 1)
    for _ in range(2):
        mujoco.MjData(compiled((instance, mesh, body + other.replace('name="one"', ''))))
    told = [record.getMessage() for record in caplog.records]
    assert ["body 'one' has" in each for each in told] == [True, False]
    assert ["body 'two' has" in each for each in told] == [False, True]


@pytest.mark.parametrize('place', ['1 0 0', pytest.param('0 0 0', marks=pytest.mark.nightly)])
def test_a_shape_beside_other_geoms_has_a_warning_with_its_centre_of_mass(place, caplog):
    register(Half)
    instance, mesh, body = shape(f'many {place}', Half.name)
    geom = f'<geom size="0.1" pos="{place}"/><geom'
    compiled((instance, mesh, body.replace('<geom', geom, 1)))
    (record,) = caplog.records
    text = re.search(
        r'has its centre of mass at (\S+ \S+ \S+) in the body frame; write an', record.getMessage()
    )[1]
    assert np.array(text.split(), float) == pytest.approx([0, 0, 3 / 8 * 0.2], abs=1e-3)


def test_an_inertial_that_mujoco_ignores_does_not_stop_the_warning(caplog):
    register(Half)
    instance, mesh, body = shape('ignored', Half.name, body=OWN)
    mujoco.MjModel.from_xml_string(
        f'<mujoco><compiler inertiafromgeom="true"/><extension>{instance}</extension>'
        f'<asset>{mesh}</asset><worldbody>{body}</worldbody></mujoco>'
    )
    (record,) = caplog.records
    assert "body 'ignored' has a wrong inertia" in record.getMessage()


def test_the_bean_of_the_guide_has_the_right_inertia(caplog):
    page = Path(__file__).parents[3] / 'docs/how-to/engine-plugins.md'
    code = re.search(r'# bean\.py\n(.*?)register\(Bean\)', page.read_text(), re.DOTALL)[1]
    names: dict[str, type[EnginePlugin]] = {'__name__': 'bean'}
    exec(code, names)
    bean = names['Bean']
    register(bean)
    inertial = shape_inertial(compiled(shape('bean', bean.name)), 'bean')
    assert not caplog.records
    assert inertial['pos'] == pytest.approx([0, 0, 0], abs=2e-4)


def test_only_a_shape_has_the_inertial_of_a_shape():
    model = mujoco.MjModel.from_xml_string(
        '<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/></worldbody></mujoco>'
    )
    with pytest.raises(ValueError, match=r"geom 'floor': the type must be sdf.*got mjGEOM_PLANE"):
        shape_inertial(model, 'floor')


def test_the_object_model_takes_the_inertial_of_a_shape():
    model = compiled(exact('taken', Torus.name))
    body = mjcf.RootElement().worldbody.add('body')
    element = body.add('inertial', **shape_inertial(model, 'taken'))
    assert element.mass == pytest.approx(RING_MASS, rel=2e-3)


@pytest.mark.parametrize(
    ('plugin', 'config', 'message'),
    [
        (Torus, {'radius2': 'thick'}, r"instance 's': radius2 must be a number .* got 'thick'"),
        (Gear, {'innerdiameter': 2}, r"instance 's': innerdiameter must be below 0.9 .*, got 2"),
        (
            Superquadric,
            {'axes': '1 2'},
            "instance 's': axes must be 3 numbers separated by spaces",
        ),
    ],
)
def test_a_wrong_shape_is_an_error_of_the_compiler(plugin, config, message):
    with pytest.raises(ValueError, match=message):
        compiled(shape('s', plugin.name, **config))


def test_bounds_that_make_no_box_are_an_error_of_the_compiler():
    class Flat(Ball):
        name = 'test.flat'

        @classmethod
        def bounds(cls, config):
            return 1.0, 1.0

    register(Flat)
    with pytest.raises(ValueError, match='bounds must be 3 half sizes'):
        compiled(shape('s', 'test.flat'))


def test_what_a_distance_raises_is_told_once(caplog):
    class Broken(Ball):
        name = 'test.broken_shape'

        @staticmethod
        def distance(shape, point):
            distance = math.sqrt(point[0] ** 2 + point[1] ** 2 + point[2] ** 2) - 0.2
            if point[2] > 0.19:
                raise ValueError('too high')
            return distance

    register(Broken)
    with caplog.at_level(logging.ERROR):
        compiled(shape('s', 'test.broken_shape'))
    (record,) = caplog.records
    assert record.getMessage() == (
        'distance of engine plugin test.broken_shape, instance its mesh raised'
    )
