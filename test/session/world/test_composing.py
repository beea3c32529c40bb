"""A spawn changes neither the world nor the entity, whatever settings both have."""

from __future__ import annotations

import random
from typing import Any

import mujoco
import numpy as np
import pytest

from mujoco_ros_py import mjcf
from mujoco_ros_py.errors import EntityError
from mujoco_ros_py.mjcf.schema import root
from mujoco_ros_py.mjcf.spec.settling import settled
from mujoco_ros_py.session import Session
from mujoco_ros_py.session.world.composition import Composition
from mujoco_ros_py.session.world.parts import take_options, unkept
from mujoco_ros_py.simulation import read_options

ROBOT = """
<mujoco model="robot">
  <compiler/>
  <default>
    <joint armature="0.01"/>
    <default class="shown"><geom contype="0" conaffinity="0" group="1" mass="0.2"/></default>
  </default>
  <asset>
    <mesh name="wedge" vertex="0 0 0  .2 0 0  0 .3 0  0 0 .4"/>
    <material name="blue" rgba="0 0 1 1"/>
  </asset>
  <worldbody>
    <body name="trunk" pos="1 2 3" euler="0.1 0.2 0.3">
      <freejoint name="free"/>
      <geom name="box" type="box" size=".1 .2 .3" euler="0.3 0 0.2"/>
      <geom name="fitted" type="box" mesh="wedge" pos="0 0 .4"/>
      <geom name="shown" class="shown" size=".05" pos="0 .3 0" material="blue"/>
      <body name="arm" pos="0 0 .5" axisangle="0 1 0 0.4">
        <joint name="elbow" axis="0 1 0" range="-0.5 0.7" ref="0.1"/>
        <geom name="arm" type="capsule" size=".03" fromto="0 0 0 0 0 .3" mass=".4"/>
        <site name="tip" pos="0 0 .3"/>
        <body name="hand" pos="0 0 .3"><geom name="hand" size=".04" mass="1e-3"/></body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <position name="servo" joint="elbow" kp="30" ctrlrange="-1 1"/>
    <muscle name="muscle" joint="elbow"/>
  </actuator>
  <sensor>
    <framepos name="tip" objtype="site" objname="tip"/>
    <subtreecom name="all" body="world"/>
  </sensor>
</mujoco>
"""
SETTINGS = {
    'autolimits': ['true'],
    'boundmass': ['0.3'],
    'boundinertia': ['0.02'],
    'settotalmass': ['7'],
    'balanceinertia': ['true'],
    'angle': ['radian', 'degree'],
    'fitaabb': ['true'],
    'eulerseq': ['zyx', 'XYZ'],
    'discardvisual': ['true'],
    'usethread': ['false'],
    'fusestatic': ['true'],
    'inertiafromgeom': ['true'],
    'alignfree': ['true'],
    'inertiagrouprange': ['0 0'],
    'saveinertial': ['true'],
}
"""Values of each setting of the compiler that are not those of a model without it."""
NOT_OF_NUMBERS = {
    'strippath', 'coordinate', 'meshdir', 'texturedir', 'assetdir', 'savecompiled',
    'savecanonical', 'conflict', 'passthrough',
}  # fmt: skip
"""The settings of files, of what MuJoCo writes, and of what it no longer reads."""
FIELDS = {
    'body': ('mass', 'inertia', 'ipos', 'iquat', 'pos', 'quat', 'dofnum', 'geomnum'),
    'geom': ('type', 'size', 'pos', 'quat', 'group', 'contype', 'rgba'),
    'jnt': ('type', 'range', 'limited', 'pos', 'axis', 'stiffness'),
    'actuator': ('gainprm', 'biasprm', 'ctrlrange', 'lengthrange'),
    'sensor': ('type', 'objtype', 'dim', 'cutoff', 'noise'),
    'site': ('type', 'size', 'pos', 'quat'),
}
COUNTS = {
    'body': 'nbody',
    'geom': 'ngeom',
    'jnt': 'njnt',
    'actuator': 'nu',
    'sensor': 'nsensor',
    'site': 'nsite',
}
IMPLICITFAST = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
CUBE = """
<mujoco model="cube">
  <worldbody>
    <body name="base"><freejoint name="free"/><geom name="ball" size="0.1"/></body>
  </worldbody>
</mujoco>
"""


def beside(world: str, *entities: str) -> mujoco.MjModel:
    """Composes a world with entities called one, two and so on, as a session does."""
    made = Composition(settled(mjcf.from_xml_string(world)))
    for text, name in zip(entities, ('one', 'two'), strict=False):
        model = mjcf.from_xml_string(text)
        take_options(model)
        made.attach(name, settled(model), (None, None))
    return made.compile()


def part_of(model: mujoco.MjModel, prefix: str) -> dict[str, np.ndarray]:
    """Returns the numbers of the elements with this prefix; '' for names without a prefix."""
    found = {}
    for kind, fields in FIELDS.items():
        count = getattr(model, COUNTS[kind])
        names = [getattr(model, kind)(index).name for index in range(count)]
        mine = [
            k
            for k, name in enumerate(names)
            if name.rpartition('/')[0] == prefix[:-1] and name != 'world'
        ]
        for field in fields:
            found[f'{kind}_{field}'] = getattr(model, f'{kind}_{field}')[mine]
        found[f'{kind}_names'] = np.array([names[index].removeprefix(prefix) for index in mine])
    return found


def assert_same(ours: dict[str, np.ndarray], other: dict[str, np.ndarray], tolerance: float = 0):
    for name, values in ours.items():
        if values.dtype.kind == 'f':
            np.testing.assert_allclose(other[name], values, rtol=0, atol=tolerance, err_msg=name)
        else:
            assert other[name].tolist() == values.tolist(), name


def with_setting(key: str, value: str) -> str:
    """Returns the robot with a setting; with `angle="degree"`, its numbers are small angles."""
    return ROBOT.replace('<compiler/>', f'<compiler angle="radian" {key}="{value}"/>').replace(
        f'angle="radian" angle="{value}"', f'angle="{value}"'
    )


def test_every_setting_of_the_compiler_is_in_the_table():
    known = set(root().children['compiler'].attributes)
    assert known == SETTINGS.keys() | NOT_OF_NUMBERS


@pytest.mark.slow
@pytest.mark.parametrize(
    ('key', 'value'), [(key, value) for key, values in SETTINGS.items() for value in values]
)
def test_a_setting_of_the_compiler_holds_for_its_own_model_alone(key, value):
    with_it, without = (
        with_setting(key, value),
        ROBOT.replace('<compiler/>', '<compiler angle="radian"/>'),
    )
    alone = {
        text: part_of(mujoco.MjModel.from_xml_string(text), '') for text in (with_it, without)
    }
    for world, entity in ((with_it, without), (without, with_it), (with_it, with_it)):
        model = beside(world, entity, CUBE)
        rounding = 1e-14 if key in ('fitaabb', 'discardvisual', 'fusestatic', 'eulerseq') else 0
        assert_same(alone[world], part_of(model, ''), rounding)
        assert_same(alone[entity], part_of(model, 'one/'), rounding)
        assert model.body('two/base').mass == pytest.approx(1000 * 4 / 3 * np.pi * 0.1**3)


def generated(drawn: random.Random) -> str:
    """Returns the robot with settings of the compiler, numbers and defaults drawn by chance."""
    chosen = drawn.sample(sorted(SETTINGS), drawn.randint(0, 4))
    if 'inertiafromgeom' in chosen:  # MuJoCo refuses both in a model
        chosen = [key for key in chosen if key != 'discardvisual']
    settings = {'angle': 'radian', **{key: drawn.choice(SETTINGS[key]) for key in chosen}}
    text = ROBOT.replace(
        '<compiler/>', f'<compiler {" ".join(f"{k}={v!r}" for k, v in settings.items())}/>'
    )
    for number in ('0.2', '0.3', '0.4', '0.5', '0.7', '30', '.03'):
        if drawn.random() < 0.5:
            text = text.replace(f'{number} ', f'{float(number) * drawn.uniform(0.5, 1.5)!r} ')
    defaults = f'<joint armature="{drawn.random()!r}" damping="{drawn.random()!r}"/>'
    return text.replace('<joint armature="0.01"/>', defaults)


@pytest.mark.parametrize(
    'seed', [*range(4), *(pytest.param(k, marks=pytest.mark.nightly) for k in range(4, 300))]
)
def test_of_any_two_models_each_is_beside_the_other_as_alone(seed):
    drawn = random.Random(seed)
    world, entity = generated(drawn), generated(drawn)
    made = beside(world, entity, CUBE)
    for text, prefix in ((world, ''), (entity, 'one/'), (CUBE, 'two/')):
        alone = part_of(mujoco.MjModel.from_xml_string(text), '')
        assert_same(alone, part_of(made, prefix), 1e-14)


@pytest.mark.parametrize(
    'seed', [*range(4), *(pytest.param(k, marks=pytest.mark.nightly) for k in range(4, 300))]
)
def test_a_session_and_the_object_model_compose_two_models_alike(seed):
    drawn = random.Random(seed)
    world, entity = generated(drawn), generated(drawn)
    made = beside(world, entity)
    root, part = (mjcf.settled(mjcf.from_xml_string(text)) for text in (world, entity))
    part.model = 'one'
    root.attach(part, extra_body=False)
    attached = mujoco.MjModel.from_xml_string(root.to_xml_string(), root.get_assets())
    for prefix in ('', 'one/'):
        assert_same(part_of(made, prefix), part_of(attached, prefix))
    for name in ('timestep', 'integrator', 'gravity', 'disableflags', 'enableflags', 'o_solimp'):
        np.testing.assert_array_equal(getattr(attached.opt, name), getattr(made.opt, name))


def other_than_usual(attribute) -> str:
    """Returns a value of an attribute that is not its default."""
    if attribute.keywords:
        return next(each for each in attribute.keywords if each != attribute.default)
    usual = (attribute.default or ('0 0 0' if attribute.name == 'center' else '0')).split()
    values = map(float, usual)
    grown = [number + 1 if attribute.kind == 'int' else number * 1.5 + 0.125 for number in values]
    return ' '.join(f'{number:g}' for number in grown)


def settings_of(section: str) -> list[tuple[str, str, str]]:
    """Returns (tag of the child or '', attribute, value) for all that a section can set."""
    spec = root().children[section]
    own = [('', each) for each in spec.attributes.values()]
    below = [
        (tag, each) for tag, child in spec.children.items() for each in child.attributes.values()
    ]
    return [(tag, each.name, other_than_usual(each)) for tag, each in (*own, *below)]


def with_section(section: str, tag: str, key: str, value: str) -> str:
    inner = f'<{tag} {key}="{value}"/>' if tag else ''
    own = '' if tag else f' {key}="{value}"'
    if key == 'ipc':
        own = ' integrator="discrete"'  # which it needs, and in MuJoCo 3 the solver too
        own += ' solver="CG"' if mujoco.__version__.startswith('3.') else ''
    return CUBE.replace('<worldbody>', f'<{section}{own}>{inner}</{section}><worldbody>')


@pytest.mark.parametrize(('tag', 'key', 'value'), settings_of('option'))
def test_an_option_that_the_world_has_otherwise_is_in_the_answer(tag, key, value):
    model = mjcf.from_xml_string(with_section('option', tag, key, value))
    options = take_options(model)
    made = Composition(settled(mjcf.from_xml_string(ROBOT)))
    made.attach('one', settled(model), (None, None))
    *_, told = unkept(options, read_options(made.compile()))
    assert told.startswith(f'option {tag} {key}=' if tag else f'option {key}=')
    alike = mjcf.from_xml_string(with_section('option', tag, key, value))
    assert unkept(options, read_options(Composition(settled(alike)).compile())) == ()
    before, after = mujoco.MjModel.from_xml_string(ROBOT).opt, made.compile().opt
    for name in ('timestep', 'integrator', 'disableflags', 'enableflags', 'gravity', 'o_solimp'):
        assert np.array_equal(getattr(after, name), getattr(before, name)), name


def test_what_cannot_be_kept_is_told_with_both_values_and_refused_by_a_parameter():
    stiff = CUBE.replace('<worldbody>', '<option integrator="implicitfast"/><worldbody>')
    told = 'option integrator=implicitfast is not kept: the world has Euler'
    with Session(mujoco_xml=ROBOT) as session:
        assert session.spawn(stiff).unkept == (told,)
        assert session.spawn(CUBE, 'other').unkept == ()
        session.call(lambda model, data: setattr(model.opt, 'integrator', IMPLICITFAST))
        assert session.spawn(stiff, 'third').unkept == (), 'the world runs with it by now'
        (found,) = session.spawn(stiff.replace('implicitfast', 'Euler'), 'fourth').unkept
        assert found == 'option integrator=Euler is not kept: the world has implicitfast'
    with Session(mujoco_xml=ROBOT, strict_options=True) as session:
        with pytest.raises(EntityError, match=told):
            session.spawn(stiff)
        assert [each.name for each in session.entities] == ['trunk']


def numbers(struct: Any) -> dict[str, Any]:
    """Returns all numbers of a struct of a model, also of the structs in it, by their names."""
    found: dict[str, Any] = {}
    for name in dir(struct):
        value = getattr(struct, name)
        if not name.startswith('_') and not callable(value):
            plain = isinstance(value, (int, float, np.ndarray))
            found[name] = np.array(value) if plain else numbers(value)
    return found


@pytest.mark.parametrize('section', ['option', 'visual', 'statistic'])
def test_what_a_world_says_of_itself_stays_when_others_come(section):
    held = {'option': 'opt', 'visual': 'vis', 'statistic': 'stat'}[section]
    for tag, key, value in settings_of(section):
        world = with_section(section, tag, key, value)
        alone, made = (
            getattr(model, held)
            for model in (mujoco.MjModel.from_xml_string(world), beside(world, ROBOT))
        )
        before, after = numbers(alone), numbers(made)
        if section == 'statistic':  # MuJoCo computes the others from all bodies
            before, after = before[key], after[key]
        assert repr(before) == repr(after), (tag, key)


def test_a_range_of_lengths_of_its_own_compiler_stays_that_of_each_model():
    rule = (
        '<compiler angle="radian"><lengthrange mode="all" tolrange="0.2" interval="3"/></compiler>'
    )
    with_it = ROBOT.replace('<compiler/>', rule)
    without = ROBOT.replace('<compiler/>', '<compiler angle="radian"/>')
    alone = {
        text: part_of(mujoco.MjModel.from_xml_string(text), '') for text in (with_it, without)
    }
    key = 'actuator_lengthrange'
    assert not np.array_equal(alone[with_it][key], alone[without][key])
    for world, entity in ((with_it, without), (without, with_it)):
        model = beside(world, entity)
        assert_same(alone[world], part_of(model, ''))
        assert_same(alone[entity], part_of(model, 'one/'))


@pytest.mark.parametrize('section', ['statistic', 'visual'])
def test_what_a_world_looks_like_is_its_own_affair(section):
    made = mjcf.from_xml_string(CUBE)
    for tag, key, value in settings_of(section):
        element = made.get_children(section)
        (element.get_children(tag) if tag else element).set_attributes(**{key: value})
    before, after = beside(ROBOT, CUBE), beside(ROBOT, made.to_xml_string())
    assert str(after.stat) == str(before.stat)
    for part in ('global_', 'quality', 'headlight', 'map', 'scale', 'rgba'):
        assert str(getattr(after.vis, part)) == str(getattr(before.vis, part))


@pytest.mark.parametrize(('tag', 'key', 'value'), settings_of('size'))
def test_a_world_has_the_larger_size_of_two(tag, key, value):
    if key in ('nkey', 'nuserdata', 'njmax', 'nconmax', 'nstack'):
        pytest.skip(
            'the keyframes are those of the world; the others limit what is one memory now'
        )
    value = '300M' if key == 'memory' else value if int(value) > 0 else '2'
    with_size = with_section('size', tag, key, value)
    wanted = mujoco.MjModel.from_xml_string(with_size)
    made = beside(ROBOT, with_size)
    field = 'narena' if key == 'memory' else key
    assert getattr(made, field) == getattr(wanted, field)


def test_masses_stay_to_the_last_bit_where_the_world_sets_the_total():
    world = ROBOT.replace('<compiler/>', '<compiler angle="radian" settotalmass="10"/>')
    crate = CUBE.replace('size="0.1"', 'size="0.1" mass="30"')
    with Session(mujoco_xml=world) as session:
        before = session.snapshot().model
        session.spawn(crate, 'crate', position=[2, 0, 0])
        after = session.snapshot().model
        assert after.body_mass[: before.nbody].tolist() == before.body_mass.tolist()
        assert after.body_inertia[: before.nbody].tolist() == before.body_inertia.tolist()
        assert after.body_mass[-1] == 30
    with Session() as session:
        session.spawn(world, 'robot')
        assert session.snapshot().model.body_subtreemass[0] == pytest.approx(10, rel=1e-12)


@pytest.mark.parametrize('other', ['', '<body><joint/><geom size=".1"/></body>'])
def test_what_an_entity_fuses_into_its_world_is_placed_with_it(other):
    lamp = f"""<mujoco model="lamp"><compiler fusestatic="true"/><worldbody>
      <body name="stand" pos="0 0 3"><geom name="stand" size=".1"/>
      <body name="arm" pos="0 0 1"><joint/><geom size=".1"/></body>{other}</body>
      </worldbody></mujoco>"""
    with Session() as session:
        entity = session.spawn(lamp, position=[5, 0, 0])
        data = session.snapshot().data
        assert data.geom('lamp/stand').xpos.tolist() == [5, 0, 3]
        assert data.body('lamp/arm').xpos.tolist() == [5, 0, 4]
        assert data.body(entity.body).xpos.tolist() == [5, 0, 0]
        session.delete('lamp')
        assert session.snapshot().model.ngeom == 0


CLOTH = """
<mujoco>
  <worldbody>
    <flexcomp name="cloth" type="grid" dim="2" count="4 3 1" spacing=".05 .05 1" mass=".09"
      radius=".002" pos="0 0 2">
      <contact selfcollide="none"/><edge equality="true"/><pin id="0 1 2"/>
    </flexcomp>
  </worldbody>
</mujoco>
"""


def test_a_cloth_that_is_pinned_to_its_world_is_not_torn():
    cloth = CLOTH.replace('pos="0 0 2"', '')
    with Session() as session:
        session.spawn(cloth, 'cloth', position=[0, 0, 2])
        session.call(mujoco.mj_forward)
        snapshot = session.snapshot()
        snapshot.update()
        assert snapshot.data.flexvert_xpos[:, 2].tolist() == [2.0] * 12
        length = snapshot.model.flexedge_length0
        assert snapshot.data.flexedge_length == pytest.approx(length, rel=1e-6)


def test_a_pinned_cloth_of_the_world_hangs_where_it_is_when_others_come():
    with Session(mujoco_xml=CLOTH) as session, Session(mujoco_xml=CLOTH) as alone:
        for each in (session, alone):
            each.step(20)
        session.spawn(CUBE, position=[5, 0, 5])
        session.spawn(CLOTH, 'other', position=[0, 9, 0])
        for each in (session, alone):
            each.step(20)
        hanging, other = (each.snapshot() for each in (session, alone))
        places = hanging.data.flexvert_xpos
        np.testing.assert_allclose(places[:12], other.data.flexvert_xpos, rtol=0, atol=1e-9)
        assert places[12:, 1].min() > 8.5


def test_bodies_with_engine_plugins_of_their_own_come_and_let_others_come():
    cable = """<mujoco><extension><plugin plugin="mujoco_ros_py.cable"/></extension><worldbody>
      <body name="b"><joint type="ball"/><geom type="capsule" size=".01" fromto="0 0 0 .1 0 0"/>
      <plugin plugin="mujoco_ros_py.cable"><config key="bend" value="1e6"/></plugin></body>
      </worldbody></mujoco>"""
    with Session(mujoco_xml=cable) as session:
        session.spawn(cable, 'other')
        session.spawn(CUBE)
        model = session.snapshot().model
        assert (model.nplugin, model.body_plugin.tolist()) == (2, [-1, 0, 1, -1])
        session.step(5)


GRASP = """
<mujoco model="grasp">
  <extension>
    <plugin plugin="mujoco_ros_py.torus"/>
    <plugin plugin="mujoco_ros_py.pid"/>
    <plugin plugin="mujoco_ros_py.touch_grid"/>
  </extension>
  <asset>
    <mesh name="ring">
      <plugin plugin="mujoco_ros_py.torus"><config key="radius1" value="0.3"/></plugin>
    </mesh>
  </asset>
  <worldbody>
    <body name="ring" pos="0 0 1">
      <joint name="turn" axis="1 0 0"/>
      <geom type="sdf" mesh="ring">
        <plugin plugin="mujoco_ros_py.torus"><config key="radius1" value="0.3"/></plugin>
      </geom>
      <site name="skin"/>
    </body>
  </worldbody>
  <actuator>
    <plugin plugin="mujoco_ros_py.pid" joint="turn"><config key="kp" value="3"/></plugin>
  </actuator>
  <sensor>
    <plugin plugin="mujoco_ros_py.touch_grid" objtype="site" objname="skin">
      <config key="size" value="2 2"/><config key="fov" value="30 30"/>
    </plugin>
  </sensor>
</mujoco>
"""


@pytest.mark.slow
def test_geoms_actuators_and_sensors_have_engine_plugins_of_their_own_beside_others():
    def forces(session: Session, count: int) -> list[float]:
        def step(model: mujoco.MjModel, data: mujoco.MjData) -> list[float]:
            data.ctrl[:] = 0.5
            mujoco.mj_forward(model, data)
            return [float(each) for each in data.actuator_force]

        session.step(3)
        found = session.call(step)
        assert len(found) == count
        return found

    with Session(mujoco_xml=GRASP) as session:
        (alone,) = forces(session, 1)
        assert alone == pytest.approx(1.5)
    with Session(mujoco_xml=GRASP) as session:
        session.spawn(GRASP, 'other', position=[5, 0, 0])
        session.spawn(CUBE, position=[0, 5, 0])
        assert forces(session, 2) == pytest.approx([alone, alone])
        model = session.snapshot().model
        assert (model.nplugin, model.nsensordata) == (8, 8)
        session.delete('other')
        assert forces(session, 1) == pytest.approx([alone], rel=1e-4), 'it has turned'


def test_sensors_of_the_world_and_the_memory_of_an_entity_are_kept():
    world = """<mujoco><worldbody><body name="b"><freejoint/><geom size=".1"/></body></worldbody>
      <sensor><subtreecom name="com" body="world"/><contact name="touch" subtree1="world"/>
      </sensor></mujoco>"""
    with Session(mujoco_xml=world) as session:
        session.spawn(CUBE.replace('<worldbody>', '<size memory="200M"/><worldbody>'))
        model = session.snapshot().model
        assert [model.sensor(k).name for k in range(model.nsensor)] == ['com', 'touch']
        assert model.narena == 200 * 2**20
