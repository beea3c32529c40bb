import mujoco
import numpy as np
import pytest

INERTIA = '<inertia ixx="{}" iyy="{}" izz="{}" ixy="0" ixz="0" iyz="0"/>'
FIXED = (
    '<link name="{1}"/>'
    '<joint name="{0}_{1}" type="fixed"><parent link="{0}"/><child link="{1}"/>{2}</joint>'
)


def test_every_link_is_a_body_with_its_frame_also_behind_fixed_joints(arm):
    robot = arm(more=FIXED.format('upper', 'tool', '<origin xyz="1 0 0" rpy="0 0 1.5707963"/>'))
    model = robot.model
    assert [model.body(k).name for k in range(model.nbody)] == ['world', 'base', 'upper', 'tool']
    assert model.njnt == 1
    tool = model.body('tool')
    assert tool.pos == pytest.approx([1, 0, 0])
    assert tool.quat == pytest.approx([0.5**0.5, 0, 0, 0.5**0.5], abs=1e-6)


def test_roll_pitch_and_yaw_are_about_fixed_axes(arm):
    roll, pitch, yaw = 0.1, 0.2, 0.3
    x = [[1, 0, 0], [0, np.cos(roll), -np.sin(roll)], [0, np.sin(roll), np.cos(roll)]]
    y = [[np.cos(pitch), 0, np.sin(pitch)], [0, 1, 0], [-np.sin(pitch), 0, np.cos(pitch)]]
    z = [[np.cos(yaw), -np.sin(yaw), 0], [np.sin(yaw), np.cos(yaw), 0], [0, 0, 1]]
    turned = np.array(z) @ y @ x
    assert arm().data.body('upper').xmat.reshape(3, 3) == pytest.approx(turned)


@pytest.mark.parametrize(('floating', 'joints'), [(False, 1), (True, 2)])
def test_the_root_is_fixed_to_the_world_or_floats(arm, floating, joints):
    model = arm(floating=floating).model
    assert model.njnt == joints
    assert model.body('base').parentid == 0
    assert (model.joint('base_free').type == 0) if floating else True


def test_a_root_called_world_is_the_world(made):
    text = '<robot name="r"><link name="world"/>{}</robot>'.format(FIXED.format('world', 'a', ''))
    assert made(text).model.nbody == 2


def test_mass_and_inertia_are_those_of_the_urdf_in_their_own_frame(arm):
    more = """
      <link name="tool"><inertial>
        <origin xyz="1 2 3" rpy="0.3 -0.2 1.1"/><mass value="3"/>
        <inertia ixx="0.3" iyy="0.4" izz="0.5" ixy="0.01" ixz="-0.02" iyz="0.03"/>
      </inertial></link>
      <joint name="hold" type="continuous"><parent link="upper"/><child link="tool"/></joint>"""
    tool = arm(more=more).model.body('tool')
    assert tool.mass == 3
    assert tool.ipos == pytest.approx([1, 2, 3])
    axes, given = np.empty(9), np.empty(9)
    mujoco.mju_quat2Mat(axes, tool.iquat)
    quat = np.empty(4)
    mujoco.mju_euler2Quat(quat, np.array([0.3, -0.2, 1.1]), 'XYZ')
    mujoco.mju_quat2Mat(given, quat)
    axes, given = axes.reshape(3, 3), given.reshape(3, 3)
    inertia = np.array([[0.3, 0.01, -0.02], [0.01, 0.4, 0.03], [-0.02, 0.03, 0.5]])
    assert axes @ np.diag(tool.inertia) @ axes.T == pytest.approx(given @ inertia @ given.T)


def test_shapes_have_no_mass_of_their_own(arm):
    model = arm(upper='<visual><geometry><sphere radius="1"/></geometry></visual>').model
    assert model.body('base').mass == 0
    assert model.body('upper').mass == 2


def test_a_link_that_moves_without_a_mass_gets_a_little(arm):
    more = """
      <link name="none"/>
      <joint name="j" type="continuous"><parent link="upper"/><child link="none"/></joint>"""
    robot = arm(more=more)
    assert robot.model.body('none').mass == 1e-6
    assert robot.told('too small for moving bodies').endswith(': none')


def test_a_link_without_a_mass_that_another_with_one_is_fixed_to_needs_none(arm):
    more = FIXED.format('carrier', 'load', '') + (
        '<link name="carrier"/><joint name="j" type="continuous">'
        '<parent link="upper"/><child link="carrier"/></joint>'
    )
    inertial = f'<inertial><mass value="1"/>{INERTIA.format(1, 1, 1)}</inertial>'
    more = more.replace('<link name="load"/>', f'<link name="load">{inertial}</link>')
    robot = arm(more=more)
    assert robot.faults == []
    assert robot.model.body('carrier').mass == 0


@pytest.mark.parametrize(
    ('given', 'becomes'),
    [((1, 1, 4), (2, 2, 4)), ((-1, 2, 2), (0, 2, 2)), ((0.5, 0.5, 1), (0.5, 0.5, 1))],
)
def test_moments_that_no_body_can_have_are_raised_as_little_as_possible(arm, given, becomes):
    inertial = f'<inertial><mass value="1"/>{INERTIA.format(*given)}</inertial>'
    more = FIXED.format('upper', 'tool', '').replace(
        '<link name="tool"/>', f'<link name="tool">{inertial}</link>'
    )
    robot = arm(more=more)
    assert sorted(robot.model.body('tool').inertia) == pytest.approx(sorted(becomes), abs=1e-9)
    assert bool(robot.faults) == (given != becomes)


def test_visuals_are_seen_and_collisions_collide(arm):
    robot = arm(
        upper="""
        <visual><origin xyz="0 0 1"/><geometry><cylinder radius="0.1" length="0.4"/></geometry>
        </visual>
        <collision name="hull"><geometry><capsule radius="0.2" length="0.6"/></geometry>
        </collision>
        """
    )
    model = robot.model
    (seen,) = (k for k in range(model.ngeom) if model.geom_group[k] == 2)
    hull = model.geom('hull')
    assert (model.geom_contype[seen], model.geom_conaffinity[seen]) == (0, 0)
    assert model.geom_type[seen] == mujoco.mjtGeom.mjGEOM_CYLINDER
    assert list(model.geom_size[seen][:2]) == [0.1, 0.2]
    assert list(model.geom_pos[seen]) == [0, 0, 1]
    assert (hull.group, hull.contype, hull.type) == (3, 1, mujoco.mjtGeom.mjGEOM_CAPSULE)
    assert list(hull.size[:2]) == [0.2, 0.3]


def test_boxes_have_half_lengths_and_shapes_of_no_size_are_left_out(arm):
    shape = '<collision name="{}"><geometry>{}</geometry></collision>'
    robot = arm(
        upper=shape.format('box', '<box size="1 2 3"/>')
        + shape.format('none', '<sphere radius="0"/>')
        + shape.format('cone', '<cone radius="1"/>')
    )
    assert list(robot.model.geom('box').size) == [0.5, 1, 1.5]
    assert robot.told('size of 0 or less').endswith(': upper')
    assert robot.told('unknown kind <cone>').endswith(': upper')


def test_materials_have_names_and_unnamed_ones_are_colours(arm):
    visual = '<visual><geometry><sphere radius="1"/></geometry>{}</visual>'
    robot = arm(
        upper=visual.format('<material name="red"/>')
        + visual.format('<material name=""><color rgba="0 1 0 0.5"/></material>'),
        more='<material name="red"><color rgba="1 0 0 1"/></material>',
    )
    model = robot.model
    assert list(model.material('red').rgba) == [1, 0, 0, 1]
    assert model.geom_matid[1] == model.material('red').id
    assert model.geom_rgba[2] == pytest.approx([0, 1, 0, 0.5])


def test_two_materials_of_one_name_are_two(arm):
    visual = (
        '<visual><geometry><sphere radius="1"/></geometry>'
        '<material name="paint"><color rgba="{} 0 0 1"/></material></visual>'
    )
    model = arm(upper=visual.format(1) + visual.format(0.5)).model
    assert [model.material(k).name for k in range(2)] == ['paint', 'paint_1']
    assert list(model.mat_rgba[:, 0]) == [1, 0.5]
