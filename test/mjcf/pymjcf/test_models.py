"""Models behave like PyMJCF's where `mjcf` differs."""

from __future__ import annotations

import copy
import io

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.mjcf import pymjcf
from mujoco_ros_py.mjcf.pymjcf.copier import Copier

XML = '<mujoco model="arm"><worldbody><geom name="tip" size="1"/></worldbody></mujoco>'
SECTIONS = {'compiler', 'option', 'size', 'visual', 'default', 'worldbody', 'actuator', 'sensor'}


def tags(element):
    return {child.tag for child in element.all_children()}


@pytest.mark.parametrize(
    'model',
    [
        pymjcf.RootElement(),
        pymjcf.from_xml_string(XML),
        copy.deepcopy(pymjcf.RootElement()),
    ],
    ids=['new', 'read', 'copied'],
)
def test_a_model_has_all_sections_from_the_beginning(model):
    assert tags(model) >= SECTIONS
    assert {'global', 'map'} <= tags(model.visual)
    assert {'geom', 'joint'} <= tags(model.default)


def test_sections_that_are_empty_are_not_written():
    model = pymjcf.RootElement(model='arm')
    assert model.to_xml_string() == '<mujoco model="arm"/>\n'


def test_a_file_is_read_from_a_path_or_an_open_file(tmp_path):
    path = tmp_path / 'arm.xml'
    path.write_text(XML)
    for given in (path, str(path), io.StringIO(XML), io.BytesIO(XML.encode())):
        model = pymjcf.from_file(given)
        assert isinstance(model, pymjcf.RootElement)
        assert model.find('geom', 'tip') is not None
    assert isinstance(pymjcf.from_path(path), pymjcf.RootElement)


def test_a_zip_is_read_as_a_model_of_this_kind(tmp_path):
    path = pymjcf.export_with_assets_as_zip(pymjcf.from_xml_string(XML), tmp_path)
    assert isinstance(pymjcf.from_zip(path, model_file='arm.xml'), pymjcf.RootElement)


def test_elements_without_names_have_their_identifiers_in_what_is_written(tmp_path):
    host, model = pymjcf.RootElement(model='host'), pymjcf.RootElement(model='arm')
    host.attach(model)
    geom = model.worldbody.add('body').add('geom', size=[1])
    compiled = mujoco.MjModel.from_xml_string(host.to_xml_string())
    assert compiled.geom(0).name == geom.full_identifier
    pymjcf.export_with_assets(host, tmp_path, 'host.xml')
    exported = mujoco.MjModel.from_xml_path(str(tmp_path / 'host.xml'))
    assert exported.geom(0).name == geom.full_identifier
    assert 'name' not in geom.to_xml_string(self_only=True)


def test_a_list_of_bodies_has_the_frames_of_attached_models():
    model, cup = pymjcf.RootElement(model='arm'), pymjcf.RootElement(model='cup')
    frame = model.attach(cup)
    freejoint = frame.add('freejoint')
    assert list(model.worldbody.body) == model.worldbody.get_children('body') == [frame]
    assert pymjcf.get_freejoint(model.worldbody.body[0]) is freejoint


def test_a_name_that_is_set_stays_a_name_and_one_that_is_read_is_its_element():
    model = pymjcf.from_xml_string("""
        <mujoco>
          <worldbody><body><joint name="hinge"/></body></worldbody>
          <actuator><motor name="read" joint="hinge"/></actuator>
        </mujoco>
    """)
    hinge = model.find('joint', 'hinge')
    motor = model.actuator.add('motor', joint='hinge')
    assert (model.find('actuator', 'read').joint, motor.joint) == (hinge, 'hinge')
    hinge.name = 'knee'
    assert motor.joint == 'hinge'
    motor.joint = 'knee'
    model.resolve_references()
    assert motor.joint is hinge


def test_names_stay_names_when_that_is_asked_for():
    xml = """
        <mujoco>
          <worldbody><body><joint name="hinge"/></body></worldbody>
          <actuator><motor name="read" joint="hinge"/></actuator>
        </mujoco>
    """
    model = pymjcf.from_xml_string(xml, resolve_references=False)
    assert model.find('actuator', 'read').joint == 'hinge'


def test_a_copier_tells_which_element_became_which():
    source, destination = pymjcf.from_xml_string(XML), pymjcf.RootElement(model='other')
    copies = Copier(source).copy_into(destination)
    assert copies[source.find('geom', 'tip')] is destination.find('geom', 'tip')
    source.attach(pymjcf.RootElement(model='cup'))
    with pytest.raises(NotImplementedError, match='a model with attached models'):
        Copier(source)


def test_a_copy_that_overrides_attributes_takes_over_the_models_name_too():
    arenas = [pymjcf.RootElement(model='arena') for _ in range(2)]
    cell = pymjcf.RootElement(model='cell')
    arenas[0].include_copy(cell)
    Copier(cell).copy_into(arenas[1])
    assert [arena.model for arena in arenas] == ['arena'] * 2
    arenas[0].include_copy(cell, override_attributes=True)
    Copier(cell).copy_into(arenas[1], override_attributes=True)
    assert [arena.model for arena in arenas] == ['cell'] * 2


def test_a_child_whose_name_is_a_word_of_python_is_found_by_calling_getattr():
    visual = pymjcf.RootElement().visual
    visual.__getattr__('global').offwidth = 640
    assert visual.get_children('global').offwidth == 640
    with pytest.raises(AttributeError, match="unknown attribute or child 'globe'; known: global"):
        visual.__getattr__('globe')


def test_the_scope_knows_models_and_names():
    model, cup = pymjcf.RootElement(model='arm'), pymjcf.RootElement(model='cup')
    frame = model.attach(cup)
    cup.worldbody.add('body', name='mug')
    scope = cup.namescope
    assert scope.has_identifier('body', 'mug')
    assert not scope.has_identifier('body', 'plate')
    assert model.namescope.get('attached_model', 'cup') is cup
    assert model.namescope.get('attachment_frame', 'cup') is frame
    assert (scope.full_prefix(), scope.full_prefix(as_list=True)) == ('cup/', ['cup'])
    assert scope.full_prefix(scope) == ''


def test_a_skin_file_is_parsed_and_serialized_again():
    model = pymjcf.RootElement()
    body = model.worldbody.add('body', name='thigh')
    content = b''.join(
        [
            np.array([3, 3, 1, 1], '<i4').tobytes(),
            np.arange(9, dtype='<f4').tobytes(),
            np.arange(6, dtype='<f4').tobytes(),
            np.array([0, 1, 2], '<i4').tobytes(),
            b'thigh'.ljust(40, b'\0'),
            np.array([1, 2, 3, 1, 0, 0, 0], '<f4').tobytes(),
            np.array([2, 0, 2], '<i4').tobytes(),
            np.array([0.5, 0.25], '<f4').tobytes(),
        ]
    )
    skin = pymjcf.skin.parse(content, {'thigh': body}.__getitem__)
    (bone,) = skin.bones
    assert bone.body() is body
    assert skin.vertices.shape == (3, 3)
    assert bone.bindpos.tolist() == [1, 2, 3]
    assert bone.vertex_ids.tolist() == [0, 2]
    assert pymjcf.skin.serialize(skin) == content
    body.name = 'leg'
    assert b'leg\0' in pymjcf.skin.serialize(skin)
    body.name = 'x' * 41
    with pytest.raises(ValueError, match='40 bytes'):
        pymjcf.skin.serialize(skin)
