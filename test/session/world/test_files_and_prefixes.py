"""The files that entities keep open, and entity names next to names in the model."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from mujoco_ros_py.engine.resources import held_archives
from mujoco_ros_py.errors import ConfigError, EntityError, SpawnFault
from mujoco_ros_py.session import Session

EMPTY = '<mujoco/>'
CUBE = """
<mujoco model="cube">
  <worldbody><body><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody>
</mujoco>
"""
ATTACHED = """
<mujoco>
  <asset><material name="left/paint" rgba="1 0 0 1"/></asset>
  <worldbody>
    <body name="left/upper"><joint/><geom size=".1" material="left/paint"/></body>
  </worldbody>
</mujoco>
"""


@pytest.fixture
def archive(tmp_path: Path) -> str:
    content = io.BytesIO()
    with zipfile.ZipFile(content, 'w') as made:
        made.writestr('cube.xml', CUBE)
    path = tmp_path / 'cube.zip'
    path.write_bytes(content.getvalue())
    return str(path)


def test_an_archive_is_open_as_long_as_an_entity_of_it_is_there(archive):
    before = held_archives()
    with Session(mujoco_xml=EMPTY) as session:
        session.spawn(archive, 'one')
        session.spawn(archive, 'two')
        assert held_archives() == before + 2
        session.delete('one')
        assert held_archives() == before + 1
        session.spawn(CUBE, 'three')  # the archive of the other is still needed
        session.delete('two', 'three')
        assert held_archives() == before


def test_an_archive_whose_entity_is_refused_does_not_stay_open(archive):
    before = held_archives()
    with Session(mujoco_xml=EMPTY) as session:
        session.spawn(archive, 'cube')
        with pytest.raises(EntityError, match='taken'):
            session.spawn(archive, 'cube')
        with pytest.raises(ConfigError):
            session.spawn(archive, 'other', plugins='no list')
        assert held_archives() == before + 1


def test_archives_of_entities_are_closed_by_a_reload_and_at_the_end(archive):
    before = held_archives()
    with Session(mujoco_xml=EMPTY) as session:
        session.spawn(archive)
        session.reload()
        assert held_archives() == before
        session.spawn(archive)
    assert held_archives() == before


def test_an_entity_gets_no_name_that_names_of_the_model_begin_with():
    """Otherwise its end would take away what has these names."""
    with Session(mujoco_xml=ATTACHED) as session:
        with pytest.raises(
            EntityError, match=r"taken by the model.*begin with 'left/'"
        ) as refused:
            session.spawn(CUBE, 'left')
        assert refused.value.fault is SpawnFault.NAME_NOT_UNIQUE
        assert session.spawn(CUBE, 'left', renaming=True).name == 'left_1'
        session.delete('left_1')
        assert session.snapshot().model.nmat == 1


def test_a_name_that_a_model_gives_is_made_one_that_an_entity_may_have():
    with Session(mujoco_xml=EMPTY) as session:
        for given, made in (
            ('a/b', 'a_b'),
            ('two&#10;lines', 'two_lines'),
            (' \t ', 'entity'),
            ('x' * 300, 'x' * 240),
        ):
            entity = session.spawn(CUBE.replace('model="cube"', f'model="{given}"'))
            assert entity.name == made
            session.delete(made)
        again = CUBE.replace('model="cube"', f'model="{"x" * 300}"')
        assert [len(session.spawn(again, renaming=True).name) for _ in range(2)] == [240, 242]
