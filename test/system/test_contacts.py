"""Contacts and depth clouds against what mechanics and geometry say."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

pytest.importorskip('ros_gz_interfaces.msg', reason='ros_gz_interfaces is not built')

from ros_gz_interfaces.msg import Contacts
from visualization_msgs.msg import Marker, MarkerArray

from .harness import wait_until

pytestmark = pytest.mark.slow

MASS, GRAVITY, SLOPE = 2.0, 9.81, math.radians(10)
WORLD = f"""
<mujoco>
  <option timestep="0.002" gravity="{GRAVITY * math.sin(SLOPE)} 0 {-GRAVITY * math.cos(SLOPE)}"
    impratio="10" cone="elliptic"/>
  <worldbody>
    <geom name="floor" type="plane" size="0 0 1"/>
    <body name="crate" pos="0 0 0.1">
      <freejoint/>
      <geom name="wood" type="box" size="0.1 0.1 0.1" mass="{MASS}" friction="1 0.005 0.0001"/>
    </body>
    <body name="ball" pos="1 0 0.05">
      <joint type="slide" axis="0 0 1"/>
      <geom name="rubber" size="0.05" mass="1"/>
    </body>
  </worldbody>
</mujoco>
"""
"""A crate on a slope, whose axes are those of the world, and a ball that cannot roll."""


def contacts(start, **config: Any) -> tuple[list[Contacts], Any]:
    plugin = {'type': 'mujoco_ros_py/Contacts', **config}
    _, client = start(
        {'mujoco_xml': WORLD, 'MujocoPlugins': {'names': ['touching'], 'touching': plugin}}
    )
    messages = client.collect(Contacts, '/touching')
    wait_until(lambda: messages and messages[-1].header.stamp.sec >= 2, 'contacts at rest')
    return messages, client


def vector(values: Any) -> np.ndarray:
    return np.array([values.x, values.y, values.z])


def test_the_forces_on_a_resting_box_are_its_weight(start):
    messages, client = contacts(start, first=['crate'], second=['floor'])
    told = messages[-1].contacts
    assert messages[-1].header.frame_id == 'world'
    assert len(told) == 4
    assert {(each.collision1.name, each.collision2.name) for each in told} == {('wood', 'floor')}
    assert {each.collision1.type for each in told} == {each.collision1.COLLISION for each in told}
    on_crate = sum(vector(each.wrenches[0].body_1_wrench.force) for each in told)
    on_floor = sum(vector(each.wrenches[0].body_2_wrench.force) for each in told)
    weight = MASS * GRAVITY * np.array([-math.sin(SLOPE), 0.0, math.cos(SLOPE)])
    assert on_crate == pytest.approx(weight, rel=0.01, abs=0.01 * MASS * GRAVITY)
    assert on_floor == pytest.approx(-on_crate)
    for each in told:
        assert vector(each.normals[0]) == pytest.approx([0, 0, -1]), 'from the crate to the floor'
        assert 0 < each.depths[0] < 0.01
        _, y, z = vector(each.positions[0])
        assert (abs(y), abs(z)) == (pytest.approx(0.1, abs=0.01), pytest.approx(0, abs=0.01))
        assert each.wrenches[0].body_1_name.data == 'crate'
        assert each.wrenches[0].body_2_name.data == 'world'
    markers = client.collect(MarkerArray, '/touching/markers')
    wait_until(lambda: markers, 'markers')
    first, *arrows = markers[-1].markers
    assert first.action == Marker.DELETEALL
    names = {(each.ns, each.id) for each in markers[-1].markers}
    assert len(names) == 1 + len(arrows), 'RViz refuses markers of the same namespace and id'
    assert len(arrows) == 4
    starts, ends = (np.array([vector(arrow.points[k]) for arrow in arrows]) for k in (0, 1))
    lifted = (ends - starts).sum(axis=0)
    assert lifted == pytest.approx(weight / 100, rel=0.01, abs=0.01 * MASS * GRAVITY / 100)
    places = np.array([vector(each.positions[0]) for each in told])
    nearest = np.linalg.norm(starts[:, np.newaxis] - places, axis=2).argmin(axis=1)
    assert sorted(nearest) == [0, 1, 2, 3], 'an arrow at each point of contact'
    assert starts == pytest.approx(places[nearest], abs=1e-3)
    assert {arrow.header.frame_id for arrow in arrows} == {'world'}


def test_without_a_filter_all_contacts_are_told(start):
    messages, _ = contacts(start)
    pairs = {(each.collision1.name, each.collision2.name) for each in messages[-1].contacts}
    assert pairs == {('floor', 'wood'), ('floor', 'rubber')}


def test_no_more_contacts_are_told_than_there_is_room_for(start):
    messages, _ = contacts(start, most=2)
    assert len(messages[-1].contacts) == 2


def test_a_filter_without_contacts_gives_empty_messages(start):
    messages, _ = contacts(start, first=['ball'], second=['crate'])
    assert not messages[-1].contacts


def test_a_name_that_the_model_lacks_is_refused_with_those_that_exist(start):
    plugin = '[{type: mujoco_ros_py/Contacts, first: [feet]}]'
    process, _ = start({'mujoco_xml': WORLD, 'MujocoPlugins': plugin})
    process.wait_for_output("first: unknown geom or body 'feet'; known: ")
    assert 'wood' in process.output.split("unknown geom or body 'feet'")[1]


def test_contacts_are_not_shown_in_a_protected_run(start):
    plugin = '[{type: mujoco_ros_py/Contacts}]'
    secret = {'eval_mode': True, 'admin_hash': 'secret'}
    process, _ = start({'mujoco_xml': WORLD, 'MujocoPlugins': plugin, **secret})
    process.wait_for_output('contacts are ground truth, which eval_mode does not show')


@pytest.mark.parametrize(('height', 'depths'), [(0.13, [-0.03]), (0.18, [])])
def test_a_contact_within_the_margin_is_told_with_a_negative_depth_but_not_in_the_gap(
    start, height, depths
):
    xml = f"""
    <mujoco>
      <option gravity="0 0 0"/>
      <worldbody>
        <geom name="floor" type="plane" size="0 0 1"/>
        <body pos="0 0 {height}">
          <freejoint/><geom size="0.1" margin="0.06" gap="0.06"/>
        </body>
      </worldbody>
    </mujoco>
    """
    plugin = '[{type: mujoco_ros_py/Contacts, name: touching}]'
    _, client = start({'mujoco_xml': xml, 'MujocoPlugins': plugin, 'unpause': False})
    messages = client.collect(Contacts, '/touching')
    wait_until(lambda: messages, 'contacts of the start')
    told = [each.depths[0] for each in messages[-1].contacts]
    assert told == pytest.approx(depths)
