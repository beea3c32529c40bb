"""Bases in groups of plugins, whose names have a prefix in the model."""

from __future__ import annotations

import re

import mujoco
import pytest
from builtin.controllers.bases.moving import (
    CART,
    FOUR_WHEELS,
    MECANUM,
    NO_TIMEOUT,
    PLANAR,
    TWO_SIDES,
    TWO_WHEELS,
    around,
)

from mujoco_ros_py.session import Session

pytestmark = pytest.mark.slow

KINDS = {
    'two sides': (TWO_WHEELS, TWO_SIDES),
    'mecanum': (FOUR_WHEELS, MECANUM),
    'three omni wheels': around(3),
    'planar': (CART, PLANAR),
}


def of_two(xml: str) -> str:
    """Returns the model twice in one world, with the prefixes `a/` and `b/`."""
    world, actuators = (re.search(f'<{part}>(.*)</{part}>', xml) for part in
                        ('worldbody', 'actuator'))  # fmt: skip
    assert world

    def named(text: str, prefix: str) -> str:
        return re.sub(r'(name|joint)="', rf'\1="{prefix}/', text)

    bodies = ''.join(named(world[1], prefix) for prefix in 'ab')
    servos = ''.join(named(actuators[1], prefix) for prefix in 'ab') if actuators else ''
    option = re.search('<option[^>]*>', xml)
    assert option
    return (
        f'<mujoco>{option[0]}<worldbody>{bodies}</worldbody><actuator>{servos}</actuator></mujoco>'
    )


@pytest.mark.parametrize(('xml', 'plugin'), KINDS.values(), ids=KINDS)
def test_each_base_of_two_robots_moves_by_its_own_velocity(xml, plugin):
    listed = {'name': 'base', **plugin, **NO_TIMEOUT}
    groups = [{'namespace': space, 'plugins': [listed]} for space in 'ab']
    model = mujoco.MjModel.from_xml_string(of_two(xml))
    with Session(model, plugins=groups, strict=True) as session:
        first, second = (session.plugins[f'{space}/base'] for space in 'ab')
        session.call(lambda model, data: second.set_twist(linear_x=0.5))
        session.step(1000)
        assert first.odometry.linear_x == pytest.approx(0.0, abs=1e-6)
        assert second.odometry.linear_x == pytest.approx(0.5, abs=1e-3)
        assert second.frames == ('b/odom', 'b/base_link')


def test_a_name_that_the_model_lacks_is_told_with_its_prefix():
    plugins = [{'name': 'base', **TWO_SIDES, 'left_wheel_names': ['lost']}]
    model = mujoco.MjModel.from_xml_string(of_two(TWO_WHEELS))
    with Session(model, plugins=[{'namespace': 'a', 'plugins': plugins}]) as session:
        assert "left_wheel_names: unknown joint 'a/lost'; known: a/w0" in session.problems[0]
