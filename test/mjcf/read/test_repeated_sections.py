"""Sections that occur again: what MuJoCo makes of them is what is written."""

from __future__ import annotations

import copy

import mujoco
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mujoco_ros_py import mjcf

TWICE = """
<mujoco>
  <default><geom gap=".01"/><default class="b"/></default>
  <default><geom margin=".1"/><default class="c"/></default>
  <worldbody>
    <geom name="none" size=".1"/>
    <geom name="before" size=".1" class="b"/>
    <geom name="behind" size=".1" class="c"/>
  </worldbody>
</mujoco>
"""
FIELDS = 'geom_margin', 'geom_gap', 'geom_solref', 'actuator_gainprm', 'actuator_biasprm'


def compiled(model):
    return mujoco.MjModel.from_xml_string(model.to_xml_string(), model.get_assets())


def attached(model):
    arena = mjcf.RootElement(model='arena')
    arena.attach(model)
    return arena


def committed(model):
    for element in list(model.worldbody.walk()):
        mjcf.commit_defaults(element)
    return model


def included(model):
    empty = mjcf.RootElement()
    empty.include_copy(model)
    return empty


WAYS = {
    'written': lambda model: model,
    'read again': lambda model: mjcf.from_xml_string(model.to_xml_string()),
    'copied': copy.deepcopy,
    'attached': attached,
    'attached as a copy': lambda model: attached(copy.deepcopy(model)),
    'attached twice': lambda model: attached(attached(model)),
    'committed': committed,
    'included': included,
}


@pytest.mark.parametrize('way', WAYS)
def test_a_class_has_what_the_outermost_defaults_said_when_it_was_made(way):
    model = WAYS[way](mjcf.from_xml_string(TWICE))
    assert compiled(model).geom_margin.tolist() == [0.1, 0, 0.1]
    assert compiled(model).geom_gap.tolist() == [0.01] * 3


def test_a_spec_and_an_exported_file_have_it_too(tmp_path):
    model = mjcf.from_xml_string(TWICE)
    assert model.to_spec().compile().geom_margin.tolist() == [0.1, 0, 0.1]
    mjcf.export_with_assets(model, tmp_path, 'model.xml')
    again = mujoco.MjModel.from_xml_path(str(tmp_path / 'model.xml'))
    assert again.geom_margin.tolist() == [0.1, 0, 0.1]


def test_the_last_defaults_are_those_of_elements_without_a_class():
    model = mjcf.from_xml_string(TWICE)
    assert model.default.geom.margin == 0.1
    model.default.geom.margin = 0.3
    assert compiled(model).geom_margin.tolist() == [0.3, 0, 0.3]
    assert model.to_source() == TWICE.replace('margin=".1"', 'margin="0.3"')
    assert not model.is_same_as(mjcf.from_xml_string(TWICE))


def test_defaults_that_say_the_same_in_one_element_are_one():
    text = """
        <mujoco>
          <default class="main"><geom gap=".1"/><motor ctrlrange="0 1"/></default>
          <default><geom margin=".1"/><default class="a"/></default>
          <default class="main"><default class="b"><geom gap=".2"/></default></default>
        </mujoco>
    """
    model = mjcf.from_xml_string(text)
    assert (model.default.geom.gap, model.default.geom.margin) == (0.1, 0.1)
    assert [each.dclass for each in model.default.default] == ['a', 'b']
    assert model.find('default', 'main') is model.default
    model.default.geom.gap = 0.5
    assert model.to_source() == text.replace('gap=".1"', 'gap="0.5"')


def test_an_actuator_without_attributes_in_defaults_resets_those_before_it():
    text = """
        <mujoco>
          <default><position kp="5"/><default class="m"><motor/></default></default>
          <worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
          <actuator><general joint="j" class="m"/><general joint="j"/></actuator>
        </mujoco>
    """
    for way in 'written', 'read again', 'copied', 'attached as a copy':
        model = compiled(WAYS[way](mjcf.from_xml_string(text)))
        assert model.actuator_gainprm[:, 0].tolist() == [1, 5]


def test_a_section_of_defaults_that_is_included_resets_those_before_it():
    model = mjcf.from_xml_string("""
        <mujoco>
          <default><position kp="5"/><motor/></default>
          <worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
          <actuator><general joint="j"/></actuator>
        </mujoco>
    """)
    assert compiled(included(model)).actuator_gainprm[0, 0] == 1


def test_an_actuator_in_defaults_that_is_only_asked_for_resets_nothing():
    model = mjcf.from_xml_string("""
        <mujoco>
          <default><position kp="5"/><motor ctrlrange="0 1"/></default>
          <worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
          <actuator><general joint="j"/></actuator>
        </mujoco>
    """)
    assert model.default.velocity.kv is None
    model.default.motor.remove()
    assert compiled(model).actuator_gainprm[0, 0] == 5


def test_disabled_groups_of_actuators_add_up():
    text = (
        '<mujoco><option actuatorgroupdisable="1 2"/><option actuatorgroupdisable="2 4"/></mujoco>'
    )
    model = mjcf.from_xml_string(text)
    assert model.option.actuatorgroupdisable.tolist() == [1, 2, 4]
    assert compiled(model).opt.disableactuator == 0b10110


def test_a_later_assetdir_holds_for_meshes_and_textures():
    ball = b'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n'
    model = mjcf.from_xml_string(
        """
        <mujoco>
          <compiler meshdir="a"/><compiler assetdir="b"/>
          <asset><mesh file="m.obj"/></asset>
        </mujoco>
        """,
        assets={'b/m.obj': ball},
    )
    assert model.find('mesh', 'm').file.contents == ball


SECTIONS = {
    'geom': ['margin=".1"', 'margin=".2"', 'gap=".3"', 'solref=".1 1"'],
    'general': ['gear="2"', 'gainprm="7 8 9"'],
    'position': ['kp="3"', 'kv="4"', ''],
}


@st.composite
def defaults(draw):
    """Several <default>, each with sections and perhaps with classes."""
    made, names = [], iter('abcdef')
    for _ in range(draw(st.integers(1, 3))):
        tags = draw(st.lists(st.sampled_from(sorted(SECTIONS)), unique=True, max_size=3))
        said = [f'<{tag} {draw(st.sampled_from(SECTIONS[tag]))}/>' for tag in tags]
        if draw(st.booleans()):
            inner = draw(st.sampled_from(sorted(SECTIONS)))
            said.append(
                f'<default class="{next(names)}">'
                f'<{inner} {draw(st.sampled_from(SECTIONS[inner]))}/></default>'
            )
        made.append(f'<default>{"".join(said)}</default>')
    return ''.join(made)


@given(defaults=defaults(), way=st.sampled_from(sorted(WAYS)))
@settings(max_examples=settings.default.max_examples // 5)
def test_whatever_defaults_say_one_after_the_other_is_what_is_written(defaults, way):
    classes = [f'class="{name}"' for name in 'abc' if f'"{name}"' in defaults]
    text = f"""
        <mujoco>
          {defaults}
          <worldbody>
            <body><joint name="j"/><geom size=".1"/></body>
            {''.join(f'<geom size=".1" {each}/>' for each in classes)}
          </worldbody>
          <actuator>
            <general joint="j"/><position joint="j"/>
            {''.join(f'<general joint="j" {each}/><motor joint="j" {each}/>' for each in classes)}
          </actuator>
        </mujoco>
    """
    try:
        plain = mujoco.MjModel.from_xml_string(text)
    except ValueError:
        return
    model = compiled(WAYS[way](mjcf.from_xml_string(text)))
    for field in FIELDS:
        ours, theirs = getattr(model, field), getattr(plain, field)
        assert np.array_equal(ours, theirs), (field, way)
