"""Many entities are spawned and deleted: names, memory and threads stay correct."""

from __future__ import annotations

import gc
import os
import threading
import time
from pathlib import Path

import pytest

from mujoco_ros_py.session import Session
from mujoco_ros_py.session.content import entity_source
from mujoco_ros_py.session.process_memory import give_back
from mujoco_ros_py.session.world import Spawn

pytestmark = pytest.mark.slow

WORLD = """
<mujoco>
  <worldbody>
    <geom type="plane" size="50 50 .1"/>
    <body name="pendulum" pos="0 0 3">
      <joint name="hinge" axis="0 1 0"/><geom size="0.1" pos="0.3 0 0"/>
    </body>
  </worldbody>
  <actuator><motor name="motor" joint="hinge"/></actuator>
</mujoco>
"""
ROBOT = """
<mujoco model="robot">
  <asset><material name="paint" rgba="1 0 0 1"/></asset>
  <worldbody>
    <body name="base"><freejoint/><geom type="box" size=".1 .1 .1" material="paint"/>
      <body pos=".2 0 0"><joint name="wheel"/><geom size=".05"/><site name="tip"/></body>
    </body>
  </worldbody>
  <actuator><motor name="drive" joint="wheel"/></actuator>
  <sensor><jointpos name="angle" joint="wheel"/></sensor>
</mujoco>
"""
PAGE = os.sysconf('SC_PAGE_SIZE')


def resident_bytes() -> int:
    gc.collect()
    give_back()
    return int(Path('/proc/self/statm').read_text().split()[1]) * PAGE


def kinds_of(session: Session, name: str) -> list[int]:
    """Returns the ids of what belongs to an entity, which are there if they have the names."""
    model = session.snapshot().model
    return [
        model.body(f'{name}/base').id,
        model.joint(f'{name}/wheel').id,
        model.actuator(f'{name}/drive').id,
        model.sensor(f'{name}/angle').id,
        model.material(f'{name}/paint').id,
    ]


@pytest.mark.nightly
def test_a_thousand_entities_one_after_the_other_leave_nothing_behind():
    with Session(mujoco_xml=WORLD) as session:
        sizes: list[int] = []
        for number in range(1000):
            name = f'robot{number}'
            session.spawn(ROBOT, name, position=[5, 0, 2])
            session.step(2)
            assert kinds_of(session, name) == [2, 2, 1, 0, 0]
            assert [entity.name for entity in session.entities] == ['pendulum', name]
            session.delete(name)
            if number % 100 == 99:
                sizes.append(resident_bytes())
            if number == 100:
                threads = threading.active_count()
        assert threading.active_count() == threads
        assert sizes[-1] - sizes[1] < 8 * 2**20, sizes
        assert session.status.steps == 2000
        assert session.snapshot().model.nbody == 2


@pytest.mark.parametrize(
    ('count', 'times'), [(10, 4), pytest.param(100, 10, marks=pytest.mark.nightly)]
)
def test_many_entities_at_once_come_and_go_several_times(count, times):
    with Session(mujoco_xml=WORLD) as session:
        source = entity_source(ROBOT, session._content.config)
        sizes, threads = [], []
        for _ in range(times):
            spawns = [
                Spawn(source=source, name=f'r{k}', position=[5 + k, 0, 2]) for k in range(count)
            ]
            entities = session._assembly.spawn(spawns).result()
            session.step(2)
            assert [entity.name for entity in entities] == [f'r{k}' for k in range(count)]
            ids = [kinds_of(session, entity.name) for entity in entities]
            assert [each[0] for each in ids] == [2 + 2 * k for k in range(count)]
            session.delete(*[f'r{k}' for k in range(0, count, 2)])
            ids = [kinds_of(session, f'r{k}') for k in range(1, count, 2)]
            assert [each[2] for each in ids] == [1 + k for k in range(count // 2)]
            data = session.snapshot().data
            assert data.body('r7/base').xpos[0] == pytest.approx(12, abs=1e-3)
            session.delete(*[f'r{k}' for k in range(1, count, 2)])
            sizes.append(resident_bytes())
            threads.append(threading.active_count())
        assert sizes[-1] - sizes[2] < 8 * 2**20, sizes
        assert threads[-1] == threads[0]
        assert [entity.name for entity in session.entities] == ['pendulum']


def test_the_time_of_a_deletion_does_not_grow_with_the_number_of_what_is_deleted():
    with Session(mujoco_xml=WORLD) as session:
        source = entity_source(ROBOT, session._content.config)
        spawns = [Spawn(source=source, name=f'r{k}', position=[k, 0, 2]) for k in range(200)]
        session._assembly.spawn(spawns).result()
        begin = time.process_time()
        session.delete('r0')
        one = time.process_time()
        session.delete(*(f'r{k}' for k in range(1, 51)))
        assert time.process_time() - one < 5 * (one - begin)
