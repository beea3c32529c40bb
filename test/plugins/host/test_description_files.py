from __future__ import annotations

from itertools import pairwise
from string import ascii_lowercase

import pytest

from mujoco_ros_py.errors import PluginError
from mujoco_ros_py.plugins.host.description_files import read_descriptions

BASE = 'base_class_type="mujoco_ros_py::MujocoPlugin"'


@pytest.fixture
def read(tmp_path):
    path = tmp_path / 'plugins.xml'

    def read(content: str | bytes):
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return read_descriptions(path, 'arm')

    return read


@pytest.fixture
def refusal(read, tmp_path):
    """The message without the folder: `plugins.xml:3: ...`."""

    def refusal(content: str | bytes) -> str:
        with pytest.raises(PluginError) as caught:
            read(content)
        return str(caught.value).removeprefix(f'{tmp_path}/')

    return refusal


def test_a_library_describes_its_classes(read, tmp_path):
    (description,) = read(f"""<?xml version="1.0"?>
<!-- a comment -->
<library path="arm.plugins">
  <class name="arm/Control" type="arm.control:Control" {BASE}>
    <description>Holds the arm
      where it is.</description>
  </class>
</library>""")
    assert (description.name, description.module, description.qualname) == (
        'arm/Control',
        'arm.control',
        'Control',
    )
    assert description.description == 'Holds the arm where it is.'
    assert description.source == f'{tmp_path}/plugins.xml:4'


def test_class_libraries_hold_several_libraries(read):
    found = read(f"""<class_libraries>
<library path="arm.a"><class name="arm/A" type="A" {BASE}/></library>
<library path="arm.b"><class name="arm/B" type="B" {BASE}/></library>
</class_libraries>""")
    assert [(each.name, each.module) for each in found] == [('arm/A', 'arm.a'), ('arm/B', 'arm.b')]
    assert found[0].description == ''


def test_a_type_without_a_module_lies_in_the_library(read):
    (found,) = read(f'<library path="arm.a"><class name="arm/A" type="Outer.A" {BASE}/></library>')
    assert (found.module, found.qualname) == ('arm.a', 'Outer.A')


@pytest.mark.parametrize('type_', ['arm.a:Control', 'arm.a:Outer.Control', 'Control'])
def test_a_class_without_a_name_is_called_by_the_package_and_its_own(read, type_):
    (found,) = read(f'<library path="arm.a"><class type="{type_}" {BASE}/></library>')
    assert found.name == 'arm/Control'


def test_plugins_of_another_base_class_are_left_out(read):
    found = read(f"""<library path="arm.a">
  <class type="not a python name" base_class_type="rqt_gui_py::Plugin"><qtgui/></class>
  <class name="arm/A" type="A" {BASE}/>
</library>""")
    assert [each.name for each in found] == ['arm/A']


@pytest.mark.parametrize(
    ('content', 'message'),
    [
        (
            '<plugins/>',
            'plugins.xml:1: root must be library or class_libraries, got plugins',
        ),
        (
            '<class_libraries>\n<class/></class_libraries>',
            'plugins.xml:2: class_libraries must contain only library, got class',
        ),
        (
            '<library path="a">\n\n<clas/></library>',
            'plugins.xml:3: library must contain only class, got clas',
        ),
        (
            '<library path="a">\n<class name="a/B" type="B"/></library>',
            'plugins.xml:2: class must have the attribute base_class_type, got: name, type',
        ),
        (
            f'<library path="a">\n<class name="a/B" {BASE}/></library>',
            'plugins.xml:2: class must have the attribute type, got: name, base_class_type',
        ),
        (
            f'<library>\n<class name="a/B" type="B" {BASE}/></library>',
            'plugins.xml:2: type must name its module, python.module:Class, got B',
        ),
        (
            f'<library path="a">\n<class name="B" type="B" {BASE}/></library>',
            "plugins.xml:2: name must have the form package/Class, got 'B'",
        ),
        (
            f'<library path="a">\n<class name="a/B" type="a-b:C" {BASE}/></library>',
            "plugins.xml:2: type must have the form python.module:Class, got 'a-b':'C'",
        ),
        ('<library>\n<class></library>', 'plugins.xml:2: Opening and ending tag mismatch'),
        ('', 'plugins.xml: is empty'),
        (b'\x89PNG\r\n\x1a\n\0\0', 'plugins.xml:1: '),
    ],
)
def test_a_broken_file_is_refused_with_the_line_and_the_rule(refusal, content, message):
    assert refusal(content).startswith(message)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(PluginError, match=r'none\.xml: no such file'):
        read_descriptions(tmp_path / 'none.xml', 'arm')


def test_a_file_of_50_mb_is_refused_unread(refusal):
    assert refusal(b' ' * 50_000_000) == 'plugins.xml: must have at most 1048576 bytes'


@pytest.mark.parametrize('place', ['<library path="&z;"/>', '<library>&z;</library>'])
def test_an_entity_bomb_is_refused_before_it_is_expanded(refusal, place):
    """No machine could hold what it expands to."""
    entities = ''.join(
        f'<!ENTITY {name} "{f"&{below};" * 10}">' for below, name in pairwise(ascii_lowercase)
    )
    message = refusal(f'<!DOCTYPE l [<!ENTITY a "bomb">{entities}]>{place}')
    assert 'plugins.xml' in message


def test_an_external_entity_is_refused_and_not_read(refusal, tmp_path):
    secret = tmp_path / 'secret'
    secret.write_text('c0ffee')
    message = refusal(f'<!DOCTYPE l [<!ENTITY x SYSTEM "file://{secret}">]><l>&x;</l>')
    assert message == 'plugins.xml: a document type (<!DOCTYPE>) is not accepted'


def test_an_external_document_type_is_refused(refusal):
    message = refusal('<!DOCTYPE library SYSTEM "http://localhost:1/x.dtd"><library/>')
    assert message == 'plugins.xml: a document type (<!DOCTYPE>) is not accepted'


def test_a_deep_file_is_refused(refusal):
    assert refusal('<library>' * 100_000).startswith('plugins.xml:1: ')


def test_a_class_declares_that_the_server_loads_it_and_which_parameters_it_gets(read):
    by_itself, listed = read(f"""<library path="arm"><class name="arm/Eyes" type="Eyes" {BASE}>
<automatic with="cameras"/><parameters group="cam_config" key="cameras"/>
</class><class name="arm/Arm" type="Arm" {BASE}/></library>""")
    assert by_itself.automatic_with == 'cameras'
    assert by_itself.parameter_groups == {'cameras': 'cam_config'}
    assert (listed.automatic_with, listed.parameter_groups) == ('', {})


@pytest.mark.parametrize(
    ('declaration', 'told'),
    [
        ('<automatic/>', 'automatic must have the attribute with, got: none'),
        ('<automatic with="lights"/>', "with must be one of cameras, joint_states, got 'lights'"),
        ('<parameters key="a"/>', 'parameters must have the attribute group, got: key'),
    ],
)
def test_a_wrong_declaration_is_refused_with_its_line(refusal, declaration, told):
    library = f"""<library path="arm"><class name="arm/A" type="A" {BASE}>
{declaration}</class></library>"""
    assert refusal(library) == f'plugins.xml:2: {told}'
