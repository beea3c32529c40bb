"""The URDF that plugins receive: the original text that their robot was read from."""

from __future__ import annotations

from zipfile import ZipFile

import mujoco

from mujoco_ros_py import mjcf
from mujoco_ros_py.plugins import Adaptable, MujocoPlugin
from mujoco_ros_py.session import Session

ARM = """<?xml version="1.0"?>
<!-- an arm -->
<robot name="arm">
  <link name="base"/>
  <link name="upper"/>
  <joint name="turn" type="continuous"><parent link="base"/><child link="upper"/></joint>
</robot>
"""
OTHER = ARM.replace('<!-- an arm -->', '<!-- another äöü -->')
MJCF = '<mujoco><worldbody><body name="base"><geom size="1"/></body></worldbody></mujoco>'


class Reader(MujocoPlugin, Adaptable):
    """Records the URDF that it receives."""

    def load(self, model, data):
        self.given = self.environment.urdf

    def adapt(self, model, data):
        self.given = self.environment.urdf


def given(session: Session, name: str = 'reader') -> str:
    return session.plugins[name].given


def test_the_text_is_that_of_the_file_as_it_came(tmp_path):
    (tmp_path / 'arm.urdf').write_bytes(OTHER.encode())
    with Session(tmp_path / 'arm.urdf', plugins=[{'type': Reader, 'name': 'reader'}]) as session:
        assert given(session) == OTHER
        western = OTHER.replace('"1.0"', '"1.0" encoding="ISO-8859-1"')
        (tmp_path / 'arm.urdf').write_bytes(western.encode('latin-1'))
        session.reload()
        assert given(session) == western


def test_the_text_of_a_file_is_read_with_the_encoding_that_it_declares(tmp_path):
    russian = OTHER.replace('"1.0"', '"1.0" encoding="windows-1251"').replace('äöü', 'рука')
    (tmp_path / 'arm.urdf').write_bytes(russian.encode('windows-1251'))
    with Session(tmp_path / 'arm.urdf', plugins=[{'type': Reader, 'name': 'reader'}]) as session:
        assert given(session) == russian


def test_the_text_may_be_given_or_be_in_a_zip(tmp_path):
    plugins = [{'type': Reader, 'name': 'reader'}]
    with Session(mujoco_xml=ARM, plugins=plugins) as session:
        assert given(session) == ARM
    with ZipFile(tmp_path / 'arm.zip', 'w') as archive:
        archive.writestr('robots/arm.urdf', ARM)
    with Session(f'{tmp_path}/arm.zip!/robots/arm.urdf', plugins=plugins) as session:
        assert given(session) == ARM


def test_other_models_have_no_text(tmp_path):
    (tmp_path / 'arm.xml').write_text(MJCF)
    model = mujoco.MjModel.from_xml_string(MJCF)
    mujoco.mj_saveModel(model, str(tmp_path / 'arm.mjb'))
    models = tmp_path / 'arm.xml', tmp_path / 'arm.mjb', model, mjcf.from_xml_string(MJCF), None
    for each in models:
        with Session(each, plugins=[{'type': Reader, 'name': 'reader'}]) as session:
            assert given(session) == '', each


def test_a_plugin_that_stays_is_given_the_text_of_the_new_model():
    with Session(mujoco_xml=ARM, plugins=[{'type': Reader, 'name': 'reader'}]) as session:
        stays = session.plugins['reader']
        session.change(mjcf.from_xml_string(MJCF))
        assert given(session) == ''
        assert session.plugins['reader'] is stays


def test_a_spawned_robot_has_its_own_text_and_the_world_none():
    plugins = [{'type': Reader, 'name': 'reader'}]
    with Session(plugins=plugins) as session:
        session.spawn(ARM, 'left', plugins=plugins)
        session.spawn(OTHER, 'right', plugins=plugins, namespace='far')
        session.spawn(MJCF, 'box', plugins=plugins)
        found = [given(session, f'{each}reader') for each in ('', 'left/', 'far/', 'box/')]
        assert found == ['', ARM, OTHER, '']
        session.delete('left')
        assert given(session, 'far/reader') == OTHER


def test_the_world_keeps_its_text_while_robots_come():
    with Session(mujoco_xml=ARM, plugins=[{'type': Reader, 'name': 'reader'}]) as session:
        session.spawn(MJCF, 'box', plugins=[{'type': Reader, 'name': 'reader'}])
        assert (given(session), given(session, 'box/reader')) == (ARM, '')
