"""The names used by code for PyMJCF exist, with the same meaning."""

from __future__ import annotations

import importlib

import pytest

from mujoco_ros_py import mjcf
from mujoco_ros_py.mjcf import pymjcf
from mujoco_ros_py.mjcf.pymjcf import element, physics, schema

MODULES = {
    'attribute': 'Array Asset BasePath File Float Identifier Integer Keyword Reference SkinAsset',
    'base': 'Element',
    'constants': 'PREFIX_SEPARATOR DCLASS CHILDCLASS WORLDBODY XML_DEFAULT_PRECISION',
    'copier': 'Copier',
    'debugging': 'debug_mode enable_debug_mode disable_debug_mode set_full_dump_dir',
    'element': 'RootElement _ElementImpl _AttachableElement _AttachmentFrame _ElementListView',
    'export_with_assets': 'export_with_assets',
    'export_with_assets_as_zip': 'export_with_assets_as_zip',
    'namescope': 'NameScope',
    'parser': 'from_file from_path from_xml_string from_zip',
    'physics': 'Binding Physics SynchronizingArrayWrapper _EmptyBinding names_from_elements',
    'schema': 'MUJOCO FINDABLE_NAMESPACES',
    'skin': 'Bone Skin parse serialize',
    'traversal_utils': 'commit_defaults get_freejoint get_frame_freejoint get_frame_joints',
}


@pytest.mark.parametrize(('module', 'names'), MODULES.items())
def test_a_module_of_pymjcf_is_there_with_its_names(module, names):
    found = importlib.import_module(f'mujoco_ros_py.mjcf.pymjcf.{module}')
    assert [name for name in names.split() if not hasattr(found, name)] == []


def test_all_that_the_package_names_is_there():
    assert [name for name in pymjcf.__all__ if not hasattr(pymjcf, name)] == []


def test_elements_are_of_the_classes_that_annotations_and_isinstance_name():
    model = pymjcf.RootElement(model='arm')
    site = model.worldbody.add('site')
    frame = site.attach(pymjcf.RootElement(model='hand'))
    assert isinstance(model, pymjcf.element.RootElement)
    assert isinstance(model, mjcf.RootElement)
    assert isinstance(site, pymjcf.Element)
    assert isinstance(site, element._ElementImpl)
    assert isinstance(site, element._AttachableElement)
    assert isinstance(model.worldbody, element._AttachableElement)
    assert not isinstance(frame, element._AttachableElement)
    assert isinstance(frame, element._AttachmentFrame)
    assert isinstance(model.worldbody.site, element._ElementListView)


def test_what_binds_nothing_is_an_empty_binding():
    model = pymjcf.RootElement()
    binding = pymjcf.Physics.from_mjcf_model(model).bind([])
    assert isinstance(binding, physics._EmptyBinding)
    assert binding.xpos.shape == (0,)


def test_names_of_elements_are_told_as_they_are_bound():
    model = pymjcf.RootElement(model='arm')
    geoms = [model.worldbody.add('geom', name=name, size=[1]) for name in ('a', 'b')]
    assert physics.names_from_elements(geoms[0]) == ('geom', 'a')
    assert physics.names_from_elements(geoms) == ('geom', ['a', 'b'])
    assert physics.names_from_elements(()) == (None, None)


def test_the_schema_tells_what_can_be_searched():
    assert schema.MUJOCO.name == 'mujoco'
    assert {'body', 'joint', 'attachment_frame'} <= schema.FINDABLE_NAMESPACES
