"""Entities that are moved in the model, and a world that is restored as loaded."""

from __future__ import annotations

import mujoco
import pytest

from mujoco_ros_py.errors import EntityError
from mujoco_ros_py.session import Session

WORLD = """
<mujoco>
  <worldbody>
    <body name="table" pos="1 0 0" euler="0 0 90"><geom type="box" size=".4 .2 .1"/></body>
    <body name="ball" pos="0 0 3"><freejoint/><geom size="0.1"/></body>
  </worldbody>
</mujoco>
"""
CUBE = '<mujoco model="cube"><worldbody><body><geom size=".1"/></body></worldbody></mujoco>'
POSE = [4.0, 5.0, 6.0], [1.0, 0.0, 0.0, 0.0]


@pytest.fixture
def session():
    with Session(mujoco_xml=WORLD) as session:
        yield session


def on_loads(session, function):
    return session._assembly.between_loads(lambda: function(session._assembly)).result()


def place(session, name):
    return list(session.snapshot().data.body(name).xpos)


def names(session):
    return [entity.name for entity in session.entities]


def test_a_body_of_the_model_and_a_spawned_one_are_placed_and_stay_there(session):
    session.spawn(CUBE)
    on_loads(session, lambda loader: loader.place_here('table', POSE))
    on_loads(session, lambda loader: loader.place_here('cube', POSE))
    session.spawn(CUBE, 'second')
    assert place(session, 'table') == place(session, 'cube/base') == POSE[0]
    with pytest.raises(EntityError, match='taken'):
        session.spawn(CUBE)
    session.spawn(CUBE, 'third')  # composed from scratch after the error
    session.reset()
    assert place(session, 'table') == place(session, 'cube/base') == POSE[0]
    assert list(session.snapshot().data.body('table').xquat) == POSE[1]


def test_what_is_not_there_cannot_be_placed(session):
    with pytest.raises(EntityError, match="unknown entity 'chair'"):
        on_loads(session, lambda loader: loader.place_here('chair', POSE))


def test_a_restored_world_is_that_of_the_model(session):
    session.step(10)
    session.spawn(CUBE)
    session.delete('ball')
    on_loads(session, lambda loader: loader.place_here('table', POSE))
    on_loads(session, lambda loader: loader.restore_world_here())
    assert names(session) == ['table', 'ball']
    assert place(session, 'table') == [1, 0, 0]
    assert session.snapshot().data.body('ball').xpos[2] == 3
    assert session.time == pytest.approx(0.02)
    session.spawn(CUBE)
    assert names(session) == ['table', 'ball', 'cube']


def test_an_unaltered_world_is_left_alone(session):
    before = session.snapshot().model
    on_loads(session, lambda loader: loader.restore_world_here())
    assert session.snapshot().model is before


CROWDED = """
<mujoco>
  <worldbody>
    <replicate count="3" offset="1 0 0"><body name="post"><geom size=".1"/></body></replicate>
    <frame pos="0 5 0" euler="0 0 90">
      <body name="left" pos="1 0 0"><joint name="left"/><geom name="left" size=".1"/></body>
      <body name="right" pos="2 0 0">
        <joint name="right"/><geom size=".1"/><site name="tip" pos="0 0 .2"/>
      </body>
    </frame>
    <body name="cart" pos="0 0 3">
      <joint name="rail" type="slide" axis="1 0 0"/><geom size=".1"/><site name="hook"/>
      <camera name="watching" mode="targetbody" target="right"/>
    </body>
    <body name="hand" mocap="true" pos="0 0 7"/>
    <body name="other hand" mocap="true" pos="0 0 8"/>
  </worldbody>
  <tendon><spatial name="rope"><site site="hook"/><site site="tip"/></spatial></tendon>
  <actuator>
    <motor name="first" joint="left"/><motor name="second" joint="right"/>
    <general name="winch" tendon="rope" dyntype="integrator"/><motor name="last" joint="rail"/>
  </actuator>
  <sensor>
    <tendonpos name="rope" tendon="rope"/><actuatorpos name="winch" actuator="winch"/>
    <jointpos name="rail" joint="rail"/><subtreecom name="all" body="world"/>
  </sensor>
  <keyframe>
    <key name="k" time="2" qpos=".1 .2 .3" qvel="1 2 3" ctrl="4 5 6 7" act=".5"
      mpos="1 1 1 2 2 2" mquat="1 0 0 0 0 1 0 0"/>
  </keyframe>
</mujoco>
"""


def named(model: mujoco.MjModel, kind: str, count: int) -> list[str]:
    return [getattr(model, kind)(index).name for index in range(count)]


def test_what_refers_to_a_deleted_body_goes_with_it_and_the_keys_keep_all_else():
    with Session(mujoco_xml=CROWDED) as session:
        session.spawn(CUBE, 'cube')
        session.delete('right', 'hand')
        model = session.snapshot().model
        assert named(model, 'actuator', model.nu) == ['first', 'last']
        assert named(model, 'sensor', model.nsensor) == ['rail', 'all']
        assert (model.ntendon, model.ncam) == (0, 0)
        assert model.key('k').time == 2
        assert model.key('k').qpos[:2].tolist() == [0.1, 0.3]
        assert model.key('k').qvel[:2].tolist() == [1, 3]
        assert model.key('k').ctrl.tolist() == [4, 7]
        assert model.key('k').act.tolist() == []
        assert model.key('k').mpos.tolist() == [2, 2, 2]
        assert model.key('k').mquat.tolist() == [0, 1, 0, 0]
        assert model.key('k').qpos[2:].tolist() == model.qpos0[2:].tolist()


def test_bodies_that_no_element_stands_for_are_deleted_and_placed_alone():
    with Session(mujoco_xml=CROWDED) as session:
        before = session.snapshot().model
        session.delete('post1')
        on_loads(session, lambda loader: loader.place_here('left', ([4, 4, 4], [1, 0, 0, 0])))
        model = session.snapshot().model
        names = named(model, 'body', model.nbody)
        assert names == [each for each in named(before, 'body', before.nbody) if each != 'post1']
        for name in set(names) - {'left'}:
            assert model.body(name).pos == pytest.approx(before.body(name).pos, abs=1e-12)
            assert model.body(name).quat == pytest.approx(before.body(name).quat, abs=1e-12)
        assert model.body('left').pos.tolist() == [4, 4, 4]
        assert model.key('k').qpos.tolist() == [0.1, 0.2, 0.3]
