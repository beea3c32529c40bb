"""Models attached without a body in between; their own bodies can be free."""

from __future__ import annotations

import copy

import mujoco
import pytest

from mujoco_ros_py import mjcf

ROBOT = """
<mujoco model="robot">
  <default><geom rgba="1 0 0 1"/><default class="big"><geom size="0.5"/></default></default>
  <worldbody>
    <geom name="base" size="0.1"/>
    <body name="trunk" childclass="big" pos="0 0 1">
      <freejoint name="root"/>
      <geom name="hull"/>
      <body name="leg"><joint name="hip"/><geom name="foot" size="0.1"/></body>
    </body>
  </worldbody>
  <contact><exclude body1="world" body2="leg"/></contact>
  <actuator><motor name="m" joint="hip"/></actuator>
</mujoco>
"""


@pytest.fixture
def robot():
    return mjcf.from_xml_string(ROBOT)


@pytest.fixture
def arena():
    """A model with a site in the world, one in a frame there, and one in a body."""
    return mjcf.from_xml_string("""
        <mujoco model="arena">
          <default><geom rgba="0 1 0 1" size="3"/>
            <default class="blue"><geom rgba="0 0 1 1"/></default>
          </default>
          <worldbody>
            <site name="start" pos="1 2 3" quat="0 0 0 1"/>
            <frame pos="5 0 0"><site name="shifted"/></frame>
            <body name="table" childclass="blue"><geom/><site name="top"/></body>
          </worldbody>
        </mujoco>
    """)


def compiled(model):
    return mujoco.MjModel.from_xml_string(model.to_xml_string())


def names(model):
    return [model.body(number).name for number in range(model.nbody)]


def test_a_body_of_the_attached_models_world_is_in_the_world_and_may_be_free(arena, robot):
    arena.attach(robot, extra_body=False)
    model = compiled(arena)
    assert names(model) == ['world', 'table', 'robot/trunk', 'robot/leg']
    assert model.joint('robot/root').type[0] == mujoco.mjtJoint.mjJNT_FREE
    assert model.joint('robot/root').qpos0.tolist() == [0, 0, 1, 1, 0, 0, 0]
    assert model.geom('robot/base').bodyid[0] == 0
    assert model.actuator('robot/m').trnid[0] == model.joint('robot/hip').id


def test_it_stands_where_the_site_does(arena, robot):
    frame = arena.find('site', 'start').attach(robot, extra_body=False)
    assert (frame.tag, frame.pos.tolist()) == ('frame', [1, 2, 3])
    model = compiled(arena)
    assert model.joint('robot/root').qpos0.tolist() == [1, 2, 4, 0, 0, 0, 1]
    frame.pos = [0, 0, 7]
    assert compiled(arena).geom('robot/base').pos.tolist() == [0, 0, 7]


def test_frames_around_the_site_move_it_too(arena, robot):
    arena.find('site', 'shifted').attach(robot, extra_body=False)
    assert compiled(arena).joint('robot/root').qpos0[:3].tolist() == [5, 0, 1]


def test_defaults_of_both_models_are_kept_apart_as_with_a_body(arena, robot):
    del robot.find('body', 'trunk').freejoint
    arena.find('site', 'top').attach(robot, extra_body=False)
    model = compiled(arena)
    assert model.geom('robot/base').rgba.tolist() == [1, 0, 0, 1]
    assert model.geom('robot/hull').size[0] == 0.5
    assert model.body('robot/trunk').parentid[0] == model.body('table').id


def test_the_world_of_the_attached_model_is_the_body_around_the_frame(arena, robot):
    del robot.find('body', 'trunk').freejoint
    arena.find('site', 'top').attach(robot, extra_body=False)
    assert 'body1="table" body2="robot/leg"' in arena.to_xml_string()
    robot.detach()
    arena.find('body', 'table').name = None
    arena.find('site', 'top').attach(robot, extra_body=False)
    assert compiled(arena).nexclude == 1
    robot.detach()
    arena.attach(robot, extra_body=False)
    assert 'body1="world" body2="robot/leg"' in arena.to_xml_string()


@pytest.mark.parametrize(
    'of', ['<freejoint name="root"/>', '<joint type="free" name="root"/>', '<freejoint/>']
)
def test_a_free_joint_behind_the_body_of_an_attachment_is_refused_when_written(arena, of):
    robot = mjcf.from_xml_string(ROBOT.replace('<freejoint name="root"/>', of))
    arena.attach(robot)
    rule = "^<(free|)joint.*/> of model 'robot' is free.*extra_body=False"
    with pytest.raises(ValueError, match=rule):
        arena.to_xml_string()
    assert robot.to_xml_string(), 'alone it is fine'
    mjcf.get_freejoint(robot.find('body', 'trunk')).remove()
    assert compiled(arena).njnt == 1


def test_a_mocap_body_behind_the_body_of_an_attachment_is_refused_when_written(arena):
    hand = mjcf.RootElement(model='hand')
    hand.worldbody.add('body', name='palm', mocap=True)
    arena.attach(hand)
    with pytest.raises(ValueError, match=r"'hand' is moved by mocap, .*extra_body=False"):
        arena.to_xml_string()
    hand.detach()
    arena.attach(hand, extra_body=False)
    assert compiled(arena).nmocap == 1


def test_a_free_joint_of_a_model_at_a_site_of_a_body_is_refused_when_written(arena, robot):
    arena.find('site', 'top').attach(robot, extra_body=False)
    rule = "'robot' is free.* model 'robot' is attached in <body name=\"table\""
    with pytest.raises(ValueError, match=rule):
        arena.to_xml_string()


def test_a_free_joint_is_found_through_models_that_are_attached_to_the_attached_one(arena, robot):
    middle = mjcf.RootElement(model='middle')
    middle.worldbody.add('frame', pos=[0, 0, 1]).add('site', name='s')
    middle.find('site', 's').attach(robot, extra_body=False)
    assert compiled(middle).njnt == 2
    arena.attach(middle)
    with pytest.raises(
        ValueError, match=r"model 'robot' is free.* model 'middle' is attached with a body"
    ):
        arena.to_xml_string()
    middle.detach()
    arena.attach(middle, extra_body=False)
    assert 'middle/robot/trunk' in names(compiled(arena))


def test_the_free_joint_of_a_frame_is_refused_when_that_is_no_longer_in_the_world(arena, robot):
    del robot.find('body', 'trunk').freejoint
    middle = mjcf.RootElement(model='middle')
    middle.attach(robot).add('freejoint')
    arena.attach(middle)
    with pytest.raises(ValueError, match=r"model 'middle' is free.* model 'middle' is"):
        arena.to_xml_string()


def test_a_frame_of_the_world_holds_bodies_that_may_be_free_too(arena, robot):
    del robot.find('body', 'trunk').freejoint
    arena.find('site', 'shifted').attach(robot).add('freejoint')
    assert compiled(arena).joint('robot/').qpos0[:3].tolist() == [5, 0, 0]


@pytest.mark.parametrize('tag', ['joint', 'freejoint', 'inertial', 'geom'])
def test_such_a_frame_takes_nothing_and_says_why(arena, robot, tag):
    frame = arena.attach(robot, extra_body=False)
    with pytest.raises(AttributeError, match=f'<{tag}> is not allowed here, because the model'):
        frame.add(tag)
    assert mjcf.get_frame_freejoint(robot) is None
    assert mjcf.get_frame_joints(robot) == []


def test_it_is_found_copied_and_detached_as_other_frames_are(arena, robot):
    alone = arena.to_xml_string()
    frame = arena.attach(robot, extra_body=False)
    assert arena.find('attachment_frame', 'robot') is frame
    assert mjcf.get_attachment_frame(robot) is frame
    assert arena.find('body', 'robot/trunk') is robot.find('body', 'trunk')
    assert [body.name for body in arena.find_all('body')] == ['table', 'trunk', 'leg']
    again = copy.deepcopy(arena)
    assert again.to_xml_string() == arena.to_xml_string()
    assert again.is_same_as(arena)
    robot.detach()
    assert arena.to_xml_string() == alone
    assert frame.is_removed
    assert frame.to_xml_string().startswith('<frame name="robot/">')


def test_what_is_written_can_be_read_again(arena, robot):
    arena.find('site', 'start').attach(robot, extra_body=False)
    text = arena.to_xml_string()
    assert mjcf.from_xml_string(text).to_xml_string() == text
