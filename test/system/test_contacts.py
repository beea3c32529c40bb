"""Contacts and depth clouds against what mechanics and geometry say."""

from __future__ import annotations

import json
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


def load(share, *plugins: Any, xml: str = WORLD) -> tuple[Any, Any]:
    """Returns the process and a client of a paused server with these plugins."""
    base = {'mujoco_xml': WORLD, 'MujocoPlugins': '[]', 'realtime': 20.0}
    return share(base, given={'mujoco_xml': xml, 'MujocoPlugins': json.dumps(plugins)})


def plugin(name: str = 'touching', **config: Any) -> dict[str, Any]:
    return {'type': 'mujoco_ros_py/Contacts', 'name': name, **config}


def vector(values: Any) -> np.ndarray:
    return np.array([values.x, values.y, values.z])


def test_the_forces_on_a_resting_box_are_its_weight(share):
    _, client = load(share, plugin(first=['crate'], second=['floor']))
    messages = client.collect(Contacts, '/touching')
    arrows_told = client.collect(MarkerArray, '/touching/markers')
    assert client.pause(False).success

    def at_rest() -> tuple[Contacts, MarkerArray] | None:
        """Returns contacts and arrows of one moment, as a crate on a slope creeps."""
        for arrows in tuple(arrows_told):
            stamp = arrows.markers[0].header.stamp
            found = [each for each in tuple(messages) if each.header.stamp == stamp]
            if stamp.sec >= 2 and found:
                return found[0], arrows
        return None

    message, marked = wait_until(at_rest, 'contacts at rest, and their arrows')
    told = message.contacts
    assert message.header.frame_id == 'world'
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
    first, *arrows = marked.markers
    assert first.action == Marker.DELETEALL
    names = {(first.ns, first.id), *((each.ns, each.id) for each in arrows)}
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


def test_contacts_are_those_of_the_filter_and_no_more_than_there_is_room_for(share):
    of_ball = plugin('of_ball', first=['ball'], second=['crate'])
    _, client = load(share, plugin('all'), plugin('two', most=2), of_ball)
    heard = {name: client.collect(Contacts, f'/{name}') for name in ('all', 'two', 'of_ball')}
    assert client.pause(False).success

    def at_rest() -> bool:
        return all(told and told[-1].header.stamp.sec >= 2 for told in heard.values())

    wait_until(at_rest, 'contacts at rest')
    newest = {name: told[-1].contacts for name, told in heard.items()}
    pairs = {(each.collision1.name, each.collision2.name) for each in newest['all']}
    assert pairs == {('floor', 'wood'), ('floor', 'rubber')}
    assert len(newest['two']) == 2
    assert not newest['of_ball']


def test_a_name_that_the_model_lacks_is_refused_with_those_that_exist(share):
    process, _ = load(share, plugin(first=['feet']))
    process.wait_for_output("first: unknown geom or body 'feet'; known: ")
    assert 'wood' in process.output.split("unknown geom or body 'feet'")[1]


def test_contacts_are_not_shown_in_a_protected_run(start):
    protected = {'eval_mode': True, 'admin_hash': 'secret'}
    process, _ = start({'MujocoPlugins': json.dumps([plugin()]), **protected})
    process.wait_for_output('contacts are ground truth, which eval_mode hides')


@pytest.mark.parametrize(('height', 'depths'), [(0.13, [-0.03]), (0.18, [])])
def test_a_contact_within_the_margin_is_told_with_a_negative_depth_but_not_in_the_gap(
    share, height, depths
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
    _, client = load(share, plugin(), xml=xml)
    messages = client.collect(Contacts, '/touching')
    wait_until(lambda: messages, 'contacts of the start')
    told = [each.depths[0] for each in messages[-1].contacts]
    assert told == pytest.approx(depths)
