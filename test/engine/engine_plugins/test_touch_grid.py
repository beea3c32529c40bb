"""Compares mujoco_ros_py.touch_grid with mujoco.sensor.touch_grid, MuJoCo's C++ plugin."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.engine.engine_plugins import register
from mujoco_ros_py.engine.engine_plugins.shipped.touch_grid import TouchGrid

from .models import assert_as_in_c

pytestmark = pytest.mark.slow

ORIGINAL = 'mujoco.sensor.touch_grid'
SKIN = '<site name="skin" pos="0.01 0.02 0.03" euler="20 130 40"/>'
ABOVE = '<body pos="0 0 0.19"><freejoint/><geom size="0.1"/></body>'
SIDES = {
    'the first geom': f'<body><geom size="0.1"/>{SKIN}</body>{ABOVE}',
    'the second geom': f'{ABOVE}<body><geom size="0.1"/>{SKIN}</body>',
    'a geom of a body that is fixed to it':
        f'<body><freejoint/>{SKIN}<body><geom size="0.1"/></body></body>{ABOVE}',
    'a geom of the body that it is fixed to':
        f'<body><freejoint/><geom size="0.1"/><body>{SKIN}</body></body>{ABOVE}',
    'the world': f'{SKIN}<geom size="0.1"/>{ABOVE}',
}  # fmt: skip
CORRECT = int(mujoco.__version__.split('.')[0]) >= 4
"""Before MuJoCo 4, the original used the force on the other body if its own body was second in a
contact, and read beyond an array for contacts with a flex."""
WHOLE = {'size': '1 1', 'fov': '180 90'}
GRID = 6, 10
"""Compiling takes seconds for each grid size. The sizes are not powers of two, which hide
errors."""


of_the_fixed_original = pytest.mark.skipif(
    not CORRECT, reason='the original had the wrong sign before MuJoCo 4'
)


@pytest.fixture(scope='module', autouse=True)
def registered():
    register(TouchGrid)


def config(values: dict[str, object]) -> str:
    return ''.join(f'<config key="{key}" value="{value}"/>' for key, value in values.items())


def touched(
    bodies: str,
    *,
    cone: str = 'pyramidal',
    names: tuple[str, ...] = (ORIGINAL, TouchGrid.name),
    **values: object,
) -> mujoco.MjModel:
    """Returns the original's sensor and ours, on the same site."""
    plugins = ''.join(f'<plugin plugin="{name}"/>' for name in names)
    sensors = ''.join(
        f'<plugin plugin="{name}" objtype="site" objname="skin">{config(values)}</plugin>'
        for name in names
    )
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><option cone="{cone}"/><extension>{plugins}</extension>'
        f'<worldbody>{bodies}</worldbody><sensor>{sensors}</sensor></mujoco>'
    )


def alone(bodies: str = SKIN, objects: tuple[str, ...] = ('skin',), **values: object):
    """Returns our sensors only, one instance for all sites."""
    sensors = ''.join(f'<plugin instance="t" objtype="site" objname="{o}"/>' for o in objects)
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><extension><plugin plugin="{TouchGrid.name}">'
        f'<instance name="t">{config(values)}</instance></plugin></extension>'
        f'<worldbody>{bodies}</worldbody><sensor>{sensors}</sensor></mujoco>'
    )


def drawn(model: mujoco.MjModel, maxgeom: int = 100) -> np.ndarray:
    """Returns position, shape and appearance of the geoms that sensors add to a scene."""
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    scene = mujoco.MjvScene(model, maxgeom)
    arguments = mujoco.MjvOption(), mujoco.MjvPerturb(), mujoco.MjvCamera()
    mujoco.mjv_updateScene(model, data, *arguments, mujoco.mjtCatBit.mjCAT_ALL, scene)
    return np.array([
        [*geom.pos, *geom.size, *geom.mat.ravel(), *geom.rgba, geom.objid, geom.segid]
        for geom in scene.geoms[: scene.ngeom]
        if geom.type == mujoco.mjtGeom.mjGEOM_BOX
        and geom.objtype == mujoco.mjtObj.mjOBJ_UNKNOWN
        and geom.category == mujoco.mjtCatBit.mjCAT_DECOR
    ])  # fmt: skip


@pytest.mark.parametrize('body', ['first', pytest.param('second', marks=of_the_fixed_original)])
@pytest.mark.parametrize(('nchannel', 'gamma'), [(1, 0), (1, 1), (3, 0.3), (6, 0.7)])
def test_random_contacts_are_bit_identical_to_the_original(nchannel, gamma, body):
    random = np.random.default_rng([nchannel, int(10 * gamma)])
    shapes = 'sphere', 'ellipsoid'  # the order of the geoms in a contact
    own, other = shapes if body == 'first' else shapes[::-1]

    def geom(shape: str, position: str) -> str:
        size = ' '.join(map(str, random.uniform(0.02, 0.06, 3)))
        condim = random.choice([1, 3, 4, 6])
        return f'<geom type="{shape}" size="{size}" pos="{position}" condim="{condim}"/>'

    corners = [f'{x} {y} 0' for x in (-0.05, 0.05) for y in (-0.05, 0.05)]
    places = [' '.join(map(str, place)) for place in random.normal(scale=0.09, size=(30, 3))]
    columns, rows = GRID
    model = touched(
        f'<body><freejoint/>{"".join(geom(own, c) for c in corners)}{SKIN}</body>'
        + ''.join(f'<body pos="{p}"><freejoint/>{geom(other, "0 0 0")}</body>' for p in places),
        cone=random.choice(['pyramidal', 'elliptic']),
        size=f'{columns} {rows}',
        fov=f'{random.uniform(90, 180)} {random.uniform(60, 90)}',
        nchannel=nchannel,
        gamma=gamma,
    )
    data = mujoco.MjData(model)
    felt = 0
    for _ in range(20):
        mujoco.mj_step(model, data)
        theirs, ours = data.sensordata.reshape(2, nchannel, rows, columns)
        assert_as_in_c(ours, theirs)
        felt += np.count_nonzero(ours)
    assert felt > 20


@pytest.mark.parametrize('side', SIDES)
def test_the_force_is_that_on_the_body_of_the_site(side):
    model = touched(SIDES[side], nchannel=3, **WHOLE)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    theirs, ours = data.sensordata.reshape(2, 3)
    z, x, y = ours
    force = data.site('skin').xmat.reshape(3, 3) @ (x, y, z)
    assert force[2] < -10
    assert force[:2] == pytest.approx((0, 0), abs=1e-9)
    if CORRECT:
        assert_as_in_c(ours, theirs)


def test_contacts_of_other_bodies_and_of_flexes_are_not_felt():
    trunk = '<freejoint/><geom size="0.1" contype="0" conaffinity="0"/>'
    child = f'<body>{trunk}{SKIN}<body><joint/><geom size="0.1"/></body></body>{ABOVE}'
    cloth = (
        '<flexcomp name="f" type="grid" count="3 3 1" spacing="0.05 0.05 0.05" pos="0 0 0.1"'
        ' radius="0.005" mass="1"><edge equality="true"/></flexcomp>'
    )
    for bodies in (child, f'<body><geom size="0.1"/>{SKIN}</body>{cloth}'):
        model = touched(bodies, nchannel=3, **WHOLE)
        data = mujoco.MjData(model)
        mujoco.mj_forward(model, data)
        assert data.ncon > 0
        theirs, ours = data.sensordata.reshape(2, 3)
        assert not ours.any()
        assert not (CORRECT and theirs.any())


def test_a_position_on_an_edge_belongs_to_the_bin_below_it():
    model = touched(
        '<body><geom size="0.1"/><site name="skin"/></body>'
        '<body pos="0 0 -0.19"><freejoint/><geom size="0.1"/></body>',
        size='8 4', fov='45 45',  # powers of two, so that the middle is exactly an edge
    )  # fmt: skip
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    theirs, ours = data.sensordata.reshape(2, 4, 8)
    assert np.argwhere(ours).tolist() == [[1, 3]]
    assert_as_in_c(ours, theirs)


def test_one_instance_serves_several_sites():
    sites = '<site name="up" euler="180 0 0"/><site name="down"/>'
    model = alone(
        f'<body><geom size="0.1"/>{sites}</body>{ABOVE}', ('up', 'down'), size='1 1', fov='90 89'
    )
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    assert data.sensordata[0] > 10
    assert data.sensordata[1] == 0


@pytest.mark.parametrize(
    ('values', 'message'),
    [
        ({'nchannel': 7}, "nchannel must be a whole number at least 1 and at most 6, got '7'"),
        ({'size': '0 3'}, "size must be 2 numbers separated by spaces at least 1, got '0 3'"),
        ({'size': '2.5 3'}, "size must be 2 integers >= 1, got '2.5 3'"),
        ({'size': ''}, 'size must be 2 integers >= 1, got none'),
        ({'fov': '181 90'}, "fov must be 2 numbers > 0 and at most 180 and 90, got '181 90'"),
        ({'fov': '45 0'}, "fov must be 2 numbers > 0 and at most 180 and 90, got '45 0'"),
        ({'fov': ''}, 'fov must be 2 numbers > 0 and at most 180 and 90, got none'),
        ({'gamma': 1.5}, "gamma must be a number at least 0 and at most 1, got '1.5'"),
    ],
)
def test_what_cannot_work_is_an_error_of_the_compiler(values, message):
    owner = f"engine plugin {TouchGrid.name}, instance 't'"
    with pytest.raises(ValueError, match=f'{owner}: {message}'):
        alone(**{**WHOLE, **values})


def test_a_sensor_of_something_else_than_a_site_is_refused():
    message = f'{TouchGrid.name}, .*: objtype of sensor 0 must be site'
    plugin = f'plugin="{TouchGrid.name}"'
    with pytest.raises(ValueError, match=message):
        mujoco.MjModel.from_xml_string(f"""
            <mujoco>
              <extension><plugin {plugin}/></extension>
              <worldbody><body name="b"><geom size="0.1"/></body></worldbody>
              <sensor>
                <plugin {plugin} objtype="body" objname="b">{config(WHOLE)}</plugin>
              </sensor>
            </mujoco>
        """)


PLATE = f'<body><geom type="box" size="0.3 0.3 0.1"/>{SKIN}</body>' + ''.join(
    f'<body pos="{x} {y} 0.19"><freejoint/><geom size="0.1" condim="4"/></body>'
    for x in (-0.15, 0.1)
    for y in (-0.1, 0.12)
)


@pytest.mark.parametrize('nchannel', [1, 6])
def test_the_boxes_of_touched_taxels_are_drawn_as_the_original_draws_them(nchannel):
    values = {'size': '6 10', 'fov': '170 85', 'gamma': 0.4, 'nchannel': nchannel}
    names = ORIGINAL, TouchGrid.name
    theirs, ours = (drawn(touched(PLATE, names=(name,), **values)) for name in names)
    assert len(ours) == 4
    assert ours.shape == theirs.shape
    assert ours == pytest.approx(theirs, abs=1e-6)


def test_no_more_is_drawn_than_the_scene_has_room_for_and_nothing_untouched():
    values = {'size': '6 10', 'fov': '170 85'}
    model = touched(PLATE, names=(TouchGrid.name,), **values)
    assert len(drawn(model)) == 4
    assert len(drawn(model, maxgeom=2)) == 2
    assert len(drawn(alone(**values))) == 0
