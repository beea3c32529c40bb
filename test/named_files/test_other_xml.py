"""Files that are named as models, and are other XML."""

from __future__ import annotations

import pytest

from mujoco_ros_py.named_files import other_xml_named_in


def named(tmp_path, content: str, text: str = '<mujoco><include file="a.xml"/></mujoco>'):
    (tmp_path / 'a.xml').write_text(content)
    found = other_xml_named_in(text.encode(), str(tmp_path))
    return found and found.removeprefix(f'{tmp_path}/')


@pytest.mark.parametrize(
    'content',
    [
        '<settings><server password="x"/></settings>',
        '<?xml version="1.0"?>\n<!-- <mujoco> --><settings/>',
        '<!DOCTYPE settings SYSTEM "x">< settings />',
        '<settings',
        'text <settings/>',
        '<s:mujoco/>',
    ],
)
def test_other_xml_is_found(tmp_path, content):
    assert named(tmp_path, content) == 'a.xml'


@pytest.mark.parametrize(
    'content',
    ['<mujoco/>', '<!-- x --><mujocoinclude>', '\ufeff<robot name="r"/>', '', 'root:x:0:0', '<'],
)
def test_models_and_what_is_no_xml_are_none(tmp_path, content):
    assert named(tmp_path, content) is None


@pytest.mark.parametrize(
    'text',
    [
        '<mujoco><asset><model file="a.xml"/></asset></mujoco>',
        '<mujoco><include file="b.xml"/></mujoco>',
        '<mujoco><!-- -- --><include file="a.xml"/></mujoco>',
        '<!DOCTYPE a [<!ENTITY x "><mujoco><include file=\'a.xml\'/></mujoco><!--">]><mujoco/>',
    ],
)
def test_it_is_found_wherever_mujoco_finds_it(tmp_path, text):
    (tmp_path / 'b.xml').write_text('<mujoco><include file="a.xml"/></mujoco>')
    assert named(tmp_path, '<settings/>', text) == 'a.xml'


def test_a_mesh_is_no_model(tmp_path):
    text = '<mujoco><asset><mesh file="a.xml"/></asset></mujoco>'
    assert named(tmp_path, '<settings/>', text) is None
