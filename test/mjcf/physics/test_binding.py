from __future__ import annotations

import copy
import gc
import weakref
from types import SimpleNamespace

import mujoco
import numpy as np
import pytest

from mujoco_ros_py import mjcf
from mujoco_ros_py.mjcf.physics.fields import fields
from mujoco_ros_py.mjcf.physics.rows import KINDS, attributes, owner

ACCESSOR = {
    'body': 'body', 'joint': 'joint', 'geom': 'geom', 'site': 'site', 'camera': 'cam',
    'light': 'light', 'texture': 'tex', 'material': 'mat', 'equality': 'eq', 'skin': 'skin',
    'tendon': 'tendon', 'actuator': 'actuator', 'sensor': 'sensor', 'numeric': 'numeric',
    'tuple': 'tuple', 'pair': 'pair', 'exclude': 'exclude', 'hfield': 'hfield', 'key': 'key',
}  # fmt: skip
"""The name of the accessor for each kind in MuJoCo's own Python bindings."""
PENDULUM = """
<mujoco model="pendulum">
  <worldbody>
    <body name="rod" pos="0 0 1">
      <joint name="hinge" axis="0 1 0"/>
      <geom name="bob" size="0.1" pos="0 0 -0.5"/>
    </body>
  </worldbody>
  <actuator><motor name="motor" joint="hinge"/></actuator>
</mujoco>
"""


@pytest.mark.parametrize('struct', ['mjModel', 'mjData'])
def test_each_array_with_a_row_for_each_element_is_an_attribute_of_bindings(everything, struct):
    _, physics, model, data = everything
    checked = 0
    for kind, known in KINDS.items():
        own = everything.elements(kind)
        arrays = {field.name: name for name, field in attributes(kind).items()}
        for name, field in fields(struct).items():
            if field.size != known.count or owner(field) is None:
                continue
            array = getattr(data if struct == 'mjData' else model, name)
            for number, element in enumerate(own):
                found = getattr(physics.bind(element), arrays[name])
                np.testing.assert_array_equal(found, array[number], err_msg=f'{kind} {name}')
            some = physics.bind(own[::-1])
            rows = list(range(len(own)))[::-1]
            np.testing.assert_array_equal(getattr(some, arrays[name]), array[rows])
            checked += 1
    assert checked > (250 if struct == 'mjModel' else 30)


@pytest.mark.parametrize('kind', ACCESSOR)
def test_what_an_element_has_is_what_mujoco_has_under_its_name(everything, kind):
    root, physics, model, data = everything
    twice = {'bodyid', 'solref', 'solimp'} if kind == 'joint' else set()  # dofs have them, too
    checked = 0
    for element in everything.elements(kind):
        binding = physics.bind(element)
        name = 'world' if element is root.worldbody else element.name
        for struct in (model, data):
            access = getattr(struct, ACCESSOR[kind], None)
            named = SimpleNamespace() if access is None else access(name)
            for attribute in (set(dir(named)) & set(attributes(kind))) - twice:
                found = np.ravel(getattr(binding, attribute))
                expected = np.ravel(getattr(named, attribute))
                np.testing.assert_array_equal(found, expected, err_msg=f'{name} {attribute}')
                checked += 1
    assert checked > 5 or kind == 'exclude'


def test_arrays_without_elements_are_those_of_known_sizes():
    left = {
        field.size
        for struct in ('mjModel', 'mjData')
        for field in fields(struct).values()
        if owner(field) is None
    }
    assert left <= {
        'nbody', 'nv', 'nwrap',  # lengths of lists of awake bodies, awake dofs and wraps
        'nbvh', 'nbvhstatic', 'nbvhdynamic', 'noct', 'ntree', 'nnames', 'nnames_map', 'npaths',
        'nB', 'nC', 'nD', 'nJfe', 'nJfv', 'nJten', 'nJmom', 'nefm0dof', 'nefm0L', 'nefmCvert',
        'nflexstiffness', 'nflexbending', 'nflextexcoord', 'nmeshgraph', 'nmeshpolyvert',
        'nmeshpolymap', 'nskinbonevert', 'npluginattr', 'nhistory', 'nplastic', 'nuserdata',
    }  # fmt: skip


def test_what_has_several_rows_has_them_one_behind_the_other(everything):
    root, physics, model, data = everything
    joints = [root.find('joint', name) for name in ('finger', 'loose', 'shoulder')]
    expected = [data.joint(joint.name).qpos for joint in joints]
    np.testing.assert_array_equal(physics.bind(joints).qpos, np.concatenate(expected))

    sensors = root.find_all('sensor')[::-1]
    expected = [data.sensor(sensor.name).data for sensor in sensors]
    np.testing.assert_array_equal(physics.bind(sensors).sensordata, np.concatenate(expected))

    for mesh in root.find_all('mesh'):
        start, count = (getattr(model.mesh(mesh.name), of)[0] for of in ('vertadr', 'vertnum'))
        np.testing.assert_array_equal(physics.bind(mesh).vert, model.mesh_vert[start:][:count])
    assert bytes(physics.bind(root.find('text', 'long')).data) == b'abc\0'
    hill = physics.bind(root.find('hfield', 'hill')).data
    assert hill.tolist() == model.hfield_data[-4:].tolist()
    assert len(physics.bind(root.find('texture', 'blue')).data) == 2 * 3 * 3


def test_an_actuator_has_its_own_activations_and_controls(everything):
    root, physics, model, data = everything
    for actuator in root.find_all('actuator'):
        number = model.actuator(actuator.name).id
        start, count = model.actuator_actadr[number], model.actuator_actnum[number]
        found = physics.bind(actuator)
        assert np.ravel(found.act).tolist() == (data.act[start:][:count].tolist() if count else [])
        assert found.ctrl == data.ctrl[number]


def test_only_mocap_bodies_have_mocap_poses(everything):
    root, physics, _, data = everything
    ghost, arm = root.find('body', 'ghost'), root.find('body', 'arm')
    physics.bind(ghost).mocap_pos = [1, 2, 3]
    assert data.mocap_pos[0].tolist() == [1, 2, 3]
    assert not hasattr(physics.bind(arm), 'mocap_pos')
    with pytest.raises(AttributeError, match="'arm' is not a mocap body"):
        physics.bind([ghost, arm]).mocap_pos = 0


def test_the_id_is_that_of_mujoco(everything):
    root, physics, model, _ = everything
    bodies = [root.find('body', name) for name in ('hand', 'arm')]
    assert physics.bind(bodies[0]).element_id == model.body('hand').id
    ids = physics.bind(bodies).element_id
    assert ids.tolist() == [model.body('hand').id, model.body('arm').id]


def test_columns_are_named_or_numbered(everything):
    root, physics, _, data = everything
    geoms = [root.find('geom', name) for name in ('trunk', 'palm', 'bone')]
    rows = [geom.name for geom in geoms]
    expected = np.array([data.geom(name).xpos for name in rows])
    binding = physics.bind(geoms)
    assert (binding['xpos'] == expected).all()
    assert (binding['xpos', 'z'] == expected[:, 2]).all()
    assert (binding['xpos', ['z', 'x']] == expected[:, [2, 0]]).all()
    assert (binding['xpos', 1:] == expected[:, 1:]).all()
    assert physics.bind(geoms[0])['xpos', 'y'] == expected[0, 1]
    binding['rgba', ['a', 'r']] = [[0.1, 0.2]] * 3
    assert physics.model.geom('palm').rgba.tolist() == pytest.approx([0.2, 0.5, 0.5, 0.1])
    binding['solmix'] = [7, 8, 9]
    assert physics.model.geom('bone').solmix == 9
    with pytest.raises(KeyError, match="geom_xpos has no column 'w'; known: x, y, z"):
        binding['xpos', 'w']


def test_completion_shows_the_arrays(everything):
    known = dir(everything.physics.bind(everything.root.find('joint', 'wrist')))
    assert {'qpos', 'qvel', 'range', 'damping', 'dof_solref', 'element_id'} <= set(known)
    assert 'xpos' not in known


def test_what_a_binding_has_not_is_refused(everything):
    binding = everything.physics.bind(everything.root.find('joint', 'wrist'))
    with pytest.raises(AttributeError, match='xpos'):
        binding.xpos  # noqa: B018
    with pytest.raises(AttributeError, match='xpos'):
        binding.xpos = 1


def test_no_elements_are_a_binding_without_rows(everything):
    binding = everything.physics.bind([])
    assert len(binding.qpos) == 0
    assert len(binding['xpos', 'x']) == 0
    with pytest.raises(ValueError, match='no elements are bound'):
        binding.qpos = 1
    with pytest.raises(TypeError, match='not iterable'):
        list(binding)
    assert type(copy.deepcopy(binding)) is type(binding)


def test_elements_without_names_can_be_bound():
    root = mjcf.from_xml_string(PENDULUM.replace('name="bob"', ''))
    (geom,) = root.find_all('geom')
    physics = mjcf.Physics.from_mjcf_model(root)
    assert physics.bind(geom).pos.tolist() == [0, 0, -0.5]
    assert geom.name is None


def test_elements_of_attached_models_can_be_bound():
    arena, pendulum = mjcf.RootElement(model='arena'), mjcf.from_xml_string(PENDULUM)
    frame = arena.worldbody.add('site', pos=[1, 2, 3]).attach(pendulum)
    slide = frame.add('joint', type='slide')
    frame.add('inertial', pos=[0, 0, 0], mass=1, diaginertia=[1, 1, 1])
    arena.attach(mjcf.from_xml_string(PENDULUM))
    physics = mjcf.Physics.from_mjcf_model(arena)

    rod = pendulum.find('body', 'rod')
    assert physics.bind(rod).element_id == physics.model.body('pendulum/rod').id
    assert physics.bind(frame).xpos.tolist() == [1, 2, 3]
    assert physics.bind(pendulum.worldbody).element_id == physics.bind(frame).element_id
    assert physics.bind(arena.worldbody).element_id == 0
    assert physics.bind(slide).type == mujoco.mjtJoint.mjJNT_SLIDE
    assert len(physics.bind(arena.find_all('joint')).qpos) == 3
    alone = mjcf.Physics.from_mjcf_model(pendulum)
    assert alone.bind(rod).element_id == 1
    assert alone.bind(pendulum.worldbody).element_id == 0


def test_elements_are_bound_as_they_were_compiled_whatever_they_are_called_now():
    root = mjcf.from_xml_string(PENDULUM)
    physics = mjcf.Physics.from_mjcf_model(root)
    joint = root.find('joint', 'hinge')
    joint.name = 'elbow'
    root.worldbody.add('body', name='other').add('joint', name='hinge')
    physics.bind(joint).qpos = 0.5
    assert physics.data.qpos.tolist() == [0.5]


@pytest.mark.parametrize(
    ('of', 'message'),
    [
        (lambda root: None, 'only elements can be bound, got None'),
        (lambda root: 'rod', "only elements can be bound, got 'r'"),
        (lambda root: [[]], 'only elements can be bound'),
        (lambda root: root, '<mujoco.* cannot be bound; bindable elements: body, joint'),
        (lambda root: root.option, '<option/> cannot be bound'),
        (lambda root: root.default.geom, '<geom/> cannot be bound'),
        (
            lambda root: [root.find('body', 'rod'), root.find('joint', 'hinge')],
            r'one kind can be bound together, got body \(<body name="rod".*joint \(<joint',
        ),
        (
            lambda root: mjcf.from_xml_string(PENDULUM).find('geom', 'bob'),
            '<geom name="bob".* of pendulum did not exist when the physics was compiled',
        ),
        (
            lambda root: mjcf.from_xml_string(PENDULUM).worldbody,
            '<worldbody.* of pendulum did not exist when the physics was compiled',
        ),
        (
            lambda root: root.worldbody.add('geom', name='late', size=[1]),
            '<geom name="late".* of pendulum did not exist when the physics was compiled',
        ),
    ],
)
def test_what_cannot_be_bound_is_told(of, message):
    root = mjcf.from_xml_string(PENDULUM)
    physics = mjcf.Physics.from_mjcf_model(root)
    with pytest.raises(ValueError, match=message):
        physics.bind(of(root))


def test_what_is_replicated_cannot_be_bound():
    root = mjcf.from_xml_string("""
        <mujoco>
          <worldbody>
            <replicate count="2">
              <body><joint name="j"/><geom name="g" size="1"/></body>
            </replicate>
          </worldbody>
          <sensor><jointpos joint="j"/></sensor>
        </mujoco>
    """)
    physics = mjcf.Physics.from_mjcf_model(root)
    with pytest.raises(ValueError, match=r"no geom 'g'; <replicate> can have created g0, g1$"):
        physics.bind(root.find('geom', 'g'))
    with pytest.raises(ValueError, match=r'no sensor .* <replicate> can have created'):
        physics.bind(root.find_all('sensor'))


def test_a_copy_by_replicate_is_not_taken_for_another_element_of_its_name():
    root = mjcf.from_xml_string("""
        <mujoco>
          <worldbody>
            <replicate count="2">
              <geom name="leg" size="1"/>
              <geom name="leg1" size="2"/>
            </replicate>
          </worldbody>
        </mujoco>
    """)
    for physics in (
        mjcf.Physics.from_mjcf_model(root),
        mjcf.Physics.from_xml_string(root.to_xml_string()),
    ):
        assert physics.named.model.geom_size['leg1', 0] == 1
        with pytest.raises(ValueError, match="no geom 'leg1'; <replicate> can"):
            physics.bind(root.find('geom', 'leg1'))


def test_a_model_that_is_replicated_where_it_is_attached_is_bound_in_a_physics_of_its_own():
    arena, robot = mjcf.RootElement(model='arena'), mjcf.RootElement(model='robot')
    geom = robot.worldbody.add('geom', name='g', size=[1])
    arena.worldbody.add('replicate', count=2).add('site').attach(robot)
    assert mjcf.Physics.from_mjcf_model(robot).bind(geom).size[0] == 1
    with pytest.raises(ValueError, match="no geom 'robot/g'; <replicate> can have created"):
        mjcf.Physics.from_mjcf_model(arena).bind(geom)


def test_elements_without_names_can_be_as_many_as_one_likes_beside_replicated_ones():
    root = mjcf.RootElement()
    root.worldbody.add('geom', size=[1])
    root.worldbody.add('replicate', count=2).add('geom', size=[1])
    geoms = [root.worldbody.add('geom', size=[number]) for number in range(1, 12)]
    physics = mjcf.Physics.from_mjcf_model(root)
    assert physics.bind(geoms).size[:, 0].tolist() == list(range(1, 12))
    assert physics.named.model.geom_size[geoms[7].full_identifier, 0] == 8


def test_a_compiled_model_binds_elements_by_their_names():
    root = mjcf.from_xml_string(PENDULUM)
    physics = mjcf.Physics.from_xml_string(root.to_xml_string())
    assert physics.bind(root.find('joint', 'hinge')).axis[1] == 1
    assert physics.bind(root.worldbody).element_id == 0
    root.find('geom', 'bob').name = 'ball'
    with pytest.raises(ValueError, match="no geom 'ball'"):
        physics.bind(root.find('geom', 'ball'))


def test_bindings_are_made_once(everything):
    root, physics, *_ = everything
    joints = root.find_all('joint')
    assert physics.bind(joints) is physics.bind(tuple(joints)) is physics.bind(iter(joints))
    assert physics.bind(joints[0]) is physics.bind(joints[0])
    assert physics.bind(joints[0]) is not physics.bind(joints[:1])


def test_a_physics_goes_when_nobody_has_it():
    root = mjcf.from_xml_string(PENDULUM)
    physics = mjcf.Physics.from_mjcf_model(root)
    binding = physics.bind(root.find('joint', 'hinge'))
    physics.bind(root.find_all('body')).xpos.sum()
    gone = weakref.ref(physics)
    gc.disable()
    try:
        del physics
        assert gone() is None
    finally:
        gc.enable()
    binding.qpos = 1  # the binding keeps model and data alive
    assert binding.qpos == 1


def test_the_world_of_a_model_attached_without_a_body_is_the_body_around_it():
    arena, robot = mjcf.RootElement(model='arena'), mjcf.RootElement(model='robot')
    table = arena.worldbody.add('body', pos=[0, 0, 1])
    table.add('geom', size=[0.1])
    robot.worldbody.add('geom', size=[0.1], pos=[0, 0, 2])
    table.add('site').attach(robot, extra_body=False)
    physics = mjcf.Physics.from_mjcf_model(arena)
    assert physics.bind(robot.worldbody).element_id == physics.bind(table).element_id == 1
    assert physics.bind(robot.worldbody.geom[0]).xpos[2] == 3
    with pytest.raises(ValueError, match='cannot be bound'):
        physics.bind(robot.frame)
