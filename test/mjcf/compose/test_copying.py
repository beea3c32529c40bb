"""Copies of models."""

from __future__ import annotations

import copy

import mujoco
import pytest

from mujoco_ros_py import mjcf

MODEL = """
<mujoco model="m">
  <option timestep="0.01"/>
  <worldbody>
    <body name="b"><joint name="j"/><geom name="g" size="1"/><site name="s"/></body>
  </worldbody>
  <actuator><motor name="a" joint="j"/></actuator>
</mujoco>
"""


@pytest.fixture
def model():
    return mjcf.from_xml_string(MODEL)


def test_a_copy_is_the_same_and_independent(model):
    model.find('geom', 'g').size[0] = 2
    duplicate = copy.deepcopy(model)
    assert duplicate.is_same_as(model)
    assert duplicate.to_xml_string() == model.to_xml_string()
    duplicate.find('geom', 'g').size[0] = 3
    duplicate.find('body', 'b').name = 'c'
    assert model.find('geom', 'g').size.tolist() == [2]
    assert model.find('body', 'b') is not None


def test_references_in_a_copy_are_to_the_copy(model):
    model.resolve_references()
    duplicate = copy.copy(model)
    assert duplicate.find('actuator', 'a').joint is duplicate.find('joint', 'j')
    duplicate.find('joint', 'j').name = 'renamed'
    assert 'joint="renamed"' in duplicate.to_xml_string()
    assert 'joint="j"' in model.to_xml_string()


def test_what_is_attached_is_copied_too(model):
    model.find('site', 's').attach(mjcf.from_xml_string(MODEL.replace('"m"', '"inner"')))
    inner = model.find('joint', 'inner/j')
    model.actuator.add('motor', joint=inner)
    duplicate = copy.deepcopy(model)
    assert duplicate.to_xml_string() == model.to_xml_string()
    assert duplicate.find('joint', 'inner/j') not in (None, inner)
    assert duplicate.actuator.motor[1].joint is duplicate.find('joint', 'inner/j')


def test_sections_of_what_is_attached_keep_their_order_in_a_copy(model):
    first, second = (mjcf.from_xml_string(MODEL.replace('"m"', f'"{name}"')) for name in 'xy')
    model.attach(first)
    model.find('site', 's').attach(second)
    first.model = 'renamed'
    motors = [motor.full_identifier for motor in model.actuator.motor]
    assert motors == ['a', 'renamed/a', 'y/a']
    duplicate = copy.deepcopy(model)
    assert [motor.full_identifier for motor in duplicate.actuator.motor] == motors
    assert duplicate.to_xml_string() == model.to_xml_string()


def test_included_are_copies_under_their_own_names(model):
    target = mjcf.RootElement(model='target')
    target.include_copy(model)
    assert target.model == 'target'
    assert target.option.timestep == 0.01
    assert target.find('actuator', 'a').joint is target.find('joint', 'j')
    assert target.find('joint', 'j') is not model.find('joint', 'j')
    with pytest.raises(ValueError, match="'b' is already used"):
        target.include_copy(model)


def test_included_options_must_agree_unless_they_override(model):
    target = mjcf.RootElement()
    target.option.timestep = 0.5
    with pytest.raises(ValueError, match=r'timestep is 0\.5 here but 0\.01'):
        target.include_copy(model)
    target.include_copy(model, override_attributes=True)
    assert target.option.timestep == 0.01


def test_overriding_changes_elements_of_the_same_name(model):
    target = mjcf.from_xml_string(MODEL.replace('size="1"', 'size="5" mass="3"'))
    target.include_copy(model, override_attributes=True)
    (geom,) = target.find_all('geom')
    assert (geom.size.tolist(), geom.mass) == ([1], 3)


def test_models_with_attachments_are_not_included(model):
    model.attach(mjcf.RootElement(model='other'))
    with pytest.raises(NotImplementedError, match='has attached models'):
        mjcf.RootElement().include_copy(model)


def test_models_are_attached_to_a_copy_in_the_same_order():
    model = mjcf.RootElement(model='m')
    sites = [model.worldbody.add('site', name=name) for name in 'ab']
    for site in reversed(sites):
        part = mjcf.RootElement(model=f'at_{site.name}')
        part.custom.add('text', name='t', data=site.name)
        site.attach(part)
    again = copy.deepcopy(model)
    assert [each.model for each in again.attachments()] == ['at_b', 'at_a']
    assert again.to_xml_string() == model.to_xml_string()


@pytest.mark.parametrize('override', [False, True])
def test_a_model_that_cannot_be_included_changes_nothing(model, override):
    target = mjcf.from_xml_string(
        '<mujoco><worldbody><frame name="f"><body name="b"/></frame></worldbody></mujoco>'
    )
    model.worldbody.insert('geom', 0, name='first')
    target.actuator.add('motor', joint='first')
    before = target.to_xml_string()
    with pytest.raises(ValueError, match=r"name 'b' is already used|have different parents"):
        target.include_copy(model, override)
    assert target.to_xml_string() == before
    assert target.find('geom', 'first') is None
    target.find('body', 'b').name = 'other'
    target.include_copy(model, override)
    assert target.find('geom', 'first').parent is target.worldbody


def test_a_model_is_not_included_in_itself(model):
    with pytest.raises(ValueError, match="'m' cannot be included in itself"):
        model.include_copy(model)


def test_of_two_orientations_that_of_the_included_model_is_refused_or_overrides():
    def made(orientation):
        return mjcf.from_xml_string(f"""
            <mujoco>
              <default><geom {orientation}/></default>
              <worldbody><geom name="g" type="box" size=".1 .1 .1"/></worldbody>
            </mujoco>
        """)

    ours, other = made('euler="90 0 0"'), made('quat="1 1 0 0"')
    other.find('geom', 'g').remove()
    before = ours.to_xml_string()
    with pytest.raises(ValueError, match=r'only one of euler \(set here\) and quat'):
        ours.include_copy(other)
    assert ours.to_xml_string() == before
    ours.include_copy(other, override_attributes=True)
    compiled = mujoco.MjModel.from_xml_string(ours.to_xml_string())
    assert compiled.geom_quat[0] == pytest.approx([0.5**0.5, 0.5**0.5, 0, 0])
    assert ours.default.geom.euler is None
