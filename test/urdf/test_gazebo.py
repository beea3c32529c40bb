import mujoco
import pytest

from mujoco_ros_py.errors import UrdfError

BOX = '<{0}><geometry><box size="0.1 0.1 0.1"/></geometry></{0}>'
TOOL = (
    '<link name="{0}"><inertial><mass value="1"/>'
    '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    '<collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>'
    '<joint name="{0}_joint" type="continuous"><parent link="{1}"/><child link="{0}"/></joint>'
)
CHAIN = TOOL.format('one', 'upper') + TOOL.format('two', 'one') + TOOL.format('three', 'two')


def tag(inside, of='upper'):
    return f'<gazebo reference="{of}">{inside}</gazebo>'


def test_friction_is_that_of_gazebo_whatever_the_other_geom_has(arm):
    robot = arm(upper=BOX.format('collision'), more=tag('<mu1>0.2</mu1><mu2>0.3</mu2>'))
    geom = robot.model.geom_bodyid.tolist().index(robot.model.body('upper').id)
    assert robot.model.geom_friction[geom] == pytest.approx([0.2, 0.005, 0.0001])
    assert robot.model.geom_priority[geom] == 1
    assert robot.told('<mu2>').endswith(': upper')


@pytest.mark.parametrize(
    'inside', ['<turnGravityOff>true</turnGravityOff>', '<gravity>0</gravity>']
)
def test_a_link_without_gravity_does_not_fall(arm, inside):
    robot = arm(more=tag(inside))
    assert robot.model.body_gravcomp[robot.model.body('upper').id] == 1
    mujoco.mj_step(robot.model, robot.data, 100)
    assert robot.data.qpos[0] == pytest.approx(0, abs=1e-12)


def test_colours_of_gazebo_count_where_the_urdf_has_none(arm):
    painted = '<material name=""><color rgba="0 1 0 1"/></material></visual>'
    robot = arm(
        upper=BOX.format('visual') + BOX.format('visual').replace('</visual>', painted),
        more=tag('<material>Gazebo/Red</material>')
        + tag('<material>Gazebo/Wood</material>', 'base'),
    )
    assert robot.model.geom_rgba[1:].tolist() == [[1, 0, 0, 1], [0, 1, 0, 1]]
    assert robot.told('other than plain colours').endswith(': base')


def test_links_touch_each_other_unless_gazebo_says_that_they_do_not(arm):
    free = arm(more=CHAIN)
    bodies = {tuple(sorted(free.model.geom_bodyid[c.geom].tolist())) for c in free.data.contact}
    assert (2, 4) in {tuple(pair) for pair in bodies} or (3, 5) in bodies
    one = arm(more=CHAIN + tag('<selfCollide>false</selfCollide>', 'three'))
    three = one.model.body('three').id
    assert all(three not in one.model.geom_bodyid[c.geom] for c in one.data.contact)
    none = arm(more=CHAIN + '<gazebo><self_collide>false</self_collide></gazebo>')
    assert none.data.ncon == 0


def test_springs_are_those_of_joints(arm):
    spring = '<springStiffness>2</springStiffness><springReference>0.5</springReference>'
    model = arm(more=tag(spring, 'elbow')).model
    assert model.joint('elbow').stiffness[0] == 2
    assert model.qpos_spring[0] == 0.5


def test_the_rest_of_gazebo_is_left_out_once(arm):
    robot = arm(
        more=tag('<kp>1</kp><sensor name="camera"/><odd/>')
        + '<gazebo><plugin name="control"/></gazebo>'
        + tag('<mu1>1</mu1>', 'nowhere')
    )
    assert robot.faults == [
        'Gazebo solver settings for contacts and limits (<kp>, <kd> and the like): upper',
        'Gazebo sensors (use sensor plugins instead): camera',
        '<odd> in <gazebo>: upper',
        'Gazebo plugins: control',
        '<gazebo> elements for unknown links and joints: nowhere',
    ]


def test_a_number_that_is_none_is_told(arm):
    with pytest.raises(UrdfError, match="<mu1>: value must be a number, got 'much'"):
        arm(more=tag('<mu1>much</mu1>'))
    with pytest.raises(UrdfError, match='<mu1>: value must be at least 0, got -1'):
        arm(more=tag('<mu1>-1</mu1>'))
