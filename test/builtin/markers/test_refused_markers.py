"""Markers that are refused, and the messages that say why."""

from __future__ import annotations

import json
from typing import Any

import pytest

pytestmark = pytest.mark.slow
BALL = '<mujoco><worldbody><geom size=".1"/></worldbody></mujoco>'


def refusals(serve: Any, plugin: dict[str, Any], **parameters: Any) -> str:
    given = {'type': 'mujoco_ros_py/Markers', **plugin}
    server = serve(mujoco_xml=BALL, MujocoPlugins=json.dumps([given]), **parameters)
    return '\n'.join(map(str, server.assembly.host.refusals))


@pytest.mark.parametrize(
    ('given', 'message'),
    [
        (
            {'show': ['geom']},
            "show: unknown kind 'geom' (did you mean 'geoms'?); known: ",
        ),
        ({'show': []}, 'geoms, sites, tendons, contacts, forces'),
        ({'groups': [7]}, 'groups[0] must be at least 0 and at most 5, got 7'),
        ({'rate': 0.0}, 'rate must be greater than 0'),
        ({'colour': 'red'}, 'colour'),
    ],
)
def test_a_wrong_value_is_refused_with_what_may_be_there(serve, given, message):
    assert message in refusals(serve, given)


def test_markers_are_not_shown_in_a_protected_run(serve):
    told = refusals(serve, {}, eval_mode=True, admin_hash='secret')
    assert 'markers are ground truth, which eval_mode does not show' in told
