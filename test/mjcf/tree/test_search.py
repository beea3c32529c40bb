"""Elements are found by kind and by name."""

import pytest

from mujoco_ros_py import mjcf

MODEL = """
<mujoco>
  <worldbody>
    <geom name="floor"/>
    <body name="foo">
      <freejoint name="free"/>
      <body name="bar"><joint name="hinge"/><geom name="hull"/></body>
      <frame name="f"><geom name="framed"/></frame>
    </body>
    <body name="last"/>
  </worldbody>
  <actuator><motor name="drive" joint="hinge"/><velocity name="damp" joint="hinge"/></actuator>
  <sensor><jointpos name="angle" joint="hinge"/><clock name="time"/></sensor>
</mujoco>
"""


@pytest.fixture
def model():
    return mjcf.from_xml_string(MODEL)


@pytest.mark.parametrize(
    ('namespace', 'name', 'tag'),
    [
        ('geom', 'hull', 'geom'),
        ('geom', 'framed', 'geom'),
        ('joint', 'hinge', 'joint'),
        ('joint', 'free', 'freejoint'),
        ('actuator', 'damp', 'velocity'),
        ('sensor', 'time', 'clock'),
        ('body', 'world', 'worldbody'),
    ],
)
def test_an_element_is_found_by_kind_and_name(model, namespace, name, tag):
    found = model.find(namespace, name)
    assert found.tag == tag
    assert found.name == name if tag != 'worldbody' else found is model.worldbody
    assert found is model.find(namespace, name)


@pytest.mark.parametrize(('namespace', 'name'), [('geom', 'hinge'), ('body', ''), ('geom', 'a/b')])
def test_what_is_not_there_is_none(model, namespace, name):
    assert model.find(namespace, name) is None


def test_only_what_is_below_is_found(model):
    assert model.find('body', 'foo').find('geom', 'hull').name == 'hull'
    assert model.find('body', 'last').find('geom', 'hull') is None
    assert model.find('body', 'foo').find('geom', 'floor') is None
    assert [g.name for g in model.find('body', 'foo').find_all('geom')] == ['hull', 'framed']


@pytest.mark.parametrize(
    ('namespace', 'names'),
    [
        ('joint', ['free', 'hinge']),
        ('body', ['foo', 'bar', 'last']),
        ('geom', ['floor', 'hull', 'framed']),
        ('actuator', ['drive', 'damp']),
        ('sensor', ['angle', 'time']),
        ('site', []),
    ],
)
def test_all_of_a_kind_are_found_in_the_order_of_the_document(model, namespace, names):
    assert [each.name for each in model.find_all(namespace)] == names


def test_immediate_children_only_are_found_if_asked(model):
    found = model.worldbody.find_all('body', immediate_children_only=True)
    assert [body.name for body in found] == ['foo', 'last']
    assert model.find_all('body', immediate_children_only=True) == []


def test_elements_that_were_added_are_found_in_their_place(model):
    model.find('body', 'foo').add('geom', name='new')
    assert [g.name for g in model.find_all('geom')] == ['floor', 'hull', 'framed', 'new']


@pytest.mark.parametrize('namespace', ['jiont', 'motor', 'freejoint', '', 'world'])
def test_an_unknown_kind_is_refused_and_the_known_ones_are_told(model, namespace):
    for find in (lambda: model.find(namespace, 'x'), lambda: model.find_all(namespace)):
        with pytest.raises(ValueError, match=f"namespace '{namespace}'; known: actuator, .*tuple"):
            find()


@pytest.mark.parametrize('name', [None, 3])
def test_a_name_that_is_no_string_is_refused(model, name):
    with pytest.raises(ValueError, match='identifier must be a string'):
        model.find('geom', name)


def test_elements_that_were_removed_find_nothing_by_name(model):
    foo = model.find('body', 'foo')
    foo.remove()
    assert foo.find('geom', 'hull') is None
    assert [geom.name for geom in foo.find_all('geom')] == ['hull', 'framed']


def test_a_scope_that_is_not_there_is_none(model):
    assert model.enter_scope('arm') is None
    assert model.enter_scope('arm/hand') is None
