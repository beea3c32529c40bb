"""Rejected marker configurations and their errors."""

from __future__ import annotations

import json
from typing import Any

import pytest

pytestmark = pytest.mark.slow
BALL = '<mujoco><worldbody><geom size=".1"/></worldbody></mujoco>'


WRONG = [
    ({'show': ['geom']}, "show: unknown kind 'geom' (did you mean 'geoms'?); known: "),
    ({'show': []}, 'geoms, sites, tendons, contacts, forces'),
    ({'groups': [7]}, 'groups[0] must be at least 0 and at most 5, got 7'),
    ({'rate': 0.0}, 'rate must be greater than 0'),
    ({'colour': 'red'}, 'colour'),
]


def refusals(serve: Any, *plugins: dict[str, Any], **parameters: Any) -> list[str]:
    given = [
        {'type': 'mujoco_ros_py/Markers', 'name': f'm{number}', **plugin}
        for number, plugin in enumerate(plugins)
    ]
    listed = json.dumps(given)
    server = serve(mujoco_xml=BALL, MujocoPlugins=listed, model_guard=False, **parameters)
    return [str(each) for each in server.assembly.host.refusals]


def test_wrong_values_are_refused_with_what_may_be_there(serve):
    found = refusals(serve, *(given for given, _ in WRONG))
    for refusal, (_, message) in zip(found, WRONG, strict=True):
        assert message in refusal


def test_markers_are_not_shown_in_a_protected_run(serve):
    (told,) = refusals(serve, {}, eval_mode=True, admin_hash='secret')
    assert 'markers are ground truth, which eval_mode hides' in told
