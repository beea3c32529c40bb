import mujoco
import numpy as np
import pytest

JOINT = (
    '<link name="{child}">{inside}</link><joint name="{name}" type="{type}">'
    '<parent link="{parent}"/><child link="{child}"/>{more}</joint>'
)
MASS = (
    '<inertial><mass value="1"/>'
    '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
)
BOX = '<collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision>'


def joint(name, type, parent='upper', child='', more='', inside=MASS):
    child = child or f'{name}_link'
    return JOINT.format(name=name, type=type, parent=parent, child=child, more=more, inside=inside)


def test_a_revolute_joint_is_a_hinge_within_its_limits(arm):
    model = arm(elbow='<dynamics damping="0.5" friction="0.25"/>').model
    elbow = model.joint('elbow')
    assert elbow.type == mujoco.mjtJoint.mjJNT_HINGE
    assert list(elbow.axis) == [0, 1, 0]
    assert (list(elbow.range), elbow.limited) == ([-1, 1.5], 1)
    assert list(model.jnt_actfrcrange[0]) == [-10, 10]
    assert elbow.damping[0] == 0.5
    assert elbow.frictionloss[0] == 0.25


def test_limits_of_velocity_and_unknown_elements_are_left_out(arm):
    more = '<safety_controller k_velocity="1"/>'
    robot = arm(elbow=more, upper='<contact/>')
    assert robot.told('velocity limits').endswith(': elbow')
    assert robot.told('<safety_controller> in joints').endswith(': elbow')
    assert robot.told('<contact> in links').endswith(': upper')
    drive = '<joint name="elbow"><command_interface name="velocity"/></joint>'
    driven = arm(more=f'<ros2_control name="r">{drive}</ros2_control>')
    assert driven.left_out == ()


def test_a_continuous_joint_has_no_limits_and_a_prismatic_one_slides(arm):
    limit = '<limit lower="-0.1" upper="0.2" effort="5" velocity="1"/>'
    more = joint('spin', 'continuous') + joint('lift', 'prismatic', more=limit)
    model = arm(more=more).model
    assert model.joint('spin').limited == 0
    assert model.joint('spin').type == mujoco.mjtJoint.mjJNT_HINGE
    assert list(model.joint('spin').axis) == [1, 0, 0]
    assert model.joint('lift').type == mujoco.mjtJoint.mjJNT_SLIDE
    assert list(model.joint('lift').range) == [-0.1, 0.2]


def test_equal_limits_hold_the_joint_there_and_reversed_ones_are_none(arm):
    equal = '<limit lower="0.5" upper="0.5" effort="5" velocity="1"/>'
    reversed_ = '<limit lower="1" upper="-1" effort="0" velocity="1"/>'
    more = joint('held', 'revolute', more=equal) + joint('wrong', 'revolute', more=reversed_)
    robot = arm(more=more)
    model = robot.model
    assert model.joint('held').limited == 0
    assert model.eq_data[0][:2] == pytest.approx([0.5, 0])
    assert model.joint('wrong').limited == 0
    assert model.jnt_actfrclimited[model.joint('wrong').id] == 0
    assert robot.told('lower limits above the upper limit').endswith(': wrong')
    assert robot.told('effort limits').endswith(': wrong')


def test_a_mimic_joint_follows_by_its_multiplier_and_offset(arm):
    mimic = '<mimic joint="elbow" multiplier="-2" offset="0.5"/>'
    robot = arm(more=joint('finger', 'continuous', more=mimic))
    model, data = robot.model, robot.data
    assert model.eq_data[0][:5] == pytest.approx([0.5, -2, 0, 0, 0])
    data.joint('elbow').qpos[0] = 0.3
    data.joint('finger').qpos[0] = 0.5 - 2 * 0.3
    mujoco.mj_forward(model, data)
    rows = data.efc_type[: data.nefc] == mujoco.mjtConstraint.mjCNSTR_EQUALITY
    assert data.efc_pos[: data.nefc][rows] == pytest.approx([0])


def test_a_joint_that_mimics_a_fixed_one_is_held_and_a_fixed_one_mimics_nothing(arm):
    more = joint('rigid', 'fixed', more='<mimic joint="elbow"/>') + joint(
        'finger', 'continuous', more='<mimic joint="rigid" offset="0.2"/>'
    )
    robot = arm(more=more)
    assert robot.model.eq_data[0][:2] == pytest.approx([0.2, 0])
    assert robot.told('<mimic> in fixed joints').endswith(': rigid')


def test_a_floating_joint_in_the_world_is_free_and_elsewhere_three_slides_and_a_ball(made):
    text = '<robot name="r"><link name="world"/>{}{}</robot>'.format(
        joint('base', 'floating', 'world'), joint('loose', 'floating', 'base_link')
    )
    model = made(text).model
    assert model.joint('base').type == mujoco.mjtJoint.mjJNT_FREE
    names = [model.joint(k).name for k in range(1, model.njnt)]
    assert names == ['loose_x', 'loose_y', 'loose_z', 'loose_rotation']


def test_a_planar_joint_moves_in_the_plane_across_its_axis(arm):
    robot = arm(more=joint('plane', 'planar', more='<axis xyz="0 1 0"/><origin xyz="1 2 3"/>'))
    model, data = robot.model, robot.data
    before = data.body('plane_link').xpos.copy()
    normal = data.body('upper').xmat.reshape(3, 3)[:, 1]
    for name, value in (('plane_x', 0.3), ('plane_y', 0.4), ('plane_yaw', 0.5)):
        data.joint(name).qpos[0] = value
    mujoco.mj_forward(model, data)
    moved = data.body('plane_link').xpos - before
    assert np.linalg.norm(moved) == pytest.approx(0.5)
    assert moved @ normal == pytest.approx(0, abs=1e-12)
    assert data.body('plane_link').xmat.reshape(3, 3)[:, 1] == pytest.approx(normal)


def test_a_spherical_joint_is_a_ball(arm):
    assert arm(more=joint('s', 'spherical')).model.joint('s').type == mujoco.mjtJoint.mjJNT_BALL


def test_links_that_joints_connect_do_not_touch_each_other_at_a_fixed_base_either(arm):
    robot = arm(
        upper='<collision><geometry><box size="0.2 0.2 1"/></geometry></collision>',
        more=joint('flange', 'fixed', 'upper', inside=BOX)
        + joint('mount', 'fixed', 'base', inside=BOX),
    )
    assert robot.data.ncon == 0
    assert robot.model.nexclude == 4


def test_other_links_touch_each_other(arm):
    limit = '<limit lower="-1" upper="1" effort="5" velocity="1"/>'
    more = joint('mid', 'revolute', 'upper', more=limit) + joint(
        'end', 'revolute', 'mid_link', more=limit, inside=MASS + BOX
    )
    assert arm(more=more).data.ncon > 0


def test_slashes_in_names_become_low_lines(arm):
    robot = arm(more=joint('tool/turn', 'continuous', child='tool/link'))
    assert robot.model.joint('tool_turn').id == 1
    assert robot.told('slashes in names').endswith(': tool/link, tool/turn')
