"""Repeated sections are merged and written as MuJoCo reads them."""

from __future__ import annotations

import copy
from itertools import product

import mujoco
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mujoco_ros_py import mjcf
from mujoco_ros_py.mjcf import schema

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


IN_ONE_DEFAULT = """
<worldbody>
  <geom size=".1"/><site/><light/><camera/>
  <body><joint name="j"/><geom size=".1"/><camera/></body>
</worldbody>
<tendon><fixed><joint joint="j" coef="1"/></fixed></tendon>
"""
SAID_TWICE = {
    'a shorter array': ('default', '<geom friction="1 2 3"/>', '<geom friction="4"/>'),
    'a shorter array of options': ('option', 'o_solimp=".8 .9 .1 .4 1"', 'o_solimp=".7"'),
    'a length that stands for two': (
        'default', '<tendon springlength=".1 .2"/>', '<tendon springlength=".3"/>',
    ),
    'an empty array': ('default', '<geom user="1 2"/>', '<geom user=""/>'),
    'another orientation': ('default', '<site quat="1 2 3 4"/>', '<site euler="10 20 30"/>'),
    'a quaternion': ('default', '<site zaxis="1 1 1"/>', '<site quat="1 2 3 4"/>'),
    'a sensor': (
        'default', '<camera fovy="30"/>', '<camera sensorsize=".02 .01" resolution="4 2"/>',
    ),
    'an angle of view': (
        'default', '<camera sensorsize=".02 .01" resolution="4 2"/>', '<camera fovy="30"/>',
    ),
    'a type of light': ('default', '<light directional="true"/>', '<light type="point"/>'),
    'a light': ('default', '<light type="point"/>', '<light directional="true"/>'),
    'memory': ('size', 'njmax="100" nstack="9"', 'memory="1M"'),
    'old sizes': ('size', 'memory="1M"', 'njmax="100" nconmax="8"'),
    'memory that is not set': ('size', 'memory="1M"', 'memory="-1"'),
}  # fmt: skip
"""A tag, and the content of two sections. MuJoCo mostly refuses both in one element."""
OF_SAID_TWICE = (
    'geom_friction', 'geom_user', 'site_quat', 'cam_fovy', 'cam_sensorsize', 'cam_intrinsic',
    'light_type', 'tendon_lengthspring', 'narena', 'njmax', 'nconmax',
)  # fmt: skip


def sections_of(said):
    tag, *both = said
    inside = '<default>{}</default>' if tag == 'default' else f'<{tag} {{}}/>'
    return ''.join(inside.format(each) for each in both)


@pytest.mark.parametrize('way', ['written', 'read again', 'copied', 'attached', 'included'])
@pytest.mark.parametrize('said', SAID_TWICE.values(), ids=SAID_TWICE)
def test_what_two_sections_say_together_is_what_is_written(said, way):
    text = f'<mujoco model="m">{sections_of(said)}{IN_ONE_DEFAULT}</mujoco>'
    plain = mujoco.MjModel.from_xml_string(text)
    model = compiled(WAYS[way](mjcf.from_xml_string(text)))
    for name in OF_SAID_TWICE:
        assert np.array_equal(getattr(model, name), getattr(plain, name)), name
    assert np.array_equal(model.opt.o_solimp, plain.opt.o_solimp)


@pytest.mark.parametrize('said', SAID_TWICE.values(), ids=SAID_TWICE)
def test_what_two_sections_say_stays_in_the_source_when_it_is_asked_for(said):
    text = f'<mujoco model="m">{sections_of(said)}</mujoco>'
    model = mjcf.from_xml_string(text)
    for element in model.walk():
        element.get_attributes()
    assert model.to_source() == text


@pytest.mark.parametrize(
    ('said', 'edit', 'expected'),
    [
        ('a shorter array', ('geom', 'friction', [5]), '<geom/>|<geom friction="5"/>'),
        ('another orientation', ('site', 'euler', None), '<site/>|<site/>'),
        ('an angle of view', ('camera', 'sensorsize', None),
         '<camera resolution="4 2"/>|<camera/>'),
        ('memory', ('size', 'nstack', 7), '<size njmax="100" nstack="7"/><size memory="1M"/>'),
        ('memory', ('size', 'nkey', 1),
         '<size njmax="100" nstack="9" nkey="1"/><size memory="1M"/>'),
        ('memory that is not set', ('size', 'memory', '2M'),
         '<size memory="1M"/><size memory="2M"/>'),
        ('memory that is not set', ('size', 'njmax', 7),
         '<size memory="1M"/><size memory="-1"/><size njmax="7"/>'),
    ],
)  # fmt: skip
def test_an_edit_of_what_two_sections_say_counts_in_the_source(said, edit, expected):
    said = SAID_TWICE[said]
    model = mjcf.from_xml_string(f'<mujoco>{sections_of(said)}</mujoco>')
    owner = model.default if said[0] == 'default' else model
    tag, key, value = edit
    setattr(getattr(owner, tag), key, value)
    if said[0] == 'default':
        expected = ''.join(f'<default>{each}</default>' for each in expected.split('|'))
    assert model.to_source().replace('\n', '') == f'<mujoco>{expected}</mujoco>'
    assert mjcf.from_xml_string(model.to_source()).is_same_as(model)
    mujoco.MjModel.from_xml_string(model.to_source())


def test_memory_beside_old_sizes_is_written_of_a_model_that_was_made():
    model = mjcf.RootElement()
    model.size.njmax, model.size.memory = 100, '1M'
    for made in (compiled(model), mujoco.MjModel.from_xml_string(model.to_source())):
        assert (made.narena, made.njmax) == (2**20, 100)
    assert mjcf.from_spec(model.to_spec()).size.njmax == 100, 'MuJoCo writes them in one element'


def bytes_of(text):
    """Returns the compiled model as bytes; None if MuJoCo refuses the text."""
    try:
        model = mujoco.MjModel.from_xml_string(text)
    except ValueError:
        return None
    content = np.zeros(mujoco.mj_sizeModel(model), np.uint8)
    mujoco.mj_saveModel(model, None, content)
    return content.tobytes()


def single_sections(spec, around=()):
    """Yields the elements that MuJoCo merges, each with the tags of its ancestors."""
    for tag, child in spec.children.items():
        if child is not spec and not child.on_demand and tag != 'worldbody':
            if not child.repeated and child.attributes:
                yield child, around
            if not child.repeated or tag == 'default':
                yield from single_sections(child, (*around, tag))


def some_values(spec):
    """Returns valid texts for an attribute; most arrays have less than the maximum length."""
    if spec.name == 'memory':
        return ['1M', '2M', '-1']
    if spec.kind in ('keyword', 'keywords'):
        return list(spec.keywords)
    if spec.kind not in ('int', 'real'):
        return []
    lengths = {spec.low, spec.high or 3}
    arrays = [row[:length] for length in lengths for row in ('123456789123', '215121512151')]
    return [*map(' '.join, arrays), spec.default or '']


ALL_SECTIONS = list(single_sections(schema.root()))


@pytest.mark.nightly
@pytest.mark.parametrize(
    ('spec', 'around'), ALL_SECTIONS, ids=['-'.join([*at, s.name]) for s, at in ALL_SECTIONS]
)
def test_whatever_two_sections_say_together_is_what_is_written(spec, around):
    before = ''.join(f'<{tag}>' for tag in around)
    after = ''.join(f'</{tag}>' for tag in reversed(around))

    def text(*attributes):
        sections = (f'{before}<{spec.name} {each}/>{after}' for each in attributes)
        return f'<mujoco model="m">{"".join(sections)}{IN_ONE_DEFAULT}</mujoco>'

    said = {}
    for key, of in spec.attributes.items():
        valid = [f'{key}="{value}"' for value in some_values(of)]
        said[key] = [each for each in valid if bytes_of(text(each)) is not None]
    pairs = [pair for valid in said.values() for pair in product(valid, repeat=2)]
    pairs += product([valid[0] for valid in said.values() if valid], repeat=2)
    for one, other in pairs:
        if (expected := bytes_of(text(one, other))) is not None:
            model = mjcf.from_xml_string(text(one, other))
            assert bytes_of(model.to_xml_string()) == expected, (one, other)


SECTIONS = {
    'geom': ['margin=".1"', 'margin=".2"', 'gap=".3"', 'solref=".1 1"'],
    'general': ['gear="2"', 'gainprm="7 8 9"'],
    'position': ['kp="3"', 'kv="4"', ''],
}


@st.composite
def defaults(draw):
    """Draws several <default>, each with sections and perhaps with classes."""
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
