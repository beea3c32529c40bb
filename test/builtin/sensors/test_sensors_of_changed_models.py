"""A spinning scan and contacts while entities are added and removed, compared with the world."""

from __future__ import annotations

import numpy as np
import pytest
from builtin.sensors.sensing import stamp_of
from builtin.test_topics_of_changed_models import delete, spawn
from deadline import DEADLINE_S
from sensor_msgs.msg import LaserScan
from system.harness import wait_until

pytestmark = pytest.mark.slow

WALL, SPEED, STEPS, SAMPLES, SCAN_HZ = 4.0, 0.5, 10, 40, 10.0
HALL = f"""
<mujoco>
  <option timestep="0.002" gravity="0 0 0"/>
  <worldbody>
    <body name="stone" pos="0 0 -9"><geom size=".1"/></body>
    <geom name="wall" type="box" size=".1 9 9" pos="{WALL + 0.1} 0 0"/>
    <body name="cart"><joint type="slide" axis="1 0 0"/><geom size=".1"/><site name="eye"/></body>
  </worldbody>
</mujoco>
"""
ANGLES = np.linspace(-0.5, 0.5, SAMPLES)


def test_a_scan_that_spins_has_each_part_although_entities_come_and_go_within_it(sense):
    scan = {
        'type': 'mujoco_ros_py/LaserScan', 'name': 'scan', 'site': 'eye', 'samples': SAMPLES,
        'min_angle': -0.5, 'max_angle': 0.5, 'spin_steps': STEPS, 'update_rate': SCAN_HZ,
    }  # fmt: skip
    sensing = sense(HALL, scan)
    scans = sensing.client.collect(LaserScan, '/scan')

    def measured() -> int:
        return int(sensing.plugin('scan').topic.state.number)

    wait_until(lambda: measured() == 0, 'the first part, as somebody listens')
    sensing.call(lambda model, data: data.qvel.fill(SPEED))
    changes = {
        13: lambda: spawn(sensing, 'first'),
        17: lambda: delete(sensing, 'stone'),  # ids of sites and geoms move
        25: lambda: spawn(sensing, 'second'),
        36: lambda: delete(sensing, 'first', 'second'),
    }
    for part in range(1, 5 * STEPS):
        sensing.simulation.step(5).result(DEADLINE_S)
        wait_until(lambda now=part: measured() == now, 'the next part')
        changes.get(part, lambda: None)()
    wait_until(lambda: scans and stamp_of(scans[-1]) > 0.39, 'the scans of five revolutions')
    stamps = sorted({stamp_of(each) for each in scans})  # a pause repeats a scan
    assert stamps == pytest.approx([0.0, 0.1, 0.2, 0.3, 0.4])
    for message in scans:
        parts = np.arange(SAMPLES) * STEPS // SAMPLES
        x = SPEED * (stamp_of(message) + parts / STEPS / SCAN_HZ)
        np.testing.assert_allclose(message.ranges, (WALL - x) / np.cos(ANGLES), atol=1e-5)


CRATE = """
<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <body name="stone" pos="0 0 9"><geom name="pebble" size=".1"/></body>
    <geom name="floor" type="plane" size="0 0 1"/>
    <body name="crate" pos="0 0 .099">
      <freejoint/><geom name="wood" type="box" size=".1 .1 .1" mass="2"/>
    </body>
  </worldbody>
</mujoco>
"""


def test_contacts_are_told_by_the_same_names_when_the_ids_of_geoms_move(sense):
    pytest.importorskip('ros_gz_interfaces.msg', reason='ros_gz_interfaces is not built')
    from ros_gz_interfaces.msg import Contacts

    plugin = {'type': 'mujoco_ros_py/Contacts', 'name': 'touching', 'first': ['crate']}
    sensing = sense(CRATE, plugin)
    heard = sensing.hear(Contacts, '/touching')
    sensing.step(300)
    for change in (
        lambda: spawn(sensing, 'first'),
        lambda: delete(sensing, 'stone'),
        lambda: delete(sensing, 'first'),
    ):
        change()
        sensing.step(20)
        told = heard.last.contacts
        assert len(told) == 4
        pairs = {(each.collision1.name, each.collision2.name) for each in told}
        assert pairs == {('wood', 'floor')}
        ids = sensing.call(lambda model, data: (model.geom('wood').id, model.geom('floor').id))
        assert {(each.collision1.id, each.collision2.id) for each in told} == {ids}
        lifted = sum(each.wrenches[0].body_1_wrench.force.z for each in told)
        assert lifted == pytest.approx(2 * 9.81, rel=0.01)
    assert sensing.refusals == []
