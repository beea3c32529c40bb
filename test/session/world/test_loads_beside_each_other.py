"""Spawns during reloads, and the resources that plugins create which are never loaded."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mujoco
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.errors import EntityError, ModelError, PluginError
from mujoco_ros_py.plugins import Adaptable, MujocoPlugin
from mujoco_ros_py.session import Session

pytestmark = pytest.mark.slow

WORLD = """
<mujoco>
  <worldbody><body name="pendulum"><joint name="hinge"/><geom size=".1"/></body></worldbody>
</mujoco>
"""
CUBE = """
<mujoco model="cube">
  <worldbody><body><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody>
</mujoco>
"""


class Follower(MujocoPlugin, Adaptable):
    """Follows the simulation from its construction on, and stays when the model changes."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.follower = self.environment.follow(100.0, lambda _: None)
        made.append(self)

    def adapt(self, model, data):
        pass


class Refusing(MujocoPlugin):
    """Never loads."""

    def load(self, model, data):
        return False


class Swinging(MujocoPlugin):
    """Needs the joint."""

    def load(self, model, data):
        self.joint = model.joint('hinge').id


made: list[Follower] = []


@pytest.fixture
def followers():
    made.clear()
    yield made
    made.clear()


def going(followers: list[Follower]) -> list[Follower]:
    return [each for each in followers if not each.follower.closed]


def in_turn(session: Session, *calls: Callable[[], object]) -> list[object]:
    """Makes calls on separate threads while loads are blocked; returns their results."""
    came: dict[int, object] = {}

    def make(index: int, call: Callable[[], object]) -> None:
        try:
            came[index] = call()
        except Exception as error:
            came[index] = error

    free, threads = threading.Event(), []
    loads: Any = session._assembly._loads
    session._assembly.between_loads(lambda: free.wait(DEADLINE_S))
    for index, call in enumerate(calls):
        waiting = len(loads._waiting)
        threads.append(threading.Thread(target=make, args=(index, call)))
        threads[-1].start()
        while len(loads._waiting) == waiting and threads[-1].is_alive():
            threads[-1].join(0.001)
    free.set()
    for thread in threads:
        thread.join(DEADLINE_S)
    return [came[index] for index in range(len(calls))]


def test_the_plugin_that_is_made_in_vain_beside_one_that_stays_is_closed(followers):
    with Session(mujoco_xml=WORLD, plugins=[Follower]) as session:
        (first,) = followers
        session.spawn(CUBE)
        session.delete('cube')
        assert len(followers) == 3
        assert going(followers) == [first]
        assert session.plugins['follower'] is first
    assert going(followers) == []


def test_plugins_of_a_change_that_is_refused_are_closed(followers):
    with Session(mujoco_xml=WORLD, plugins=[Follower], strict=True) as session:
        (first,) = followers
        for act in (session.reload, session.change):
            with pytest.raises(PluginError):
                act(plugins=[Follower, Refusing])
            with pytest.raises(PluginError):
                act(plugins=[Refusing, {'type': Follower, 'name': 'other'}])
        assert len(followers) > 4
        assert going(followers) == [first]


def test_a_spawn_before_a_reload_finds_the_content_of_before(followers):
    with Session(mujoco_xml=WORLD) as session:
        entity, error = in_turn(
            session,
            lambda: session.spawn(CUBE),
            lambda: session.reload('/nowhere.xml', [Follower]),
        )
        assert entity in session.entities
        assert isinstance(error, ModelError)
        assert session.plugins == {}


def test_a_spawn_during_a_reload_is_made_in_the_world_that_the_reload_has_loaded():
    other = WORLD.replace('pendulum', 'other')
    with Session(mujoco_xml=WORLD) as session:
        in_turn(
            session,
            lambda: session.spawn(CUBE, 'lost'),
            lambda: session.reload(mujoco.MjSpec.from_string(other)),
            lambda: session.spawn(CUBE, 'kept'),
        )
        assert [entity.name for entity in session.entities] == ['other', 'kept']
        assert session.snapshot().model.nbody == 3


def test_of_two_that_delete_an_entity_at_once_one_is_told_that_it_is_gone():
    with Session(mujoco_xml=WORLD) as session:
        session.spawn(CUBE)
        first, second = in_turn(session, *[lambda: session.delete('cube')] * 2)
        assert first is None
        assert isinstance(second, EntityError)
        assert session.snapshot().model.nbody == 2


def test_a_file_of_plugins_is_read_again_by_a_reload_and_not_by_a_spawn(tmp_path: Path):
    file = tmp_path / 'plugins.yaml'
    file.write_text('[]')
    with Session(mujoco_xml=WORLD, plugins=str(file)) as session:
        file.write_text('- {type: nowhere/Nothing}')
        session.spawn(CUBE)
        assert session.problems == []
        session.reload()
        assert len(session.problems) == 1


def test_what_a_plugin_uses_is_deleted_unless_the_session_is_strict():
    with Session(mujoco_xml=WORLD, plugins=[Swinging]) as session:
        session.delete('pendulum')
        assert session.plugins == {}
        assert "Invalid name 'hinge'" in session.problems[0]
        session.step(2)
    with Session(mujoco_xml=WORLD, plugins=[Swinging], strict=True) as session:
        before = session.plugins
        with pytest.raises(PluginError, match="Invalid name 'hinge'"):
            session.delete('pendulum')
        assert session.plugins == before
        assert [entity.name for entity in session.entities] == ['pendulum']
        session.step(2)


def test_a_plugin_that_stays_does_not_grow_with_each_change(followers):
    with Session(mujoco_xml=WORLD, plugins=[Follower]) as session:
        owner: Any = next(each.owner for each in session._assembly.host.plugins)
        session.spawn(CUBE)
        before = len(owner._closing), len(owner._ending)
        for _ in range(3):
            session.delete('cube')
            session.spawn(CUBE)
        assert (len(owner._closing), len(owner._ending)) == before
