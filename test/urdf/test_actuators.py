import mujoco
import numpy as np
import pytest

from mujoco_ros_py.errors import UrdfError

JOINT = '<ros2_control name="r" type="system"><joint name="elbow">{}</joint></ros2_control>'
COMMAND = '<command_interface name="{}">{}</command_interface>'
TRANSMISSION = """
<transmission name="t">
  <type>transmission_interface/SimpleTransmission</type>
  <joint name="elbow"><hardwareInterface>{}</hardwareInterface></joint>
  <actuator name="{}"><mechanicalReduction>{}</mechanicalReduction></actuator>
</transmission>"""
INERTIA = 0.03 + 2 * 0.2**2
"""The inertia of the arm about its elbow."""


def param(**values):
    return ''.join(f'<param name="{name}">{value}</param>' for name, value in values.items())


def control(*interfaces, **limits):
    return JOINT.format(''.join(COMMAND.format(each, param(**limits)) for each in interfaces))


def test_a_position_interface_is_a_critically_damped_servo_within_the_limits(arm):
    model = arm(more=control('position')).model
    assert model.nu == 1
    servo = model.actuator('elbow')
    stiffness = min(INERTIA * 100**2, 10 / 0.02)
    assert servo.gainprm[0] == pytest.approx(stiffness)
    assert servo.biasprm[1:3] == pytest.approx([-stiffness, -2 * np.sqrt(stiffness * INERTIA)])
    assert list(servo.ctrlrange) == [-1, 1.5]


def test_a_servo_holds_its_joint(arm):
    robot = arm(more=control('position'))
    robot.data.ctrl[0] = 0.5
    mujoco.mj_step(robot.model, robot.data, 2000)
    assert robot.data.qpos[0] == pytest.approx(0.5, abs=0.02)
    assert abs(robot.data.qvel[0]) < 1e-6


def test_a_velocity_interface_is_a_servo_of_the_speed(arm):
    robot = arm(more=control('velocity'))
    servo = robot.model.actuator('elbow')
    assert servo.gainprm[0] == -servo.biasprm[2] == pytest.approx(min(200 * INERTIA, 10 / 0.1))
    assert list(servo.ctrlrange) == [-2, 2]


def test_an_effort_interface_is_a_motor(arm):
    motor = arm(more=control('effort')).model.actuator('elbow')
    assert motor.gainprm[0] == 1
    assert list(motor.biasprm[:3]) == [0, 0, 0]
    assert list(motor.ctrlrange) == [-10, 10]


def test_limits_of_a_command_interface_narrow_those_of_the_joint(arm):
    model = arm(more=control('position', min=-0.5, max=3)).model
    assert list(model.actuator('elbow').ctrlrange) == [-0.5, 1.5]


def test_several_interfaces_of_a_joint_are_several_actuators(arm):
    model = arm(more=control('position', 'velocity', 'effort')).model
    names = [model.actuator(k).name for k in range(model.nu)]
    assert names == ['elbow_position', 'elbow_velocity', 'elbow_effort']


def test_a_joint_with_states_only_has_no_actuator_and_unknown_interfaces_are_left_out(arm):
    states = JOINT.format('<state_interface name="position"><param name="initial_value">1</param>'
                          '</state_interface>' + COMMAND.format('stiffness', ''))  # fmt: skip
    more = states.replace(
        '</ros2_control>', '<gpio name="led"/><sensor name="ft"/></ros2_control>'
    )
    robot = arm(more=more + TRANSMISSION.format('EffortJointInterface', 'm', 1))
    assert robot.model.nu == 0, 'there is <ros2_control>, so transmissions do not count'
    assert robot.told('initial values').endswith(': elbow')
    assert robot.told("'stiffness'").endswith(': elbow')
    assert robot.told('<gpio>').endswith(': led')
    assert robot.told('<sensor>').endswith(': ft')


def test_mimic_parameters_of_ros2_control_are_those_of_a_mimic_joint(arm):
    more = (
        '<link name="f"/><joint name="finger" type="continuous"><parent link="upper"/>'
        '<child link="f"/></joint><ros2_control name="r"><joint name="finger">'
        f'{param(mimic="elbow", multiplier=3, offset=1)}</joint></ros2_control>'
    )
    assert arm(more=more).model.eq_data[0][:2] == pytest.approx([1, 3])


@pytest.mark.parametrize(
    ('interface', 'kind'),
    [
        ('hardware_interface/EffortJointInterface', 'motor'),
        ('PositionJointInterface', 'position'),
        ('hardware_interface/VelocityJointInterface', 'velocity'),
    ],
)
def test_a_transmission_is_an_actuator_with_its_reduction_as_gear(arm, interface, kind):
    model = arm(more=TRANSMISSION.format(interface, 'engine', 50)).model
    actuator = model.actuator('engine')
    assert actuator.gear[0] == 50
    through = actuator.gear[0] ** 2
    low, high = {'motor': (-0.2, 0.2), 'position': (-50, 75), 'velocity': (-100, 100)}[kind]
    assert actuator.ctrlrange == pytest.approx([low, high])
    if kind == 'position':
        assert actuator.gainprm[0] * through == pytest.approx(min(INERTIA * 1e4, 500))


def test_transmissions_that_are_not_simple_are_left_out(arm):
    other = TRANSMISSION.format('EffortJointInterface', 'm', 1).replace('Simple', 'Differential')
    none = TRANSMISSION.format('Other', 'm', 1)
    robot = arm(more=other + none)
    assert robot.model.nu == 0
    assert robot.told('other than SimpleTransmission').endswith(': t')
    assert robot.told('without a hardware interface').endswith(': t')


@pytest.mark.parametrize(
    ('more', 'message'),
    [
        (
            control('position').replace('elbow', 'knee'),
            r'<joint name="knee">: unknown joint \'knee\'; known: elbow',
        ),
        (control('position', min=2, max=1), 'min must be below max, got 2 and 1'),
        (control('position', min='low'), "must be a number, got 'low'"),
        (TRANSMISSION.format('EffortJointInterface', 'm', 0), 'must be a nonzero number'),
        (TRANSMISSION.format('EffortJointInterface', 'm', 'x'), "must be a number, got 'x'"),
    ],
)
def test_what_is_wrong_with_what_drives_joints_is_told(arm, more, message):
    with pytest.raises(UrdfError, match=message):
        arm(more=more)


def test_no_joint_gets_an_actuator_by_itself(arm):
    assert arm().model.nu == 0


CHAIN = """
<link name="{0}"><inertial><origin xyz="0.05 0 0"/><mass value="{1}"/>
  <inertia ixx="{2}" iyy="{2}" izz="{2}" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="{0}_joint" type="continuous"><origin xyz="0.1 0 0"/>
  <parent link="{3}"/><child link="{0}"/><axis xyz="0 1 0"/></joint>"""


def test_servos_take_less_than_a_whole_motion_in_a_step_of_any_world(arm):
    links = 'upper', *'abcdefg'
    masses = [0.3**k for k in range(1, len(links))]
    more = ''.join(
        CHAIN.format(name, mass, mass * 1e-4, parent)
        for parent, name, mass in zip(links, links[1:], masses, strict=False)
    )
    names = 'elbow', *(f'{name}_joint' for name in links[1:])
    robot = arm(more=more + ''.join(control('velocity').replace('elbow', n) for n in names))
    model, data = robot.model, robot.data
    inertia = np.zeros((model.nv, model.nv))
    for row, unit in zip(inertia, np.eye(model.nv), strict=True):
        mujoco.mj_mulM(model, data, row, unit)
    damping = -model.actuator_biasprm[:, 2]
    taken = 0.002 * np.linalg.eigvals(np.linalg.solve(inertia, np.diag(damping))).real.max()
    assert 0.3 < taken <= 1.000001
    assert (damping > 0).all()


def test_a_model_with_servos_has_an_integrator_that_fits_unless_the_urdf_names_one(arm):
    def integrator(more: str) -> int:
        return arm(more=more).model.opt.integrator

    implicit, euler = mujoco.mjtIntegrator.mjINT_IMPLICITFAST, mujoco.mjtIntegrator.mjINT_EULER
    assert integrator(control('velocity')) == implicit
    assert integrator(control('effort')) == integrator('') == euler
    own = '<mujoco><option integrator="Euler"/></mujoco>'
    assert integrator(control('position') + own) == euler
