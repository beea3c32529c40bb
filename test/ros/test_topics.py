"""The profiles of quality of service: the page lists them all, and no other file defines one."""

from __future__ import annotations

import ast

from docs.pages import ROOT, rows
from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy

from mujoco_ros_py.plugins import topic_qos

PACKAGE = ROOT / 'mujoco_ros_py'
PROFILES = {
    name: value for name, value in vars(topic_qos).items() if isinstance(value, QoSProfile)
}


def test_the_page_has_all_profiles():
    assert {row[0] for row in rows(ROOT / 'docs/reference/qos.md', 'profile')} == set(PROFILES)


def test_every_other_file_takes_a_profile_by_its_name():
    made = [
        f'{path.relative_to(PACKAGE)}: {ast.unparse(node)}'
        for room in ('builtin', 'ros/topics')
        for path in (PACKAGE / room).rglob('*.py')
        if 'QoSProfile(' in path.read_text()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith('QoSProfile')
    ]
    assert made == []


def test_what_is_published_offers_all_that_is_asked_for_but_on_the_clock():
    for name in ('STATES', 'IMAGES', 'TRANSFORMS', 'LATCHED'):
        assert PROFILES[name].reliability == ReliabilityPolicy.RELIABLE
    assert PROFILES['LATCHED'].durability == DurabilityPolicy.TRANSIENT_LOCAL
    assert PROFILES['CLOCK'].reliability == ReliabilityPolicy.BEST_EFFORT


def test_no_profile_has_a_publisher_wait_for_a_subscriber():
    assert {profile.history for profile in PROFILES.values()} == {HistoryPolicy.KEEP_LAST}
