"""Entities that are placed in the model, and a world that is taken back to what was loaded."""

from __future__ import annotations

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
    return session._assembly.between_loads(function).result()


def place(session, name):
    return list(session.snapshot().data.body(name).xpos)


def names(session):
    return [entity.name for entity in session.entities]


def test_a_body_of_the_model_and_a_spawned_one_are_placed_and_stay_there(session):
    session.spawn(CUBE)
    on_loads(session, lambda loader: loader.place('table', POSE))
    on_loads(session, lambda loader: loader.place('cube', POSE))
    session.spawn(CUBE, 'second')
    assert place(session, 'table') == place(session, 'cube/base') == POSE[0]
    with pytest.raises(EntityError, match='taken'):
        session.spawn(CUBE)
    session.spawn(CUBE, 'third')  # composed anew after the error
    session.reset()
    assert place(session, 'table') == place(session, 'cube/base') == POSE[0]
    assert list(session.snapshot().data.body('table').xquat) == POSE[1]


def test_what_is_not_there_cannot_be_placed(session):
    with pytest.raises(EntityError, match="unknown entity 'chair'"):
        on_loads(session, lambda loader: loader.place('chair', POSE))


def test_a_restored_world_is_that_of_the_model(session):
    session.step(10)
    session.spawn(CUBE)
    session.delete('ball')
    on_loads(session, lambda loader: loader.place('table', POSE))
    on_loads(session, lambda loader: loader.restore_world())
    assert names(session) == ['table', 'ball']
    assert place(session, 'table') == [1, 0, 0]
    assert session.snapshot().data.body('ball').xpos[2] == 3
    assert session.time == pytest.approx(0.02)
    session.spawn(CUBE)
    assert names(session) == ['table', 'ball', 'cube']


def test_an_unaltered_world_is_left_alone(session):
    before = session.snapshot().model
    on_loads(session, lambda loader: loader.restore_world())
    assert session.snapshot().model is before
