"""Creation, changes and removal of elements, and their errors."""

import numpy as np
import pytest

from mujoco_ros_py import mjcf

MODEL = """
<mujoco model="test">
  <default><default class="brick"><geom rgba="1 0 0 1"/></default></default>
  <worldbody>
    <body name="foo">
      <freejoint/>
      <inertial pos="0 0 0" mass="1"/>
      <body name="bar">
        <joint name="my_hinge" type="hinge"/>
        <geom name="my_geom" pos="0 1 2" class="brick"/>
      </body>
    </body>
  </worldbody>
</mujoco>
"""


@pytest.fixture
def model():
    return mjcf.from_xml_string(MODEL)


@pytest.fixture
def geom(model):
    return model.worldbody.body['foo'].body['bar'].geom['my_geom']


def test_a_model_is_a_root_element_which_is_an_element():
    model = mjcf.RootElement()
    assert isinstance(model, mjcf.Element)
    assert repr(model) == 'MJCF Element: <mujoco/>'
    assert model.model == 'unnamed_model'
    assert mjcf.RootElement(model='arm').model == 'arm'


def test_elements_have_the_properties_of_their_place(model, geom):
    assert (geom.tag, geom.spec.name, geom.spec.namespace) == ('geom', 'geom', 'geom')
    assert geom.name == 'my_geom'
    assert geom.parent is model.find('body', 'bar')
    assert geom.root is model
    assert geom.namescope is model.namescope
    assert geom.full_identifier == 'my_geom'
    assert (model.parent, model.root, model.is_removed) == (None, model, False)
    assert model.worldbody.full_identifier == 'world'


@pytest.mark.parametrize(
    'section', ['compiler', 'option', 'size', 'visual', 'default', 'worldbody']
)
def test_sections_always_exist_and_there_is_one(section):
    model = mjcf.RootElement()
    child = getattr(model, section)
    assert (child.tag, child.parent) == (section, model)
    assert getattr(model, section) is child
    with pytest.raises(ValueError, match=f'can have only one <{section}>'):
        model.add(section)
    assert model.to_xml_string() == '<mujoco/>\n'


def test_a_child_on_demand_is_none_until_it_is_added(model):
    bar = model.find('body', 'bar')
    assert bar.inertial is None
    inertial = bar.add('inertial', mass=1, pos=[0, 0, 0])
    assert bar.inertial is inertial
    with pytest.raises(ValueError, match='can have only one <inertial>'):
        bar.add('inertial', mass=1, pos=[0, 0, 0])
    del bar.inertial
    assert bar.inertial is None


def test_insert_takes_a_position_among_all_children(model):
    world = model.worldbody
    world.insert('geom', 0, name='first')
    world.insert('geom', -1, name='before_last')
    assert [child.name for child in world.all_children()] == ['first', 'before_last', 'foo']


@pytest.mark.parametrize(
    'action',
    [
        lambda geom: delattr(geom, 'poss'),
        lambda geom: geom.set_attributes(poss=1),
        lambda geom: geom.get_attribute_xml_string('poss'),
        lambda geom: geom.get_children('poss'),
        lambda geom: geom.parent.get_children('poss'),
        lambda geom: geom.add('geom'),
        lambda geom: geom.parent.add('inertial', mass=1),
        lambda geom: setattr(geom.parent, 'inertial', None),
        lambda geom: setattr(geom, 'tag', 'site'),
        lambda geom: setattr(geom, 'parent', geom.root),
        lambda geom: setattr(geom.root.find('body', 'foo').inertial, 'mass', None),
    ],
)
def test_what_the_schema_has_not_is_an_attribute_error(geom, action):
    before = geom.root.to_xml_string()
    with pytest.raises(AttributeError):
        action(geom)
    assert geom.root.to_xml_string() == before


def test_an_error_says_what_exists(geom):
    with pytest.raises(
        AttributeError, match=r"unknown attribute or child 'poss'; known: .*pos, quat"
    ):
        _ = geom.poss
    with pytest.raises(AttributeError, match=r'<gem> is not allowed in it; known: .*geom'):
        geom.parent.add('gem')


def test_an_element_that_is_refused_leaves_no_trace(model):
    with pytest.raises(ValueError, match='at most 3 numbers'):
        model.worldbody.add('body', name='new', pos=[1, 2, 3, 4])
    assert len(model.worldbody.body) == 1
    assert model.find('body', 'new') is None
    model.worldbody.add('body', name='new')


def test_setting_several_attributes_sets_all_or_none(model, geom):
    geom.set_attributes(name='new', pos=[3, 2, 1])
    with pytest.raises(ValueError, match='rgba'):
        geom.set_attributes(name='other', pos=None, type='box', rgba='red')
    assert geom.name == 'new'
    np.testing.assert_array_equal(geom.pos, [3, 2, 1])
    assert model.find('geom', 'other') is None
    assert model.find('geom', 'new') is geom


def test_an_attribute_that_others_depend_on_may_come_last(model):
    body = model.find('body', 'foo')
    sensor = model.sensor.add('framepos', objname=body, objtype='body')
    assert sensor.objname is body
    sensor.set_attributes(objname=model.find('geom', 'my_geom'), objtype='geom')
    assert str(sensor) == '<framepos objtype="geom" objname="my_geom"/>'


def test_removal_takes_all_below_out_of_the_model(model, geom):
    foo = model.find('body', 'foo')
    foo.remove()
    assert geom.is_removed
    assert foo.is_removed
    assert foo.parent is None
    assert model.find('geom', 'my_geom') is None
    assert model.worldbody.body == []


def test_what_was_removed_can_still_be_looked_at_and_changed(model, geom):
    body = geom.parent
    body.remove()
    assert str(body) == '<body name="bar">...</body>'
    assert '<geom name="my_geom" pos="0 1 2" class="brick"/>' in body.to_xml_string()
    assert geom.full_identifier == 'my_geom'
    body.add('site', name='s')
    body.name = 'foo'
    assert model.find('body', 'foo') is not body
    with pytest.raises(ValueError, match='was removed from its model'):
        _ = body.namescope
    body.remove()


@pytest.mark.parametrize('action', [lambda x: x.option.remove(), lambda x: delattr(x, 'option')])
def test_removal_of_a_section_empties_it(model, action):
    model.option.timestep = 0.5
    model.option.flag.gravity = 'disable'
    option = model.option
    action(model)
    assert model.option is option
    assert (option.timestep, option.flag.gravity, option.is_removed) == (None, None, False)


def test_removal_of_a_model_empties_it_where_it_is(model):
    arena = mjcf.RootElement(model='arena')
    frame = arena.attach(model)
    model.remove()
    assert (model.model, model.parent_model, frame.all_children()) == ('test', arena, [])
    assert arena.enter_scope('test') is model
    model.detach()
    assert model.to_xml_string() == '<mujoco model="test"/>\n'


def test_children_are_in_the_order_of_the_document(model):
    foo = model.find('body', 'foo')
    assert [child.tag for child in foo.all_children()] == ['freejoint', 'inertial', 'body']
    assert foo.get_children('freejoint') is foo.freejoint
    assert list(foo.get_children('body')) == [model.find('body', 'bar')]


def test_elements_have_names_of_attributes_and_children_for_completion(model):
    assert {'pos', 'childclass', 'geom', 'freejoint', 'add', 'find'} <= {
        *dir(model.find('body', 'foo'))
    }


@pytest.mark.parametrize('index', ['name', 0])
def test_elements_are_no_mappings(geom, index):
    with pytest.raises(TypeError):
        geom[index]


def test_a_detached_model_cannot_be_detached(model):
    with pytest.raises(RuntimeError, match='not attached to another model'):
        model.detach()
