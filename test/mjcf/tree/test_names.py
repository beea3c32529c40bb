"""Names are unique in their namespace, and can be reused after a removal."""

import pytest

from mujoco_ros_py import mjcf


@pytest.fixture
def model():
    model = mjcf.RootElement(model='m')
    body = model.worldbody.add('body', name='foo')
    body.add('joint', name='j')
    body.add('geom', name='g')
    return model


def add(model, path, **attributes):
    *sections, tag = path.split('/')
    for section in sections:
        model = getattr(model, section)
    required = {
        'pair': {'geom1': 'a', 'geom2': 'b'},
        'exclude': {'body1': 'a', 'body2': 'b'},
        'motor': {},
        'touch': {'site': 's'},
        'jointpos': {'joint': 'j'},
        'weld': {'body1': 'a'},
        'connect': {'body1': 'a', 'anchor': [0, 0, 0]},
    }
    return model.add(tag, **required.get(tag, {}), **attributes)


@pytest.mark.parametrize(
    ('first', 'second'),
    [
        ('worldbody/geom', 'worldbody/geom'),
        ('actuator/position', 'actuator/velocity'),
        ('actuator/motor', 'actuator/general'),
        ('sensor/touch', 'sensor/jointpos'),
        ('equality/weld', 'equality/connect'),
        ('tendon/fixed', 'tendon/spatial'),
    ],
)
def test_a_name_is_unique_in_its_namespace(model, first, second):
    add(model, first, name='same')
    with pytest.raises(ValueError, match="name 'same' is already used by <"):
        add(model, second, name='same')
    assert len(model.to_xml_string().split('"same"')) == 2


@pytest.mark.parametrize(
    ('first', 'second'),
    [
        ('worldbody/geom', 'worldbody/body'),
        ('worldbody/geom', 'worldbody/site'),
        ('contact/pair', 'contact/exclude'),
        ('actuator/motor', 'sensor/touch'),
        ('asset/texture', 'asset/material'),
    ],
)
def test_elements_of_other_namespaces_may_have_the_same_name(model, first, second):
    one, other = add(model, first, name='same'), add(model, second, name='same')
    assert one.name == other.name == 'same'


def test_joints_and_free_joints_share_their_names(model):
    with pytest.raises(ValueError, match="'j' is already used by <joint"):
        model.worldbody.add('body').add('freejoint', name='j')


def test_a_pair_and_an_exclude_of_one_name_are_both_there(model):
    pair = add(model, 'contact/pair', name='same')
    exclude = add(model, 'contact/exclude', name='same')
    assert model.contact.pair[0] is pair
    assert model.contact.exclude[0] is exclude
    assert model.find('contact', 'same') is pair
    assert mjcf.from_xml_string(model.to_xml_string()).find_all('contact')[1].name == 'same'


def test_default_classes_are_unique(model):
    model.default.add('default', dclass='c').add('default', dclass='d')
    with pytest.raises(ValueError, match="'d' is already used"):
        model.default.add('default', dclass='d')


def test_a_name_is_free_when_its_element_is_removed(model):
    model.worldbody.body['foo'].remove()
    again = model.worldbody.add('geom', name='g')
    assert model.find('geom', 'g') is again


@pytest.mark.parametrize('new', ['other', None, ''])
def test_a_name_is_free_when_its_element_gets_another_or_none(model, new):
    geom = model.find('geom', 'g')
    geom.name = new
    assert geom.name == (new or None)
    assert model.find('geom', 'g') is None
    again = model.worldbody.add('geom', name='g')
    assert model.find('geom', 'g') is again


def test_an_element_may_be_given_its_own_name(model):
    geom = model.find('geom', 'g')
    geom.name = 'g'
    assert model.find('geom', 'g') is geom


def test_a_rename_to_a_name_that_is_taken_is_refused(model):
    geom = model.worldbody.add('geom', name='foo')  # the name of the body
    with pytest.raises(ValueError, match="'g' is already used by <geom"):
        geom.name = 'g'
    assert geom.name == 'foo'
    assert model.find('geom', 'foo') is geom


@pytest.mark.parametrize('tag', ['body', 'geom'])
def test_names_with_the_separator_of_models_are_refused(model, tag):
    with pytest.raises(ValueError, match="name must not contain '/', got 'a/b'"):
        model.worldbody.add(tag, name='a/b')
    with pytest.raises(ValueError, match="name must not contain '/'"):
        model.find('body', 'foo').name = '/'


def test_a_body_must_not_be_called_world(model):
    with pytest.raises(ValueError, match='world'):
        model.worldbody.add('body', name='world')
    assert model.worldbody.add('geom', name='world').name == 'world'


def test_names_that_were_read_are_unique_too(model):
    read = mjcf.from_xml_string(model.to_xml_string())
    with pytest.raises(ValueError, match="'g' is already used"):
        read.worldbody.add('geom', name='g')


def test_the_names_of_a_model_are_in_its_namescope(model):
    scope = model.namescope
    assert (scope.name, scope.parent, scope.root, scope.mjcf_model) == ('m', None, scope, model)
    assert scope.get('geom', 'g') is model.find('geom', 'g')
    with pytest.raises(KeyError, match='unknown geom'):
        scope.get('geom', 'foo')
