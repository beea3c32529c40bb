"""Entities are spawned and deleted in a running session, with everything that belongs to them."""

from __future__ import annotations

import io
import zipfile

import mujoco
import numpy as np
import pytest

from mujoco_ros_py import mjcf
from mujoco_ros_py.errors import ConfigError, EntityError, ModelError, PluginError, SpawnFault
from mujoco_ros_py.plugins import MujocoPlugin
from mujoco_ros_py.session import Session

WORLD = """
<mujoco>
  <worldbody>
    <geom type="plane" size="50 50 .1"/>
    <body name="pendulum" pos="0 0 3">
      <joint name="hinge" axis="0 1 0"/><geom size="0.1" pos="0.3 0 0"/>
    </body>
  </worldbody>
  <actuator><motor name="motor" joint="hinge"/></actuator>
</mujoco>
"""
CUBE = """
<mujoco model="cube">
  <worldbody><body><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody>
</mujoco>
"""
ARM = """
<mujoco model="arm">
  <compiler angle="degree"/>
  <default><default class="link"><geom type="capsule" size=".03" mass="1"/></default></default>
  <asset>
    <texture name="red" type="2d" builtin="flat" rgb1="1 0 0" width="4" height="4"/>
    <material name="paint" texture="red"/>
    <mesh name="wedge" vertex="0 0 0 .1 0 0 0 .1 0 0 0 .1"/>
  </asset>
  <worldbody>
    <light pos="0 0 3"/>
    <body name="upper" euler="0 0 90">
      <joint name="shoulder" axis="0 1 0" range="-90 90"/>
      <geom class="link" fromto="0 0 0 .3 0 0" material="paint"/>
      <body name="lower" pos=".3 0 0">
        <joint name="elbow" axis="0 1 0"/>
        <geom class="link" fromto="0 0 0 .3 0 0"/>
        <geom type="mesh" mesh="wedge"/>
        <site name="hand" pos=".3 0 0"/>
      </body>
    </body>
  </worldbody>
  <contact><exclude body1="upper" body2="lower"/></contact>
  <tendon><fixed name="both"><joint joint="shoulder" coef="1"/></fixed></tendon>
  <equality><joint name="coupled" joint1="shoulder" joint2="elbow" active="false"/></equality>
  <actuator><position name="drive" joint="shoulder" kp="10"/></actuator>
  <sensor><jointpos name="angle" joint="elbow"/></sensor>
  <keyframe><key name="home" qpos="0 1"/></keyframe>
</mujoco>
"""


@pytest.fixture
def session():
    with Session(mujoco_xml=WORLD) as session:
        session.step(10)
        yield session


def data(session: Session) -> mujoco.MjData:
    snapshot = session.snapshot()
    snapshot.update()
    return snapshot.data


def names(session: Session) -> list[str]:
    return [entity.name for entity in session.entities]


class Told(MujocoPlugin):
    """Records its calls."""

    def load(self, model, data):
        self.body = data.body(f'{self.environment.prefix}upper').xpos.copy()
        self.unloaded = False

    def unload(self):
        self.unloaded = True


def test_a_spawned_body_is_at_its_pose_and_falls(session):
    entity = session.spawn(CUBE, 'red', position=[1, 2, 5], orientation=[0, 0, 0, 2])
    assert (entity.name, entity.body, entity.spawned) == ('red', 'red/base', True)
    there = data(session).body('red/base')
    assert there.xpos.tolist() == [1, 2, 5]
    assert there.xquat.tolist() == [0, 0, 0, 1]
    session.step(100)
    assert data(session).body('red/base').xpos[2] == pytest.approx(5 - 9.81 / 2 * 0.2**2, abs=3e-3)
    session.reset()
    assert data(session).body('red/base').xpos.tolist() == [1, 2, 5]


def test_what_was_there_goes_on_as_without_the_entity(session):
    with Session(mujoco_xml=WORLD) as alone:
        alone.step(10)
        session.spawn(CUBE, position=[5, 0, 9])
        session.spawn(ARM, position=[-5, 0, 9])
        for each in (session, alone):
            each.step(100)
        session.delete('cube')
        for each in (session, alone):
            each.step(100)
        there = session.snapshot().data.joint('hinge')
        here = alone.snapshot().data.joint('hinge')
        assert (there.qpos, there.qvel) == (here.qpos, here.qvel)
        assert session.time == alone.time


def test_all_of_a_robot_has_the_prefix_of_its_name_and_goes_with_it(session):
    session.spawn(ARM, 'left', position=[2, 0, 1])
    session.spawn(ARM, 'right', position=[2, 2, 1])
    model = session.snapshot().model
    assert model.joint('left/elbow').id != model.joint('right/elbow').id
    assert model.joint('left/shoulder').range == pytest.approx([-np.pi / 2, np.pi / 2])
    assert model.actuator('right/drive').id == 2
    assert model.nkey == 0
    session.delete('left')
    session.delete('right')
    kinds = ('nbody', 'ngeom', 'njnt', 'nu', 'nsensor', 'nsite', 'ntendon', 'neq', 'nexclude')
    assets = ('nmat', 'ntex', 'nmesh', 'nlight')
    before, after = mujoco.MjModel.from_xml_string(WORLD), session.snapshot().model
    for size in (*kinds, *assets):
        assert getattr(after, size) == getattr(before, size), size
    session.spawn(ARM, 'left')
    assert session.snapshot().model.nmat == 1


def test_a_pose_that_is_not_given_is_that_of_the_model(session):
    session.spawn(CUBE.replace('<body>', '<body pos="1 2 3" euler="0 0 180">'))
    assert data(session).body('cube/base').xpos.tolist() == [1, 2, 3]
    assert np.abs(data(session).body('cube/base').xquat) == pytest.approx([0, 0, 0, 1])


def test_a_given_pose_counts_also_below_frames_and_for_other_forms_of_orientation(session):
    framed = CUBE.replace('<body>', '<frame pos="9 9 9" euler="90 0 0"><body zaxis="1 0 0">')
    session.spawn(framed.replace('</body>', '</body></frame>'), position=[1, 2, 3])
    session.spawn(framed.replace('</body>', '</body></frame>'), 'turned', orientation=[1, 0, 0, 0])
    assert data(session).body('cube/base').xpos.tolist() == [1, 2, 3]
    assert data(session).body('turned/base').xquat.tolist() == [1, 0, 0, 0]
    alone = mujoco.MjModel.from_xml_string(framed.replace('</body>', '</body></frame>'))
    assert data(session).body('cube/base').xquat == pytest.approx(alone.body(1).quat)
    assert data(session).body('turned/base').xpos == pytest.approx(alone.body(1).pos)


def test_the_files_of_an_expanded_model_are_found_from_the_working_folder(
    session, tmp_path, monkeypatch
):
    (tmp_path / 'models').mkdir()
    (tmp_path / 'models/rock.obj').write_text(
        'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n'
    )
    (tmp_path / 'models/rocks.xml').write_text("""
<mujoco model="rocks">
  <compiler angle="degree"/>
  <asset><mesh name="rock" file="rock.obj"/></asset>
  <worldbody>
    <body name="rocks">
      <replicate count="3" euler="0 0 30"><geom type="mesh" mesh="rock"/></replicate>
    </body>
  </worldbody>
</mujoco>
""")
    monkeypatch.chdir(tmp_path)
    session.spawn('models/rocks.xml')
    assert session.snapshot().model.mesh_vertnum.tolist() == [4]


def test_several_bodies_and_geoms_of_a_world_become_one_body(session):
    table = """<mujoco model="table"><worldbody><geom type="box" size="1 1 .1"/>
      <body name="drawer" pos="0 1 0"><joint type="slide"/><geom size=".1"/></body>
      <body name="base"><geom size=".1"/></body></worldbody></mujoco>"""
    entity = session.spawn(table, position=[0, 5, 1])
    assert entity.body == 'table/base_1'
    assert data(session).body('table/drawer').xpos.tolist() == [0, 6, 1]
    session.delete('table')
    assert session.snapshot().model.nbody == 2


@pytest.mark.parametrize(
    'inside',
    [
        '<geom size="1"/>',
        '<body name="other"><freejoint/><geom size="1"/></body>',
        '<replicate count="2"><body><freejoint/><geom size="1"/></body></replicate>',
    ],
)
def test_a_free_body_beside_something_else_is_refused(session, inside):
    with pytest.raises(EntityError, match='an entity must be one top-level body') as caught:
        session.spawn(CUBE.replace('<worldbody>', f'<worldbody>{inside}'))
    assert caught.value.fault is SpawnFault.PARSE_ERROR
    session.spawn(CUBE)
    assert names(session) == ['pendulum', 'cube']


def test_free_bodies_that_are_copied_several_times_are_refused(session):
    dice = '<replicate count="2"><body><freejoint/><geom size="1"/></body></replicate>'
    text = f'<replicate count="2"><frame>{dice}</frame></replicate><geom size="1"/>'
    with pytest.raises(EntityError, match='the body without a name moves freely'):
        session.spawn(f'<mujoco model="dice"><worldbody>{text}</worldbody></mujoco>')


def test_names_are_unique_unless_a_number_may_be_added(session):
    session.spawn(CUBE)
    for name in ('cube', 'pendulum'):
        with pytest.raises(EntityError, match=f"the name '{name}' is taken") as caught:
            session.spawn(CUBE, name)
        assert caught.value.fault is SpawnFault.NAME_NOT_UNIQUE
    made = [session.spawn(CUBE, name, renaming=True).name for name in ('', 'cube', 'pendulum')]
    assert made == ['cube_1', 'cube_2', 'pendulum_1']


@pytest.mark.parametrize(
    ('wrong', 'fault'),
    [
        ({'name': 'a/b'}, SpawnFault.NAME_INVALID),
        ({'name': ' a'}, SpawnFault.NAME_INVALID),
        ({'name': 'a\n'}, SpawnFault.NAME_INVALID),
        ({'name': 'a' * 256}, SpawnFault.NAME_INVALID),
        ({'namespace': '1st'}, SpawnFault.NAMESPACE_INVALID),
        ({'namespace': 'a b'}, SpawnFault.NAMESPACE_INVALID),
        ({'position': [0, 0, float('nan')]}, SpawnFault.INVALID_POSE),
        ({'position': [0, 0]}, SpawnFault.INVALID_POSE),
        ({'orientation': [0, 0, 0, 0]}, SpawnFault.INVALID_POSE),
        ({'orientation': [float('inf'), 0, 0, 0]}, SpawnFault.INVALID_POSE),
        ({'model': '/no/such/file.xml'}, SpawnFault.NO_RESOURCE),
        ({'model': '<mujoco/>'}, SpawnFault.PARSE_ERROR),
    ],
)
def test_what_cannot_be_spawned_is_refused_and_the_world_goes_on(session, wrong, fault):
    with pytest.raises(EntityError) as caught:
        session.spawn(**{'model': CUBE, **wrong})
    assert caught.value.fault is fault
    session.step(5)
    assert names(session) == ['pendulum']


def test_a_model_that_does_not_compile_leaves_the_world_as_it_is(session):
    with pytest.raises(ModelError, match='bad'):
        session.spawn('<mujoco><worldbody><bad/></worldbody></mujoco>')
    narrow = WORLD.replace('<worldbody>', '<size nuser_geom="1"/><worldbody>', 1)
    with Session(mujoco_xml=narrow) as other:
        with pytest.raises(ModelError, match='the world does not compile'):
            other.spawn(CUBE.replace('type="box"', 'type="box" user="1 2 3"'), 'x')
        other.spawn(CUBE, 'z')
        assert names(other) == ['pendulum', 'z']


def test_a_compiled_model_is_no_entity(session):
    with pytest.raises(EntityError, match='a compiled model cannot be composed'):
        session.spawn(mujoco.MjModel.from_xml_string(CUBE))
    with Session(mujoco.MjModel.from_xml_string(WORLD)) as compiled:
        with pytest.raises(EntityError, match='a compiled model cannot be composed'):
            compiled.spawn(CUBE)
        compiled.step(1)


def test_entities_come_from_files_archives_specs_and_elements(session, tmp_path):
    (tmp_path / 'cube.xml').write_text(CUBE)
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, 'w') as file:
        file.writestr('robot/cube.xml', CUBE.replace('model="cube"', ''))
    (tmp_path / 'packed.zip').write_bytes(archive.getvalue())
    models = (
        tmp_path / 'cube.xml',
        str(tmp_path / 'packed.zip'),
        mujoco.MjSpec.from_string(CUBE),
        mjcf.from_xml_string(CUBE),
        'package://mujoco_ros_py/examples/pendulum.xml',
    )
    made = [session.spawn(model, renaming=True).name for model in models]
    assert made == ['cube', 'packed', 'cube_1', 'cube_2', 'pendulum_1']
    session.delete(*made)
    assert names(session) == ['pendulum']


def test_a_urdf_is_spawned_with_all_its_links(session):
    urdf = """<robot name="two"><link name="base"/><link name="tip">
      <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>
      </inertial></link><joint name="turn" type="continuous">
      <parent link="base"/><child link="tip"/>
      <axis xyz="0 0 1"/></joint></robot>"""
    entity = session.spawn(urdf, position=[0, 0, 1])
    assert entity.name == 'two'
    assert session.snapshot().model.joint('two/turn').type == mujoco.mjtJoint.mjJNT_HINGE


def test_an_entity_has_joints_if_its_own_model_has_hinges(session):
    entities = [session.spawn(model, renaming=True) for model in (CUBE, ARM, CUBE)]
    assert [entity.has_joints for entity in entities] == [False, True, False]


def test_a_robot_brings_its_plugins_and_takes_them_with_it(session):
    entity = session.spawn(ARM, 'left', position=[1, 2, 3], plugins=[Told])
    assert entity.namespace == 'left'
    (plugin,) = session.plugins.values()
    assert plugin.name == 'left/told'
    assert plugin.environment.namespace == 'left'
    assert plugin.body.tolist() == [1, 2, 3]
    session.spawn(ARM, 'right', plugins=[{'type': Told, 'name': 'mine'}], namespace='far/away')
    assert list(session.plugins) == ['left/told', 'far/away/mine']
    session.delete('left')
    assert list(session.plugins) == ['far/away/mine']
    assert plugin.unloaded


def test_plugins_that_cannot_be_read_are_refused(session):
    with pytest.raises(ConfigError):
        session.spawn(ARM, plugins='/no/such/plugins.yaml')
    assert names(session) == ['pendulum']


def test_with_strict_a_plugin_that_refuses_keeps_the_robot_out():
    class Refuses(MujocoPlugin):
        def load(self, model, data):
            return False

    with Session(mujoco_xml=WORLD, strict=True) as session:
        with pytest.raises(PluginError, match='left/refuses: refused to load'):
            session.spawn(ARM, 'left', plugins=[Refuses])
        assert names(session) == ['pendulum']
        session.spawn(ARM, 'left')
        assert session.snapshot().model.nbody == 4


def test_after_a_spawn_that_failed_the_world_is_composed_anew_with_what_was_there():
    class Refuses(MujocoPlugin):
        def load(self, model, data):
            return False

    with Session(mujoco_xml=WORLD, strict=True) as session:
        session.spawn(CUBE, position=[1, 2, 3])
        session.delete('pendulum')
        with pytest.raises(PluginError, match='refused to load'):
            session.spawn(ARM, 'left', plugins=[Refuses])
        session.spawn(ARM, 'left')
        assert names(session) == ['cube', 'left']
        model = session.snapshot().model
        assert model.nbody == 4
        assert model.body('cube/base').pos.tolist() == [1, 2, 3]


def test_a_body_of_the_model_can_be_deleted_and_a_reload_brings_it_back(session):
    session.spawn(CUBE)
    session.delete('pendulum')
    assert names(session) == ['cube']
    assert session.snapshot().model.nu == 0
    session.reload()
    assert names(session) == ['pendulum']
    assert session.snapshot().model.nbody == 2


def test_deleting_what_is_not_there_names_what_is_and_deletes_nothing(session):
    session.spawn(CUBE)
    with pytest.raises(EntityError, match=r"unknown entity 'cub'.*cube") as caught:
        session.delete('cube', 'cub')
    assert caught.value.fault is SpawnFault.NOT_FOUND
    assert names(session) == ['pendulum', 'cube']
    session.delete('cube', 'cube')
    assert names(session) == ['pendulum']


def test_a_world_whose_files_have_changed_since_the_load_must_be_reloaded_first(tmp_path):
    path = tmp_path / 'world.xml'
    path.write_text(WORLD)
    with Session(path) as session:
        path.write_text(WORLD.replace('0.3 0 0', '0.4 0 0'))
        with pytest.raises(EntityError, match='have changed since the model was loaded'):
            session.spawn(CUBE)
        session.reload()
        session.spawn(CUBE)
        path.unlink()
        session.spawn(CUBE, renaming=True)
        assert names(session) == ['pendulum', 'cube', 'cube_1']


def test_there_is_a_limit_of_entities(session, monkeypatch):
    monkeypatch.setattr('mujoco_ros_py.session.world.world.MAX_ENTITIES', 2)
    session.spawn(CUBE, renaming=True)
    session.spawn(CUBE, renaming=True)
    with pytest.raises(EntityError, match='at most 2 spawned entities, got 2 existing'):
        session.spawn(CUBE, renaming=True)
    session.delete('cube')
    session.spawn(CUBE, renaming=True)


@pytest.mark.slow
def test_all_spawned_models_together_have_a_limit_of_memory():
    height_field = '<asset><hfield name="hills" nrow="1000" ncol="2000" size="1 1 1 1"/></asset>'
    hills = CUBE.replace('<worldbody>', f'{height_field}<worldbody>').replace(
        'type="box" size=".1 .1 .1"', 'type="hfield" hfield="hills" mass="1"'
    )
    # The limit holds for the trial of a model too, and that of these hills takes up to 60 MiB.
    with Session(mujoco_xml=WORLD, model_guard=True, model_memory_limit=96) as session:
        for _ in range(12):
            session.spawn(hills, renaming=True)
        with pytest.raises(EntityError, match=r'can take 96 MiB .* got 92 MiB .* 8 MiB'):
            session.spawn(hills, renaming=True)
        assert len(session.entities) == 13
        session.delete('cube')
        session.spawn(hills)


def test_a_pose_that_the_caller_changes_later_is_that_of_the_request():
    position, orientation = [1.0, 2.0, 3.0], np.array([1.0, 0.0, 0.0, 1.0])
    with Session(mujoco.MjSpec.from_string(WORLD)) as session:
        session.spawn(CUBE, 'first', position=position, orientation=orientation)
        position[:], orientation[:] = [9.0, 9.0, 9.0], [1.0, 0.0, 0.0, 0.0]
        for _ in range(40):  # after some of them the world is composed from scratch
            session.spawn(CUBE, 'other')
            session.delete('other')
        session.spawn(CUBE, 'second')
        body = session.call(lambda model, data: model.body('first/base'))
        assert body.pos.tolist() == [1.0, 2.0, 3.0]
        assert body.quat == pytest.approx([np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)])


@pytest.mark.parametrize('position', [[1.0, 2.0], [0, 0, np.nan], 'abc', '123', 5, [[1, 2, 3]]])
def test_what_is_no_position_is_refused(position):
    with (
        Session(mujoco.MjSpec.from_string(WORLD)) as session,
        pytest.raises(EntityError, match='must be 3 finite numbers, got'),
    ):
        session.spawn(CUBE, 'cube', position=position)
