"""Compares mujoco_ros_py.cable with mujoco.elasticity.cable, MuJoCo's C++ plugin before 4.0."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.engine.engine_plugins import register
from mujoco_ros_py.engine.engine_plugins.shipped.cable import Cable, ElasticityCable
from mujoco_ros_py.errors import PluginError

pytestmark = pytest.mark.slow

STEPS = 1000
ORIGINAL = ElasticityCable.name
HAS_ORIGINAL = int(mujoco.__version__.partition('.')[0]) < 4
needs_original = pytest.mark.skipif(
    not HAS_ORIGINAL, reason='MuJoCo 4 has neither the original nor <composite>'
)
CAPSULE = '<geom type="capsule" size="0.01" fromto="0 0 0 0.2 0 0"/>'
BOX = '<geom type="box" size="0.1 0.01 0.03" pos="0.1 0 0"/>'
CYLINDER = '<geom type="cylinder" size="0.02 0.1" zaxis="1 0 0" pos="0.1 0 0"/>'
BALL = '<geom size="0.02"/>'
KINDS = [CAPSULE, BOX, CYLINDER, CAPSULE, BALL]
BENT = 'euler="5 10 20"'
STIFF = {'twist': 2e6, 'bend': 1e6}


@pytest.fixture(scope='module', autouse=True)
def registered():
    register(Cable)
    if not HAS_ORIGINAL:
        register(ElasticityCable)


def chain(
    plugin: str,
    config: dict[str, object],
    *,
    geoms: Sequence[str] = (CAPSULE,) * 5,
    pose: str = '',
    first: str = '<joint type="ball"/>',
    joint: str = '<joint type="ball"/>',
    name: str = 'cable',
) -> tuple[str, str]:
    """Returns the instance and the bodies of one cable."""
    values = ''.join(f'<config key="{key}" value="{value}"/>' for key, value in config.items())
    bodies = ''
    for place, geom in reversed(list(enumerate(geoms))):
        where = f'pos="0.2 0 0" {pose}' if place else 'pos="0 0 1"'
        inner = f'{joint if place else first}{geom}<plugin instance="{name}"/>{bodies}'
        bodies = f'<body {where}>{inner}</body>'
    return (
        f'<plugin plugin="{plugin}"><instance name="{name}">{values}</instance></plugin>',
        bodies,
    )


def world(*chains: tuple[str, str]) -> str:
    plugins, bodies = (''.join(parts) for parts in zip(*chains, strict=True))
    return (
        '<mujoco><option timestep="0.001" integrator="Euler"/>'
        '<default><geom contype="0" conaffinity="0"/><joint damping="0.01"/></default>'
        f'<extension>{plugins}</extension><worldbody>{bodies}</worldbody></mujoco>'
    )


def composite(curve: str, initial: str, geom: str, flat: str) -> str:
    """Returns a composite expanded by MuJoCo 3, which only accepts the original plugin."""
    spec = mujoco.MjSpec.from_string(f"""
        <mujoco>
          <extension><plugin plugin="{ORIGINAL}"/></extension>
          <default><geom contype="0" conaffinity="0"/></default>
          <worldbody>
            <composite type="cable" curve="{curve}" count="20 1 1" size="1 0.1 2"
                initial="{initial}" prefix="c" offset="0 0 1">
              <plugin plugin="{ORIGINAL}">
                <config key="twist" value="1e7"/><config key="bend" value="4e6"/>
                <config key="flat" value="{flat}"/>
              </plugin>
              <joint kind="main" damping="0.01"/><geom {geom}/>
            </composite>
          </worldbody>
        </mujoco>
    """)
    spec.compile()
    return spec.to_xml()


CASES = {
    'straight': lambda: world(chain(ORIGINAL, STIFF)),
    'curved at rest': lambda: world(chain(ORIGINAL, STIFF, pose=BENT)),
    'flat at rest': lambda: world(chain(ORIGINAL, {**STIFF, 'flat': 'true'}, pose=BENT)),
    'bending alone': lambda: world(chain(ORIGINAL, {'bend': 1e6}, pose=BENT)),
    'twist alone': lambda: world(chain(ORIGINAL, {'twist': 1e6}, pose=BENT)),
    'boxes': lambda: world(chain(ORIGINAL, STIFF, geoms=[BOX] * 4)),
    'all kinds': lambda: world(chain(ORIGINAL, STIFF, geoms=KINDS, pose=BENT)),
    'free': lambda: world(chain(ORIGINAL, STIFF, first='<freejoint/>', pose=BENT)),
    'several': lambda: world(
        chain(ORIGINAL, STIFF, pose=BENT),
        chain(ORIGINAL, {'twist': 1e5, 'bend': 3e5}, name='other', geoms=[CYLINDER] * 3),
    ),
    'a composite': lambda: composite('s', 'none', 'type="capsule" size="0.01"', 'false'),
    'a composite coil': lambda: composite(
        'cos(s) sin(s) s', 'none', 'type="capsule" size="0.01"', 'false'
    ),
    'a composite that unrolls': lambda: composite(
        'cos(s) sin(s) s', 'ball', 'type="cylinder" size="0.01"', 'true'
    ),
    'a free composite of boxes': lambda: composite(
        'cos(s) sin(s) s', 'free', 'type="box" size="0.1 0.01 0.005"', 'true'
    ),
}  # fmt: skip


def moved(text: str, steps: int = STEPS) -> np.ndarray:
    """Returns qpos after each step."""
    model = mujoco.MjModel.from_xml_string(text)
    data, rows = mujoco.MjData(model), []
    for _ in range(steps):
        mujoco.mj_step(model, data)
        rows.append(data.qpos.copy())
    assert not data.warning.number.any()
    return np.array(rows)


def turned(text: str, **quats: Sequence[float]) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """Returns the forces with some joints rotated; the keywords contain the joint numbers."""
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    for joint, quat in quats.items():
        first = model.jnt_qposadr[int(joint[1:])]
        data.qpos[first : first + len(quat)] = quat
    mujoco.mj_forward(model, data)
    return model, data


def about(axis: Sequence[float], angle: float) -> list[float]:
    return [math.cos(angle / 2), *(math.sin(angle / 2) * np.array(axis))]


@needs_original
@pytest.mark.parametrize('case', CASES)
def test_it_moves_as_the_original_does(case):
    text = CASES[case]()
    theirs, ours = moved(text), moved(text.replace(ORIGINAL, Cable.name))
    assert np.ptp(theirs, axis=0).max() > 0.1
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-9)


AFTER_1000_STEPS = {
    'curved at rest': (
        0.347461584265, 0.086922836567, 0.745174876302, -0.562520463336,
        0.950081616638, 0.034961006407, -0.112233186423, -0.289009276015,
        0.930822657391, 0.021821463416, -0.208700580962, -0.299227458178,
        0.95140462813, -0.000440922132, -0.228356165368, -0.206597436815,
        0.987390530571, -0.006350465338, -0.122250384072, -0.100371586235,
    ),
    'all kinds': (
        0.343122270851, 0.103430328466, 0.610354440422, -0.706425319094,
        0.970769799255, 0.011634877284, -0.043264366103, -0.235794022637,
        0.989320166058, 0.001748160999, -0.073226908149, -0.12601735153,
        0.912744484658, -0.003651519909, -0.302790798459, -0.274229656489,
        0.999999738441, -0.000132931803, -0.000696583052, -0.000142193493,
    ),
}  # fmt: skip
"""The final qpos of the original in MuJoCo 3.17."""


@pytest.mark.parametrize('case', AFTER_1000_STEPS)
def test_a_model_of_the_original_comes_to_where_it_came_to(case):
    name = Cable.name if HAS_ORIGINAL else ORIGINAL
    qpos = moved(CASES[case]().replace(ORIGINAL, name))[-1]
    np.testing.assert_allclose(qpos, AFTER_1000_STEPS[case], rtol=0, atol=1e-9)


@needs_original
def test_the_originals_name_is_left_to_it_where_it_is():
    with pytest.raises(PluginError, match=f"'{ORIGINAL}' is taken by a library"):
        register(ElasticityCable)


@pytest.mark.parametrize(
    ('geom', 'axis', 'section'),
    [
        (CAPSULE, (1, 0, 0), 2e6 * math.pi * 0.01**4 / 2),
        (CAPSULE, (0, 1, 0), 1e6 * math.pi * 0.01**4 / 4),
        (CYLINDER, (0, 0, 1), 1e6 * math.pi * 0.02**4 / 4),
        (BOX, (0, 1, 0), 1e6 * 0.02 * 0.06**3 / 12),
        (BOX, (0, 0, 1), 1e6 * 0.06 * 0.02**3 / 12),
        ('<geom size="0.1"/>', (0, 0, 1), 0.0),
    ],
)
def test_the_moment_is_that_of_the_beam_theory(geom, axis, section):
    # compiling takes seconds for each number
    text = world(chain(Cable.name, STIFF, geoms=[geom] * 5))
    _, data = turned(text, j1=about(axis, 0.3))
    expected = np.zeros(15)
    expected[3:6] = -section * 0.3 / 0.2 * np.array(axis)
    np.testing.assert_allclose(data.qfrc_passive, expected, rtol=1e-12, atol=1e-12)


def test_a_square_box_is_twisted_as_in_the_textbook():
    square = '<geom type="box" size="0.1 0.02 0.02" pos="0.1 0 0"/>'
    text = world(chain(Cable.name, STIFF, geoms=[square] * 5))
    _, data = turned(text, j1=about((1, 0, 0), 0.3))
    constant = 2.25 * 0.02**4  # Roark, for a square with half sides of 0.02
    assert data.qfrc_passive[3] == pytest.approx(-2e6 * constant * 0.3 / 0.2, rel=2e-3)


def test_a_body_of_another_geom_swings_freely_and_bears_the_moment_of_its_child():
    """The original ignores the moment on the body, and makes a free cable turn by itself."""
    geoms = [CAPSULE, CAPSULE, BALL, CAPSULE]
    text = world(chain(Cable.name, STIFF, geoms=geoms, first='<freejoint/>'))
    _, data = turned(text, j2=about((0, 1, 0), 0.3), j3=about((0, 1, 0), 0.3))
    expected = np.zeros(15)
    expected[13] = -1e6 * math.pi * 0.01**4 / 4 * 0.3 / 0.2
    np.testing.assert_allclose(data.qfrc_passive, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize('flat', [False, True])
def test_at_rest_a_cable_is_as_it_is_written_or_flat(flat):
    config = {**STIFF, 'flat': str(flat).lower()}
    _, data = turned(world(chain(Cable.name, config, pose=BENT)))
    assert bool(np.abs(data.qfrc_passive).max() > 1e-3) == flat


def test_joints_of_any_kind_are_moved():
    text = world(chain(Cable.name, STIFF, joint='<joint axis="0 1 0"/>'))
    _, data = turned(text, j2=[0.3])
    expected = np.zeros(7)
    expected[4] = -1e6 * math.pi * 0.01**4 / 4 * 0.3 / 0.2
    np.testing.assert_allclose(data.qfrc_passive, expected, rtol=1e-12, atol=1e-12)


def test_the_moments_between_bodies_are_those_on_the_joints():
    """Virtual work: each link's moment on its child and against its parent, by Jacobians."""
    text = world(chain(Cable.name, STIFF, first='<freejoint/>'))
    quats = {f'j{n}': about(np.eye(3)[n % 3], 0.4 * n) for n in range(1, 5)}
    model, data = turned(text, **quats)
    expected = np.zeros(model.nv)
    for parent, child in itertools.pairwise(range(1, model.nbody)):
        angle, axis = 0.4 * parent, np.eye(3)[parent % 3]
        modulus = 4e6 if axis[0] else 1e6
        moment = -modulus * math.pi * 0.01**4 / 4 * angle / 0.2 * axis
        moment = data.xmat[child].reshape(3, 3) @ moment
        for body, sign in ((child, 1), (parent, -1)):
            jacobian = np.empty((3, model.nv))
            mujoco.mj_jacBody(model, data, None, jacobian, body)
            expected += sign * jacobian.T @ moment
    np.testing.assert_allclose(data.qfrc_passive, expected, rtol=0, atol=1e-12)


def colours(text: str) -> np.ndarray:
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    data.qpos[:] = np.tile([1, 0, 0, 0], model.njnt) + np.sin(np.arange(model.nq)) / 3
    mujoco.mj_normalizeQuat(model, data.qpos)
    mujoco.mj_forward(model, data)
    scene = mujoco.MjvScene(model, maxgeom=20)
    mujoco.mjv_updateScene(
        model,
        data,
        mujoco.MjvOption(),
        None,
        mujoco.MjvCamera(),
        mujoco.mjtCatBit.mjCAT_ALL,
        scene,
    )
    assert np.array_equal([geom.rgba for geom in scene.geoms[: scene.ngeom]], model.geom_rgba)
    return model.geom_rgba


@needs_original
@pytest.mark.parametrize('vmax', [0.0, 0.005, 0.02, 0.1, 10.0])
def test_the_colours_are_those_of_the_original(vmax):
    text = world(chain(ORIGINAL, {**STIFF, 'vmax': vmax}))
    theirs = colours(text)
    np.testing.assert_allclose(colours(text.replace(ORIGINAL, Cable.name)), theirs, atol=1e-6)


@pytest.mark.parametrize(
    ('heat', 'rgb'),
    [
        (0.1, (0, 0.4, 1)),
        (0.3, (0, 1, 0.8)),
        (0.7, (0.8, 1, 0)),
        (0.9, (1, 0.4, 0)),
        (2.0, (1, 0, 0)),
    ],
)
def test_the_moment_is_a_colour_from_blue_to_red(heat, rgb):
    moment = 1e6 * math.pi * 0.01**4 / 4 * 0.3 / 0.2
    text = world(chain(Cable.name, {**STIFF, 'vmax': moment / heat}, geoms=[CAPSULE] * 4))
    model, data = turned(text, j1=about((0, 1, 0), 0.3))
    option, camera, scene = mujoco.MjvOption(), mujoco.MjvCamera(), mujoco.MjvScene(model, 20)
    mujoco.mjv_updateScene(model, data, option, None, camera, 7, scene)
    blue = (0, 0, 1, 1)
    np.testing.assert_allclose(model.geom_rgba[[0, 2, 3]], [(*rgb, 1), blue, blue], atol=1e-6)


def test_without_vmax_the_colours_stay():
    text = world(chain(Cable.name, STIFF)).replace('<geom', '<geom rgba="0.1 0.2 0.3 1"')
    assert np.allclose(colours(text), (0.1, 0.2, 0.3, 1))


BRANCH = f'<body>{CAPSULE}<joint type="ball"/><plugin instance="cable"/></body></worldbody>'


@pytest.mark.parametrize(
    ('text', 'message'),
    [
        (
            world(chain(Cable.name, STIFF)).replace('</worldbody>', BRANCH),
            'bodies must form one chain: 6 must be a child of 5, but is a child of 0',
        ),
        (
            world(chain(Cable.name, STIFF)).replace('pos="0.2 0 0"', 'pos="0 0 0"'),
            'body 2 must not be at the position of its parent',
        ),
        (world(chain(Cable.name, {'bend': -1})), "bend must be a number at least 0, got '-1'"),
        (world(chain(Cable.name, {'flat': 1})), "flat must be true or false, got '1'"),
        (world(chain(Cable.name, STIFF, geoms=())), 'must act on at least one body'),
    ],
)
def test_what_cannot_work_is_an_error_of_the_compiler(text, message):
    with pytest.raises(
        ValueError, match=f"engine plugin {Cable.name}, instance 'cable': {message}"
    ):
        mujoco.MjModel.from_xml_string(text)
