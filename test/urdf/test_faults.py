import re

import pytest

from mujoco_ros_py.errors import ModelError, UrdfError
from mujoco_ros_py.urdf import read_urdf

LINKS = '<link name="a"/><link name="b"/>'
JOINT = '<joint name="j" type="{}"><parent link="{}"/><child link="{}"/>{}</joint>'
LIMIT = '<limit lower="-1" upper="1"/>'


def robot(text):
    return f'<robot name="r">\n{text}\n</robot>'


@pytest.mark.parametrize(
    ('text', 'message'),
    [
        ('<robot>', 'Line 1: not well-formed: no element found'),
        (
            '<html/>',
            'Line 1: error while parsing element <html>: the first element must be <robot',
        ),
        (
            '<!DOCTYPE robot [<!ENTITY a SYSTEM "file:///etc/passwd">]><robot name="&a;"/>',
            'Line 1: a document type is not allowed: entities can read files',
        ),
        (
            robot('<xacro:arm xmlns:xacro="http://www.ros.org/wiki/xacro"/>'),
            'Line 2: error while parsing element <xacro:arm>: xacro is not evaluated: run',
        ),
        (robot(''), 'element <robot name="r">: must have at least one element <link>'),
        (
            robot('<link/>'),
            "Line 2: error while parsing element <link>: must have an attribute 'name'",
        ),
        (
            robot('<link name="a"/>\n<link name="a"/>'),
            'Line 3: error while parsing element <link name="a">: name \'a\' is already used by'
            ' the link on line 2',
        ),
        (
            robot(LINKS),
            'element <link name="b">: only one link can be the root, but several have no parent:'
            ' a, b',
        ),
        (
            robot(LINKS + JOINT.format('fixed', 'a', 'c', '')),
            'element <joint name="j">: child: unknown link \'c\'; known: a, b',
        ),
        (
            robot(LINKS + JOINT.format('screw', 'a', 'b', '')),
            'type must be one of revolute, continuous, prismatic, fixed, floating, planar,'
            " spherical, got 'screw'",
        ),
        (
            robot(LINKS + JOINT.format('revolute', 'a', 'b', '')),
            'must have an element <limit>, has <child>, <parent>',
        ),
        (
            robot(LINKS + JOINT.format('revolute', 'a', 'b', '<limit lower="low"/>')),
            "element <limit>: lower must be a number, got 'low'",
        ),
        (
            robot(LINKS + JOINT.format('fixed', 'a', 'b', '<origin xyz="nan 0 0"/>')),
            "element <origin>: xyz must be 3 finite numbers, got 'nan 0 0'",
        ),
        (
            robot(LINKS + JOINT.format('fixed', 'a', 'b', '<origin xyz="${x} 0 0"/>')),
            "xyz must be 3 numbers, got '${x} 0 0' (a xacro expression: run xacro first)",
        ),
        (
            robot(LINKS + JOINT.format('revolute', 'a', 'b', LIMIT + '<axis xyz="0 0 0"/>')),
            "the axis must not be zero, got '0 0 0'",
        ),
        (
            robot(LINKS + JOINT.format('continuous', 'a', 'b', '<mimic joint="k"/>')),
            "mimic: unknown joint 'k'; known: j",
        ),
        (
            robot(LINKS + JOINT.format('continuous', 'a', 'b', '<mimic joint="j"/>')),
            'mimic: a joint must not mimic itself',
        ),
        (
            robot(LINKS + JOINT.format('continuous', 'a', 'b', '<dynamics damping="-1"/>')),
            'element <dynamics>: damping must be at least 0, got -1',
        ),
        (
            robot('<link name="a"><visual/></link>'),
            'element <visual>: must have an element <geometry>, has none',
        ),
        (
            robot(
                '<link name="a"><visual><geometry><mesh filename="no.stl"/>'
                '</geometry></visual></link>'
            ),
            "element <mesh>: 'no.stl' cannot be read: /nowhere/no.stl: No such file or directory",
        ),
        (
            robot(
                '<link name="a"><visual><geometry><mesh filename="package://none/a.stl"/>'
                '</geometry></visual></link>'
            ),
            "no package 'none' in AMENT_PREFIX_PATH",
        ),
        (
            robot('<material name="m"><color rgba="2 0 0 1"/></material><link name="a"/>'),
            "element <color>: rgba must be 4 numbers from 0 to 1, got '2 0 0 1'",
        ),
        (
            robot(
                '<link name="world"/><link name="a"/>' + JOINT.format('fixed', 'a', 'world', '')
            ),
            "a link named 'world' must be the root, but the root is 'a'",
        ),
    ],
)
def test_a_fault_is_told_with_its_line_its_element_the_rule_and_what_came(text, message):
    with pytest.raises(UrdfError, match=re.escape(message)) as caught:
        read_urdf(text, folder='/nowhere')
    assert caught.value.line >= 1


def test_names_that_are_equal_without_slashes_are_told():
    links = '<link name="root"/><link name="a/b"/><link name="a_b"/>' + ''.join(
        f'<joint name="j{k}" type="fixed"><parent link="root"/><child link="{name}"/></joint>'
        for k, name in enumerate(('a/b', 'a_b'))
    )
    with pytest.raises(UrdfError, match=r"<robot name=\"r\">: .*name 'a_b' is already used by"):
        read_urdf(robot(links))


def test_circles_of_joints_are_told():
    circle = (
        LINKS
        + JOINT.format('fixed', 'a', 'b', '')
        + ('<joint name="k" type="fixed"><parent link="b"/><child link="a"/></joint>')
    )
    with pytest.raises(UrdfError, match='the joints form a loop: b -> a -> b'):
        read_urdf(robot(circle))
    with pytest.raises(UrdfError, match='the joints form a loop: b -> a -> b'):
        read_urdf(robot('<link name="root"/>' + circle))


def test_a_link_has_one_parent():
    twice = (
        LINKS
        + JOINT.format('fixed', 'a', 'b', '')
        + ('<joint name="k" type="fixed"><parent link="a"/><child link="b"/></joint>')
    )
    with pytest.raises(
        UrdfError, match=r"link 'b' can be the child of only one joint, but is already"
    ):
        read_urdf(robot(twice))


def test_the_world_cannot_float():
    with pytest.raises(UrdfError, match="the root link 'world' is the world, which cannot float"):
        read_urdf(robot('<link name="world"/>'), floating=True)


def test_an_error_names_the_file_and_is_that_of_a_model():
    with pytest.raises(ModelError, match=r'^arm\.urdf: Line 2: error while parsing') as caught:
        read_urdf(robot('<link/>'), origin='arm.urdf')
    assert (caught.value.path, caught.value.line) == ('arm.urdf', 2)
