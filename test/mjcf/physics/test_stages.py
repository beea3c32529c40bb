"""Which values a read recomputes after a write."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from mujoco_ros_py import mjcf
from mujoco_ros_py.mjcf.physics.fields import fields
from mujoco_ros_py.mjcf.physics.rows import KINDS, attributes, owner
from mujoco_ros_py.mjcf.physics.stages import ON_DEMAND, is_read_only, outdated_by

MODEL = """
<mujoco>
  <worldbody>
    <body name="target" mocap="true" pos="0 0 5"><geom name="sign" size="0.1"/></body>
    <body name="arm">
      <joint name="hinge" axis="0 1 0"/>
      <geom name="bone" size="0.1" pos="1 0 0"/>
      <site name="tip" pos="2 0 0"/>
    </body>
    <body name="hanging"><joint name="knee"/><geom size="0.1" pos="1 0 0"/></body>
  </worldbody>
  <equality><weld name="grip" body1="target" body2="arm" active="false"/></equality>
  <actuator>
    <motor name="motor" joint="hinge"/>
    <general name="slow" joint="knee" dyntype="filter" dynprm="1"/>
  </actuator>
  <sensor><jointactuatorfrc name="torque" joint="hinge"/></sensor>
</mujoco>
"""
POSITIONS, VELOCITIES, FORCES = 'positions', 'velocities', 'forces'
DERIVED = {
    POSITIONS: ('site', 'tip', 'xpos', 'site_xpos'),
    VELOCITIES: ('actuator', 'motor', 'velocity', 'actuator_velocity'),
    FORCES: ('joint', 'hinge', 'qacc', 'qacc'),
}
"""Per stage: the kind and name of an element, an attribute that depends on the stage, and the
array of the attribute."""
MARK = 77.0
"""The content of an array that has not been recomputed."""
AFTER = {
    POSITIONS: {POSITIONS, VELOCITIES, FORCES},
    VELOCITIES: {VELOCITIES, FORCES},
    FORCES: {FORCES},
}


@pytest.fixture
def root():
    return mjcf.from_xml_string(MODEL)


@pytest.fixture
def physics(root):
    return mjcf.Physics.from_mjcf_model(root)


@pytest.fixture
def of(root, physics):
    """`of(kind, name)`: the binding of an element."""
    return lambda kind, name: physics.bind(root.find(kind, name))


@pytest.mark.parametrize(
    ('kind', 'name', 'attribute', 'value', 'changes'),
    [
        ('joint', 'hinge', 'qpos', 1, POSITIONS),
        ('body', 'target', 'mocap_pos', [1, 2, 3], POSITIONS),
        ('body', 'target', 'mocap_quat', [0, 1, 0, 0], POSITIONS),
        ('equality', 'grip', 'active', 1, POSITIONS),
        ('geom', 'bone', 'pos', [2, 0, 0], POSITIONS),
        ('joint', 'hinge', 'qvel', 1, VELOCITIES),
        ('actuator', 'motor', 'ctrl', 1, FORCES),
        ('actuator', 'slow', 'act', 1, FORCES),
        ('joint', 'hinge', 'qfrc_applied', 1, FORCES),
        ('body', 'arm', 'xfrc_applied', [0, 0, 0, 0, 1, 0], FORCES),
    ],
)
@pytest.mark.parametrize('read', DERIVED)
def test_what_depends_on_a_write_and_nothing_else_is_computed_again(
    of, physics, kind, name, attribute, value, changes, read
):
    setattr(of(kind, name), attribute, value)
    assert physics.is_dirty
    of_kind, of_name, derived, array = DERIVED[read]
    getattr(physics.data, array)[:] = MARK
    computed = read in AFTER[changes]
    assert (np.ravel(getattr(of(of_kind, of_name), derived))[0] != MARK) == computed
    assert physics.is_dirty == (not computed)
    getattr(physics.data, array)[:] = MARK
    assert np.ravel(getattr(of(of_kind, of_name), derived))[0] == MARK


def attributes_of(everything, wanted):
    """Yields elements of each kind with the name and the field of each wanted attribute."""
    for kind in KINDS:
        elements = everything.elements(kind)
        for name, field in attributes(kind).items():
            if wanted(field):
                some = [each for each in elements if kind != 'body' or each.tag != 'worldbody']
                if field.size == 'nmocap':
                    some = [each for each in some if each.mocap == 'true']
                yield some, name, field


def derived():
    """Returns the fields that MuJoCo always computes."""
    return [
        field
        for field in fields('mjData').values()
        if is_read_only(field) and owner(field)
        if field.name not in ON_DEMAND and not field.name.startswith('plugin')
    ]


def test_whatever_input_is_written_what_is_read_is_what_mujoco_computes(everything):
    physics, computed = everything.physics, derived()
    reads = list(attributes_of(everything, lambda field: field in computed))
    written = 0
    for elements, name, field in attributes_of(everything, lambda field: (
        field.of_data and not is_read_only(field) and outdated_by(field)
    )):  # fmt: skip
        changed = physics.copy(share_model=True)
        value = getattr(changed.bind(elements), name)
        change = 0.1 if value.dtype.kind == 'f' else 1
        setattr(changed.bind(elements), name, value + change)
        oracle = changed.copy(share_model=True)
        mujoco.mj_forward(oracle.model, oracle.data)
        for read, attribute, array in reads:
            reader = changed.copy(share_model=True)
            found = getattr(reader.bind(read), attribute)
            expected = getattr(oracle.bind(read), attribute)
            told = f'{array.name} after {field.name}'
            np.testing.assert_allclose(found, expected, 1e-6, 1e-6, err_msg=told)
        written += 1
    assert written == 10
    assert len(reads) > 40


def test_nothing_that_is_computed_depends_on_what_only_looks_different(everything):
    physics = everything.physics
    oracle = physics.copy()
    mujoco.mj_forward(oracle.model, oracle.data)
    written = 0
    for elements, name, _ in attributes_of(everything, lambda field: (
        not field.of_data and not is_read_only(field) and not outdated_by(field)
    )):  # fmt: skip
        changed = physics.copy()
        value = getattr(changed.bind(elements), name)
        setattr(changed.bind(elements), name, np.zeros_like(value))
        assert not changed.is_dirty
        mujoco.mj_forward(changed.model, changed.data)
        for field in derived():
            found, expected = (getattr(each.data, field.name) for each in (changed, oracle))
            np.testing.assert_array_equal(found, expected, f'{field.name} after {name}')
        written += 1
    assert written > 20


def expected(root, *steps):
    """Returns the result of plain MuJoCo for the same steps."""
    model = mujoco.MjModel.from_xml_string(root.to_xml_string())
    data = mujoco.MjData(model)
    for step in steps:
        step(model, data)
    mujoco.mj_forward(model, data)
    return data


def test_what_is_read_after_a_write_is_what_mujoco_computes(root, of):
    of('joint', 'hinge').qpos = 1
    data = expected(root, lambda model, data: data.joint('hinge').qpos.fill(1))
    assert of('site', 'tip').xpos.tolist() == data.site('tip').xpos.tolist()
    assert of('body', 'arm').xquat.tolist() == data.body('arm').xquat.tolist()

    of('actuator', 'motor').ctrl = 2
    data = expected(
        root,
        lambda model, data: data.joint('hinge').qpos.fill(1),
        lambda model, data: data.actuator('motor').ctrl.fill(2),
    )
    assert of('sensor', 'torque').sensordata.tolist() == [2]
    assert of('joint', 'hinge').qacc == pytest.approx(data.joint('hinge').qacc)

    of('body', 'target').mocap_pos[0] = 4
    assert of('geom', 'sign').xpos.tolist() == [4, 0, 5]


def test_a_write_through_a_view_counts(of, physics):
    part = of('joint', 'hinge').qpos[:1][:]
    assert not physics.is_dirty
    part[0] = 1
    assert of('site', 'tip').xpos.tolist() == pytest.approx([2 * np.cos(1), 0, -2 * np.sin(1)])


def test_what_only_looks_different_computes_nothing_again(of, physics):
    of('geom', 'bone').rgba = [1, 0, 0, 1]
    of('geom', 'bone').rgba[0] = 0.5
    of('joint', 'hinge').qacc_warmstart = 3
    assert not physics.is_dirty


def test_reading_what_is_written_computes_nothing(of, physics):
    of('joint', 'hinge').qpos = 1
    physics.data.xpos[:] = MARK
    for kind, name, attribute in (
        ('joint', 'hinge', 'qpos'),
        ('joint', 'knee', 'qvel'),
        ('actuator', 'motor', 'ctrl'),
        ('geom', 'bone', 'size'),
    ):
        getattr(of(kind, name), attribute)
    assert (physics.data.xpos == MARK).all()
    assert physics.is_dirty


def test_moved_frames_are_not_taken_for_those_of_their_bodies():
    root = mjcf.from_xml_string("""
        <mujoco>
          <worldbody>
            <body name="b"><joint/><geom name="g" size="0.1"/><site name="s"/></body>
          </worldbody>
        </mujoco>
    """)
    physics = mjcf.Physics.from_mjcf_model(root)
    geom, site = (physics.bind([root.find(*of)]) for of in (('geom', 'g'), ('site', 's')))
    assert geom.sameframe.all()
    assert site.sameframe.all()
    geom.pos[:, 2] = 1
    site['pos', 'z'] = 2
    assert geom.xpos[0].tolist() == [0, 0, 1]
    assert site.xpos[0].tolist() == [0, 0, 2]


def test_the_inertia_of_a_body_that_was_compiled_as_simple_cannot_move():
    root = mjcf.from_xml_string("""
        <mujoco><worldbody>
          <body name="simple"><freejoint/><geom size="0.1"/></body>
          <body name="other"><joint/><geom size="0.1" pos="1 0 0"/></body>
        </worldbody></mujoco>
    """)
    physics = mjcf.Physics.from_mjcf_model(root)
    simple, other = (physics.bind(root.find('body', name)) for name in ('simple', 'other'))
    other.ipos = [0, 0, 1]
    assert other.xipos.tolist() == [0, 0, 1]
    with pytest.raises(AttributeError, match='body_ipos cannot be set for this body'):
        simple.ipos = 1
    with pytest.raises(ValueError, match='read-only'):
        simple.iquat[0] = 1


def test_constants_are_those_of_a_model_compiled_with_what_was_written(root, physics, of):
    of('joint', 'hinge').qpos = 0.5
    of('body', 'arm').mass *= 2
    of('body', 'arm').inertia *= 2
    physics.set_constants()
    assert of('joint', 'hinge').qpos == 0.5
    root.find('geom', 'bone').mass = of('body', 'arm').mass
    model = mujoco.MjModel.from_xml_string(root.to_xml_string())
    for name in ('dof_invweight0', 'body_subtreemass', 'dof_M0'):
        np.testing.assert_allclose(getattr(physics.model, name), getattr(model, name))


def test_what_mujoco_computes_for_sensors_alone_is_computed_when_asked_for(of, physics):
    of('joint', 'hinge').qvel = 1
    arm = of('body', 'arm')
    assert arm.subtree_linvel[2] == pytest.approx(-1)
    assert arm.cfrc_int.any()
    physics.step()
    data = physics.data
    found = arm.cfrc_int.copy()
    mujoco.mj_forward(physics.model, data)
    mujoco.mj_rnePostConstraint(physics.model, data)
    assert found == pytest.approx(data.body('arm').cfrc_int)


def test_a_step_begins_with_what_was_written(root, physics, of):
    of('joint', 'hinge').qpos = 1
    of('actuator', 'motor').ctrl = 3
    physics.step(2)

    model = mujoco.MjModel.from_xml_string(root.to_xml_string())
    data = mujoco.MjData(model)
    data.joint('hinge').qpos, data.actuator('motor').ctrl = 1, 3
    mujoco.mj_step(model, data, 2)
    assert physics.data.qpos.tolist() == data.qpos.tolist()
    assert not physics.is_dirty
    mujoco.mj_forward(model, data)
    assert of('site', 'tip').xpos.tolist() == data.site('tip').xpos.tolist()


def test_a_control_that_is_set_between_steps_spares_the_positions(of, physics):
    model, data = physics.model, physics.copy().data
    for each in (physics.data, data):
        each.joint('hinge').qpos = 1  # unnoticed by Physics, to detect a recomputation
        each.actuator('motor').ctrl = 1
    of('actuator', 'motor').ctrl = 1
    physics.step()
    mujoco.mj_step2(model, data)
    assert physics.data.qvel.tolist() == data.qvel.tolist()


def test_all_is_computed_again_on_demand(of, physics):
    physics.data.joint('hinge').qpos = 1
    assert not physics.is_dirty
    physics.mark_as_dirty()
    assert of('site', 'tip').xpos[0] == pytest.approx(2 * np.cos(1))


def test_everything_that_is_state_or_input_can_be_written():
    state = {
        'qpos', 'qvel', 'act', 'history', 'qacc_warmstart', 'ctrl', 'qfrc_applied',
        'xfrc_applied', 'eq_active', 'mocap_pos', 'mocap_quat', 'userdata', 'plugin_state',
        'plastic', 'qacc',
    }  # fmt: skip
    for field in fields('mjData').values():
        assert is_read_only(field) == (field.name not in state), field


@pytest.mark.parametrize('name', ['geom_size', 'body_mass', 'dof_damping', 'qpos0'])
def test_what_steps_depend_on_can_be_written(name):
    field = fields('mjModel')[name]
    assert not is_read_only(field)
    assert outdated_by(field)


@pytest.mark.parametrize('name', ['jnt_qposadr', 'geom_bodyid', 'sensor_dim', 'tex_height'])
def test_where_things_are_cannot_be_written(name):
    assert is_read_only(fields('mjModel')[name])
