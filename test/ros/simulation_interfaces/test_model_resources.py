"""Models by the URIs of requests, and the plugin files next to them."""

from __future__ import annotations

import pytest

pytest.importorskip('simulation_interfaces.srv', reason='simulation_interfaces was not built')

from mujoco_ros_py.engine.resources import register_shipped
from mujoco_ros_py.ros.simulation_interfaces.model_catalogue import described_text, listed_models
from mujoco_ros_py.ros.simulation_interfaces.model_resources import local_file, plugins_beside
from mujoco_ros_py.ros.simulation_interfaces.results import NOT_FOUND, ResultError
from mujoco_ros_py.simulation import ModelSource


@pytest.fixture(autouse=True)
def providers():
    register_shipped()


def test_plugins_lie_beside_a_file_of_this_machine(tmp_path, monkeypatch):
    share = tmp_path / 'share'
    index = share / 'ament_index/resource_index/packages'
    (share / 'robots').mkdir(parents=True)
    index.mkdir(parents=True)
    (index / 'robots').touch()
    monkeypatch.setenv('AMENT_PREFIX_PATH', str(tmp_path))
    plugins = share / 'robots' / 'arm.plugins.yaml'
    plugins.touch()
    for place in (str(share / 'robots' / 'arm.xml'), 'package://robots/arm.urdf'):
        assert plugins_beside(ModelSource(path=place)) == str(plugins)
    for place in ('package://robots/leg.xml', 'http://localhost/arm.xml', ''):
        assert plugins_beside(ModelSource(path=place)) == ''


def test_a_place_on_this_machine_is_told_from_others(tmp_path):
    assert local_file(f'file://{tmp_path}/a%20b.xml') == tmp_path / 'a b.xml'
    assert local_file('data:text/xml,x') is None
    assert local_file('') is None


def test_a_folder_is_listed_by_what_is_in_it_alone(tmp_path):
    (tmp_path / 'deeper').mkdir()
    (tmp_path / 'deeper/a.xml').write_text('<mujoco/>')
    (tmp_path / 'b.zip').write_bytes(b'')
    (tmp_path / 'c.urdf').write_text('<robot name="see"/>')
    (tmp_path / 'd.xml').write_text('<mujocoinclude/>')
    found = listed_models(f'{tmp_path}/')
    assert [(each.uri, each.name) for each in found] == [
        (f'{tmp_path}/b.zip', 'b'), (f'{tmp_path}/c.urdf', 'see'),
    ]  # fmt: skip
    for place in ('/no/such/place', 'package://no_such_package/x'):
        with pytest.raises(ResultError) as refused:
            listed_models(place)
        assert refused.value.code == NOT_FOUND


def test_what_comes_from_elsewhere_is_listed_as_it_is():
    (far,) = listed_models('https://localhost/hall.xml')
    assert (far.uri, far.name) == ('https://localhost/hall.xml', 'hall')
    assert listed_models('https://localhost/hall.xml', offline_only=True) == []
    (made,) = listed_models('python://rooms:hall')
    assert made.uri == 'python://rooms:hall'


def test_texts_that_define_entities_are_not_read():
    text = b'<!DOCTYPE mujoco [<!ENTITY a "b">]><mujoco model="&a;"/>'
    assert described_text('', text, 'world') is None
    assert described_text('', b'<mujoco/>', 'world').name == 'world'
