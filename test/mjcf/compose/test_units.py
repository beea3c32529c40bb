"""The units of numbers in attached models."""

from __future__ import annotations

import mujoco
import pytest

from mujoco_ros_py import mjcf
from mujoco_ros_py.mjcf import pymjcf

BODY = '<worldbody><body name="b" {}><joint name="j" {}/><geom size="1"/></body></worldbody>'


def model(name: str, compiler: str = '', body: str = '', joint: str = ''):
    return mjcf.from_xml_string(
        f'<mujoco model="{name}"><compiler {compiler}/>{BODY.format(body, joint)}</mujoco>'
    )


def test_a_child_in_radians_makes_a_parent_without_angles_one_in_radians():
    parent, child = model('parent'), model('child', 'angle="radian"', joint='range="-1 1"')
    parent.attach(child)
    both = mujoco.MjModel.from_xml_string(parent.to_xml_string())
    assert both.joint('child/j').range.tolist() == [-1, 1]
    assert parent.compiler.angle == 'radian'


@pytest.mark.parametrize(
    'angles', [{'joint': 'range="-90 90"'}, {'body': 'euler="0 90 0"'}, {'joint': 'ref="5"'}]
)
def test_a_parent_with_implicit_degrees_is_not_turned_into_radians(angles):
    parent = model('parent', **angles)
    child = model('child', 'angle="radian"', joint='range="-1 1"')
    rule = 'angle is degree in the host and radian in the attached model, and both <'
    with pytest.raises(ValueError, match=rule):
        parent.attach(child)
    assert parent.compiler.angle is None


@pytest.mark.parametrize(
    ('compiler', 'angles'),
    [
        ('angle="radian"', {'joint': 'range="-90 90"'}),
        ('eulerseq="zyx"', {'body': 'euler="1 2 3"'}),
    ],
)
def test_a_parent_does_not_change_what_numbers_of_a_child_without_units_mean(compiler, angles):
    parent, child = model('parent', compiler), model('child', **angles)
    key, value = compiler.replace('"', '').split('=')
    with pytest.raises(
        ValueError, match=f'{key} is {value}, but the attached model uses the default'
    ):
        parent.attach(child)
    setattr(child.compiler, key, value)
    parent.attach(child)


def test_in_pymjcf_a_parent_tells_what_numbers_of_a_child_without_units_mean():
    parent = pymjcf.from_xml_string('<mujoco><compiler angle="radian"/></mujoco>')
    body = BODY.format('', 'range="-1 1"')
    child = pymjcf.from_xml_string(f'<mujoco>{body}</mujoco>')
    parent.attach(child)
    both = mujoco.MjModel.from_xml_string(parent.to_xml_string())
    assert both.jnt_range.tolist() == [[-1, 1]]


def test_a_child_without_angles_leaves_the_unit_of_the_parent():
    parent = model('parent', joint='range="-90 90"')
    child = model('child', 'angle="radian"')
    parent.attach(child)
    both = mujoco.MjModel.from_xml_string(parent.to_xml_string())
    assert both.joint('j').range[1] == pytest.approx(3.14159265 / 2)
    child.find('joint', 'j').range = [-1, 1]
    with pytest.raises(ValueError, match='angle is degree in the host and radian in the'):
        parent.to_xml_string()


def test_ranges_of_slides_are_no_angles():
    parent = model('parent', joint='type="slide" range="-9 9"')
    parent.attach(model('child', 'angle="radian"', joint='range="-1 1"'))
    both = mujoco.MjModel.from_xml_string(parent.to_xml_string())
    assert both.joint('j').range.tolist() == [-9, 9]


def test_sequences_of_euler_angles_are_kept_apart_too():
    parent = model('parent', body='euler="10 20 30"')
    with pytest.raises(ValueError, match='eulerseq is xyz in the host and zyx in the'):
        parent.attach(model('child', 'eulerseq="zyx"', body='euler="1 2 3"'))
    parent.attach(model('other', 'eulerseq="zyx"'))
    assert parent.compiler.eulerseq is None
