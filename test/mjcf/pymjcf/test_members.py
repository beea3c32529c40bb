"""Behaviour of PyMJCF's elements, lists and models beyond its introduction."""

from __future__ import annotations

import copy

import mujoco
import pytest

from mujoco_ros_py import mjcf

NAMESPACES = [
    'actuator', 'attachment_frame', 'body', 'camera', 'contact', 'default', 'deformable',
    'equality', 'flexcomp', 'geom', 'hfield', 'joint', 'key', 'light', 'material', 'mesh',
    'numeric', 'plugin', 'sensor', 'site', 'skin', 'tendon', 'text', 'texture', 'tuple',
    *(['composite'] if mujoco.mj_printSchema(False, False).find('composite') >= 0 else []),
]  # fmt: skip


@pytest.fixture
def model():
    return mjcf.from_xml_string("""
        <mujoco model="arena">
          <worldbody>
            <body name="table"><geom name="top" size="1"/><site name="spot"/></body>
            <body name="shelf"/>
          </worldbody>
          <actuator><motor name="drive" site="spot"/></actuator>
        </mujoco>
    """)


@pytest.fixture
def child(model):
    """A model that is attached to `model` at the site."""
    child = mjcf.from_xml_string("""
        <mujoco model="cup">
          <worldbody><body name="mug"><geom name="side" size="1"/></body></worldbody>
          <actuator><motor name="lift" tendon="rope"/></actuator>
        </mujoco>
    """)
    model.find('site', 'spot').attach(child)
    return child


@pytest.mark.parametrize('namespace', NAMESPACES)
def test_a_namespace_of_pymjcf_can_be_searched(namespace):
    model = mjcf.RootElement()
    assert model.find(namespace, 'nobody') is None
    assert model.find_all(namespace) == []


def test_specs_tell_what_an_element_may_have(model):
    body, geom = model.find('body', 'table').spec, model.find('geom', 'top').spec
    assert (body.name, body.namespace, body.repeated, body.on_demand) == (
        'body', 'body', True, False,
    )  # fmt: skip
    assert body.children['geom'] is geom
    assert {'name', 'pos', 'childclass'} <= body.attributes.keys()
    assert body.children['inertial'].on_demand
    assert not model.spec.children['option'].repeated


def test_an_element_does_not_find_itself(model):
    table = model.find('body', 'table')
    assert table.find('body', 'table') is None
    assert model.find('body', 'shelf').find('geom', 'top') is None
    assert model.worldbody.find('body', 'table') is table


def test_identifiers_are_prefixed_as_seen_from_a_model_or_its_names(model, child):
    side = child.find('geom', 'side')
    assert side.full_identifier == 'cup/side'
    for scope in (model, model.namescope):
        assert side.prefixed_identifier(scope) == 'cup/side'
        assert child.namescope.full_prefix(scope) == 'cup/'
    for scope in (child, child.namescope):
        assert side.prefixed_identifier(prefix_root=scope) == 'side'
    assert side.prefixed_identifier() == side.full_identifier
    assert child.option.prefixed_identifier(model) is None


def test_xml_is_written_as_seen_from_a_model_or_its_names(model, child):
    mug = child.find('body', 'mug')
    assert '<body name="mug">' in mug.to_xml_string()
    for scope in (model, model.namescope):
        assert '<body name="cup/mug">' in mug.to_xml_string(prefix_root=scope)
        assert mug.to_xml(prefix_root=scope).get('name') == 'cup/mug'


def test_lists_take_positions_slices_names_and_scopes(model, child):
    motors, bodies = model.actuator.motor, model.worldbody.body
    assert (len(motors), len(bodies)) == (2, 2)
    assert motors[0] is motors[-2] is motors['drive'] is model.find('actuator', 'drive')
    assert motors['cup/lift'] is child.find('actuator', 'lift')
    assert bodies[1:] == [bodies['shelf']]
    assert [body.name for body in bodies] == ['table', 'shelf']
    assert model.find('body', 'shelf') in bodies
    del bodies['shelf']
    assert len(bodies) == 1
    bodies['table'].geom.clear()
    assert len(model.find_all('geom', exclude_attachments=True)) == 0


def test_a_scope_is_entered_by_the_name_of_its_model(model, child):
    assert model.enter_scope('cup') is child
    assert child.enter_scope('cup') is None


def test_elements_print_as_xml_and_complete_their_names(model):
    assert str(model.find('body', 'shelf')) == '<body name="shelf"/>'
    assert repr(model.find('body', 'shelf')) == 'MJCF Element: <body name="shelf"/>'
    assert {'pos', 'dclass', 'to_xml_string'} <= {*dir(model.find('geom', 'top'))}
    assert {'geom', 'childclass', 'add'} <= {*dir(model.worldbody.body['shelf'])}


@pytest.mark.parametrize('duplicate', [copy.copy, copy.deepcopy])
def test_a_copy_is_the_same_and_belongs_to_nobody(model, child, duplicate):
    again = duplicate(child)
    assert again.is_same_as(child)
    assert (again.parent_model, again.root_model) == (None, again)
    assert (child.parent_model, child.root_model) == (model, model)


def test_an_attachable_element_is_the_world_or_a_site(model):
    for place in (model.worldbody, model.find('site', 'spot')):
        frame = place.attach(mjcf.RootElement())
        assert isinstance(frame, mjcf.AttachmentFrame)
        assert frame in model.find_all('body')
    assert not hasattr(model.find('geom', 'top'), 'attach')


def test_elements_called_attach_are_children_of_bodies_and_of_the_world(model):
    for body in (model.worldbody, model.find('body', 'shelf')):
        made = body.add('attach', model='m', prefix='p')
        assert list(body.get_children('attach')) == list(body.attach) == [made]


def test_assets_are_given_by_the_names_that_the_xml_has():
    model = mjcf.RootElement()
    model.asset.add('mesh', name='m', file=mjcf.Asset(b'content', '.stl', 'cube'))
    ((name, content),) = model.get_assets().items()
    assert content == b'content'
    assert f'file="{name}"' in model.to_xml_string()
    assert name == mjcf.Asset(b'content', '.stl', 'cube').get_vfs_filename()
