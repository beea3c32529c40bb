"""Lists of children with one tag."""

import pytest

from mujoco_ros_py import mjcf


@pytest.fixture
def body():
    body = mjcf.RootElement().worldbody.add('body', name='b')
    for name in 'xyz':
        body.add('geom', name=name)
        body.add('site', name=name)
    body.add('geom')
    return body


def names(found):
    return [geom.name for geom in found]


def test_a_list_has_the_children_of_its_tag_in_their_order(body):
    assert names(body.geom) == ['x', 'y', 'z', None]
    assert len(body.geom) == 4
    assert names(body.site) == ['x', 'y', 'z']
    assert body.geom == list(body.geom)
    assert body.geom != list(body.site)
    assert not body.body
    assert repr(body.geom[3:]) == '[MJCF Element: <geom/>]'


def test_a_list_is_always_that_of_now(body):
    geoms = body.geom
    body.geom[1].remove()
    assert names(geoms) == ['x', 'z', None]


def test_a_list_knows_what_it_is_of(body):
    assert (body.geom.tag, body.geom.spec.name) == ('geom', 'geom')
    assert body.geom.parent is body
    assert body.geom.namescope is body.root.namescope


@pytest.mark.parametrize(
    ('index', 'expected'), [(0, 'x'), (2, 'z'), (-2, 'z'), ('y', 'y'), (-4, 'x')]
)
def test_children_are_found_by_position_and_by_name(body, index, expected):
    assert body.geom[index].name == expected
    assert body.geom[index].tag == 'geom'


@pytest.mark.parametrize(
    ('part', 'expected'),
    [
        (slice(2), ['x', 'y']),
        (slice(None, None, -2), [None, 'y']),
        (slice(-2, None), ['z', None]),
        (slice(7, 9), []),
    ],
)
def test_a_slice_is_a_list(body, part, expected):
    assert isinstance(body.geom[part], list)
    assert names(body.geom[part]) == expected


@pytest.mark.parametrize('index', [4, -5])
def test_a_position_beyond_the_end_is_an_index_error(body, index):
    with pytest.raises(IndexError):
        body.geom[index]


@pytest.mark.parametrize('name', ['w', '', 'b/x'])
def test_a_name_that_none_has_is_a_key_error_that_tells_the_names(body, name):
    with pytest.raises(KeyError, match='known: x, y, z'):
        body.geom[name]


def test_the_name_of_an_element_elsewhere_is_a_key_error(body):
    body.parent.add('geom', name='elsewhere')
    with pytest.raises(KeyError, match='elsewhere'):
        body.geom['elsewhere']


@pytest.mark.parametrize(
    ('index', 'left'),
    [
        (0, ['y', 'z', None]),
        (-1, ['x', 'y', 'z']),
        ('y', ['x', 'z', None]),
        (slice(1, 3), ['x', None]),
    ],
)
def test_children_are_deleted_by_position_name_and_slice(body, index, left):
    del body.geom[index]
    assert names(body.geom) == left
    assert len(body.site) == 3


def test_a_list_is_cleared(body):
    geom = body.geom['x']
    body.geom.clear()
    assert len(body.geom) == 0
    assert geom.is_removed
    assert len(body.site) == 3


@pytest.mark.parametrize(('index', 'error'), [(9, IndexError), ('w', KeyError)])
def test_deleting_what_is_not_there_is_an_error_too(body, index, error):
    with pytest.raises(error):
        del body.geom[index]
    assert len(body.geom) == 4


def test_default_classes_are_found_by_class():
    model = mjcf.from_xml_string(
        '<mujoco><default><default class="a"><default class="b"/></default></default></mujoco>'
    )
    assert model.default.default['a'].default['b'] is model.find('default', 'b')
