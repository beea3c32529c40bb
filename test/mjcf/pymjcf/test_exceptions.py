"""The exceptions of PyMJCF, case by case. A rejected change has no effect."""

from __future__ import annotations

import pytest

from mujoco_ros_py import mjcf

MODEL = """
<mujoco model="m">
  <default><default class="c"/></default>
  <worldbody>
    <geom name="g" size="1"/>
    <body name="b"><inertial pos="0 0 0" mass="1"/><joint name="j"/><site name="s"/></body>
  </worldbody>
  <actuator><motor name="a" joint="j"/></actuator>
</mujoco>
"""


def delete(element, name):
    delattr(element, name)


def put(element, name, value):
    setattr(element, name, value)


CASES = {
    'an unknown attribute is read': (AttributeError, lambda m: m.worldbody.geom[0].poss),
    'an unknown attribute is set': (AttributeError, lambda m: put(m.worldbody.geom[0], 'x', 1)),
    'an unknown child is read': (AttributeError, lambda m: m.worldbody.gem),
    'an unknown child is added': (AttributeError, lambda m: m.worldbody.add('gem')),
    'an unknown attribute is given': (AttributeError, lambda m: m.worldbody.add('geom', x=1)),
    'unknown children are asked for': (AttributeError, lambda m: m.get_children('gem')),
    'a child is set': (AttributeError, lambda m: put(m, 'option', m.option)),
    'a list is set': (AttributeError, lambda m: put(m.worldbody, 'geom', [])),
    'a list is deleted': (AttributeError, lambda m: delete(m.worldbody, 'geom')),
    'a required attribute is cleared': (
        AttributeError, lambda m: delete(m.find('body', 'b').inertial, 'mass'),
    ),
    'a required attribute is missing': (
        AttributeError, lambda m: m.contact.add('exclude', body1='b'),
    ),
    'a number is a word': (ValueError, lambda m: put(m.worldbody.geom[0], 'mass', 'heavy')),
    'an array is a word': (ValueError, lambda m: put(m.worldbody.geom[0], 'pos', 'here')),
    'an array is too long': (ValueError, lambda m: put(m.worldbody.geom[0], 'pos', [1] * 4)),
    'a keyword is none': (ValueError, lambda m: put(m.worldbody.geom[0], 'type', 'cube')),
    'a name is taken': (ValueError, lambda m: m.worldbody.add('geom', name='g')),
    'a class is taken': (ValueError, lambda m: m.default.add('default', dclass='c')),
    'a name has a slash': (ValueError, lambda m: put(m.worldbody.geom[0], 'name', 'a/b')),
    'a body is called world': (ValueError, lambda m: m.worldbody.add('body', name='world')),
    'a section is added': (ValueError, lambda m: m.add('option')),
    'a second inertial is added': (
        ValueError, lambda m: m.find('body', 'b').add('inertial', pos=[0, 0, 0], mass=1),
    ),
    'a namespace is none': (ValueError, lambda m: m.find('gem', 'g')),
    'all of a namespace that is none': (ValueError, lambda m: m.find_all('gem')),
    'an identifier is no string': (ValueError, lambda m: m.find('geom', 3)),
    'a model is attached to itself': (ValueError, lambda m: m.attach(m)),
    'a string is attached': (ValueError, lambda m: m.attach('m')),
    'an element is attached': (ValueError, lambda m: m.find('site', 's').attach(m.worldbody)),
    'a reference is of another kind': (
        ValueError, lambda m: put(m.find('actuator', 'a'), 'joint', m.worldbody.geom[0]),
    ),
    'one of several attributes is refused': (
        ValueError, lambda m: m.worldbody.geom[0].set_attributes(size=[2], type='cube'),
    ),
    'no child has the name': (KeyError, lambda m: m.worldbody.geom['h']),
    'no child has the position': (IndexError, lambda m: m.worldbody.geom[1]),
    'nothing is detached': (RuntimeError, lambda m: m.detach()),
}  # fmt: skip


@pytest.mark.parametrize('case', CASES)
def test_what_pymjcf_refuses_is_the_same_error_and_changes_nothing(case):
    error, act = CASES[case]
    model = mjcf.from_xml_string(MODEL)
    before = model.to_xml_string()
    with pytest.raises(error):
        act(model)
    assert model.to_xml_string() == before


@pytest.fixture
def pair():
    model, child = mjcf.from_xml_string(MODEL), mjcf.RootElement(model='child')
    model.find('site', 's').attach(child)
    return model, child


def test_a_model_is_not_attached_twice(pair):
    with pytest.raises(ValueError, match="'child' is already attached"):
        mjcf.RootElement().attach(pair[1])


def test_values_that_conflict_are_not_attached(pair):
    other = mjcf.RootElement(model='other')
    pair[0].option.integrator, other.option.integrator = 'Euler', 'RK4'
    with pytest.raises(ValueError, match='disagree on integrator'):
        pair[0].attach(other)


def test_what_a_model_is_attached_in_is_not_removed_by_accident(pair):
    model, child = pair
    with pytest.raises(ValueError, match='affect_attachments'):
        model.find('body', 'b').remove()
    assert child.parent_model is model


def test_models_with_attachments_are_not_included(pair):
    with pytest.raises(NotImplementedError):
        mjcf.RootElement().include_copy(pair[0])


@pytest.mark.parametrize(
    ('line', 'error', 'start'),
    [
        ('<gem/>', KeyError, 'Line 2: error while parsing element <gem>'),
        ('<geom x="1"/>', AttributeError, 'Line 2: error while parsing element <geom>'),
        ('<geom pos="x"/>', ValueError, 'Line 2: error while parsing element <geom>'),
    ],
)
def test_an_error_from_xml_begins_with_the_line_and_the_element(line, error, start):
    with pytest.raises(error) as caught:
        mjcf.from_xml_string(f'<mujoco><worldbody>\n{line}</worldbody></mujoco>')
    assert str(caught.value).startswith(start)
