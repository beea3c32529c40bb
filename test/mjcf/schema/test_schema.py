"""Samples of the schema, compared with known facts about MJCF."""

import pytest

from mujoco_ros_py.mjcf import schema


def element(path):
    found = schema.root()
    for tag in path.split('/'):
        found = found.children[tag]
    return found


def attribute(path, name):
    return element(path).attributes[name]


def test_a_joint_has_its_types_and_their_default():
    kind = attribute('worldbody/body/joint', 'type')
    assert (kind.kind, kind.keywords) == ('keyword', ('free', 'ball', 'slide', 'hinge'))
    assert kind.default == 'hinge'


@pytest.mark.parametrize(
    ('path', 'name', 'kind', 'low', 'high', 'default'),
    [
        ('worldbody/geom', 'size', 'real', 1, 3, '0 0 0'),
        ('worldbody/geom', 'rgba', 'real', 4, 4, '0.5 0.5 0.5 1'),
        ('worldbody/geom', 'mass', 'real', 1, 1, None),
        ('worldbody/geom', 'condim', 'int', 1, 1, '3'),
        ('worldbody/geom', 'solref', 'real', 1, 2, '0.02 1'),
        ('default/geom', 'friction', 'real', 1, 3, '1 0.005 0.0001'),
        ('worldbody/body/joint', 'user', 'real', 0, None, None),
        ('option', 'gravity', 'real', 3, 3, '0 0 -9.81'),
        ('option', 'iterations', 'int', 1, 1, '100'),
        ('actuator/motor', 'gear', 'real', 1, 6, '1 0 0 0 0 0'),
        ('equality/weld', 'solimp', 'real', 1, 5, '0.9 0.95 0.001 0.5 2'),
        ('keyframe/key', 'qpos', 'real', 0, None, None),
    ],
)
def test_numbers_have_their_lengths_and_defaults(path, name, kind, low, high, default):
    spec = attribute(path, name)
    assert (spec.kind, spec.low, spec.high, spec.default) == (kind, low, high, default)
    assert spec.is_array == (high != 1)


@pytest.mark.parametrize(
    ('path', 'names'),
    [
        ('worldbody/body/inertial', {'pos', 'mass'}),
        ('sensor/touch', {'site'}),
        ('sensor/framepos', {'objtype', 'objname'}),
        ('equality/joint', {'joint1'}),
        ('default/default', {'class'}),
        ('default', set()),
        ('contact/exclude', {'body1', 'body2'}),
        ('worldbody/replicate', {'count'}),
        ('deformable/flex', {'body', 'element'}),
    ],
)
def test_exactly_what_the_parser_asks_for_is_required(path, names):
    assert {a.name for a in element(path).attributes.values() if a.required} == names


@pytest.mark.parametrize(
    ('path', 'name', 'kind', 'namespace'),
    [
        ('worldbody/geom', 'material', 'reference', 'material'),
        ('worldbody/geom', 'class', 'reference', 'default'),
        ('worldbody/body', 'childclass', 'reference', 'default'),
        ('worldbody/camera', 'target', 'reference', 'body'),
        ('actuator/motor', 'joint', 'reference', 'joint'),
        ('actuator/motor', 'jointinparent', 'reference', 'joint'),
        ('sensor/framepos', 'objname', 'reference', 'attribute:objtype'),
        ('sensor/user', 'objname', 'reference', 'attribute:objtype'),
        ('equality/flex', 'flex', 'reference', 'flex'),
        ('deformable/flex', 'body', 'references', 'body'),
        ('worldbody/attach', 'model', 'reference', 'model'),
        ('worldbody/attach', 'body', 'string', None),
        ('visual/scale', 'camera', 'real', None),
        ('compiler', 'meshdir', 'path', None),
        ('asset/mesh', 'file', 'file', 'meshdir'),
        ('asset/texture', 'fileright', 'file', 'texturedir'),
        ('asset/model', 'file', 'file', None),
        ('worldbody/flexcomp', 'name', 'identifier', 'flex'),
        ('contact/pair', 'name', 'identifier', 'pair'),
        ('default/default', 'class', 'identifier', 'default'),
    ],
)
def test_names_point_to_and_are_unique_in_namespaces(path, name, kind, namespace):
    spec = attribute(path, name)
    assert (spec.kind, spec.namespace) == (kind, namespace)


@pytest.mark.parametrize(
    ('path', 'namespace', 'identifier'),
    [
        ('worldbody/body/freejoint', 'joint', 'name'),
        ('actuator/dcmotor', 'actuator', 'name'),
        ('sensor/clock', 'sensor', 'name'),
        ('equality/connect', 'equality', 'name'),
        ('tendon/fixed', 'tendon', 'name'),
        ('contact/pair', 'contact', 'name'),
        ('deformable/skin', 'deformable', 'name'),
        ('asset/skin', 'skin', 'name'),
        ('extension/plugin/instance', 'plugin', 'name'),
        ('custom/numeric', 'numeric', 'name'),
        ('keyframe/key', 'key', 'name'),
        ('default/default', 'default', 'class'),
        ('default/motor', None, None),
        ('default/geom', None, None),
        ('tendon/spatial/site', None, None),
        ('worldbody/attach', None, None),
        ('option/flag', None, None),
    ],
)
def test_find_knows_elements_by_pymjcf_s_namespaces(path, namespace, identifier):
    assert (element(path).namespace, element(path).identifier) == (namespace, identifier)


def test_inertial_and_freejoint_are_there_only_when_added():
    body = element('worldbody/body')
    assert {s.name for s in body.children.values() if s.on_demand} == {'inertial', 'freejoint'}


@pytest.mark.parametrize('path', ['compiler/lengthrange', 'default/geom', 'visual/global', 'size'])
def test_singletons_are_always_there(path):
    assert not element(path).repeated
    assert not element(path).on_demand


def test_bodies_frames_and_defaults_contain_themselves():
    body, default = element('worldbody/body'), element('default/default')
    assert body.children['body'] is body
    assert body.children['frame'].children['frame'].children['body'] is body
    assert default.children['default'] is default
    assert default.children['geom'] is element('default/geom')


def test_joints_are_in_bodies_and_frames_and_neither_in_the_world_nor_in_replicate():
    body = element('worldbody/body')
    assert 'joint' in body.children['frame'].children
    assert 'joint' not in element('worldbody').children
    assert 'joint' not in body.children['replicate'].children
    assert not element('worldbody').attributes
