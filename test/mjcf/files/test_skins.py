"""Skin files follow the bodies that they name."""

from __future__ import annotations

import copy
from struct import pack

import mujoco
import pytest

from mujoco_ros_py import mjcf

MODEL = """
<mujoco model="m">
  <asset><skin file="skin.skn"/></asset>
  <worldbody>
    <body name="a"><geom size="1"/><body name="b" pos="1 0 0"><geom size="1"/></body></body>
  </worldbody>
</mujoco>
"""


def skin(*names):
    content = pack('<4i9f3i', 3, 0, 1, len(names), 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 2)
    for name in names:
        content += name.encode().ljust(40, b'\0') + pack('<7f', 0, 0, 0, 1, 0, 0, 0)
        content += pack('<4i3f', 3, 0, 1, 2, 1, 1, 1)
    return content


@pytest.fixture
def model():
    return mjcf.from_xml_string(MODEL, assets={'skin.skn': skin('a', 'b')})


def names_of_bones(model):
    result = mujoco.MjModel.from_xml_string(model.to_xml_string(), model.get_assets())
    return [result.body(i).name for i in result.skin_bonebodyid]


def test_an_untouched_skin_has_the_bytes_of_its_file(model):
    assert model.find('skin', 'skin').file.contents == skin('a', 'b')
    assert names_of_bones(model) == ['a', 'b']


def test_a_skin_follows_bodies_that_are_renamed(model):
    model.find('body', 'a').name = 'c'
    model.find('body', 'b').name = 'a'
    assert model.asset.skin[0].file.contents == skin('c', 'a')
    assert names_of_bones(model) == ['c', 'a']


def test_bodies_of_an_attached_skin_have_the_prefix(model):
    arena = mjcf.RootElement('arena')
    arena.attach(model)
    model.find('body', 'a').name = 'c'
    assert model.asset.skin[0].file.contents == skin('m/c', 'm/b')
    assert names_of_bones(arena) == ['m/c', 'm/b']
    assert names_of_bones(model) == ['c', 'b']


def test_two_models_of_one_skin_have_a_file_each(model):
    arena = mjcf.RootElement('arena')
    other = copy.deepcopy(model)
    other.model = 'other'
    arena.attach(model)
    arena.attach(other)
    assert names_of_bones(arena) == ['m/a', 'm/b', 'other/a', 'other/b']


def test_the_skin_of_a_copy_follows_the_bodies_of_the_copy(model):
    model.find('body', 'a').name = 'c'
    duplicate = copy.deepcopy(model)
    duplicate.find('body', 'c').name = 'd'
    assert names_of_bones(duplicate) == ['d', 'b']
    assert names_of_bones(model) == ['c', 'b']


def test_a_name_beyond_the_room_of_the_file_is_refused(model):
    model.find('body', 'a').name = 'x' * 40
    with pytest.raises(ValueError, match='39 bytes'):
        model.to_xml_string()


def test_a_source_cannot_give_a_file_other_names(model, tmp_path):
    assert 'skin.skn' in model.to_source()
    model.find('body', 'a').name = 'c'
    with pytest.raises(ValueError, match=r"file 'skin\.skn' contains old names of renamed bodies"):
        model.to_source()
    with pytest.raises(ValueError, match='to_xml_string and the exports'):
        mjcf.save(copy.copy(model), tmp_path / 'model.xml')
    assert str(model.asset.skin[0]) == '<skin file="skin.skn"/>'
    model.find('body', 'c').name = 'a'
    model.find('body', 'b').remove()
    assert 'skin.skn' in model.to_source()


def test_a_rename_does_not_need_the_file():
    model = mjcf.from_xml_string(MODEL)
    model.find('body', 'a').name = 'c'
    assert model.find('body', 'c') is not None
    assert '<body name="c">' in model.to_source()


def of_endless_bones():
    """Returns a skin with 2**31 - 1 bones, each with -9 vertices and therefore 0 bytes long."""
    content = bytearray(skin('a', 'b'))
    content[12:16] = pack('<i', 2**31 - 1)
    content[64 + 68 : 64 + 72] = pack('<i', -9)
    return bytes(content)


@pytest.mark.parametrize('content', [b'', b'\xff' * 100, skin('a', 'b')[:100], of_endless_bones()])
def test_what_is_no_skin_is_given_to_mujoco_as_it_is(content):
    model = mjcf.from_xml_string(MODEL, assets={'skin.skn': content})
    model.find('body', 'b').name = 'c'
    assert list(model.get_assets().values()) == [content]


def test_a_skin_can_be_set_as_an_asset(model):
    model.asset.skin.clear()
    model.asset.add('skin', name='s', file=mjcf.Asset(skin('b'), '.skn'))
    model.find('body', 'b').name = 'c'
    assert names_of_bones(model) == ['c']


def test_a_skin_of_the_world_is_that_of_the_frame_in_copies_too():
    model = mjcf.from_xml_string(MODEL, assets={'skin.skn': skin('world', 'b')})
    arena = mjcf.RootElement('arena')
    arena.attach(model)
    arena.attach(copy.deepcopy(model))
    assert names_of_bones(arena) == ['m/', 'm/b', 'm_1/', 'm_1/b']
