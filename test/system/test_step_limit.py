"""A model that hangs once its bodies touch: the server answers, and it can be replaced."""

from __future__ import annotations

import pytest

from .harness import PENDULUM, wait_until

pytestmark = pytest.mark.slow

LIMIT_S = 3.0
BOXES = ''.join(
    f'<body pos="{index} 0 0.5"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>'
    for index in range(8)
)
HANGS = (
    '<mujoco><option solver="PGS" iterations="1000000" tolerance="0"/><worldbody>'
    f'<geom type="plane" size="5 5 1"/>{BOXES}</worldbody></mujoco>'
)
"""The boxes fall for a third of a second; a step with contacts takes about a minute."""


def test_a_model_that_hangs_when_bodies_touch_is_paused_and_can_be_replaced(start):
    process, client = start({'mujoco_xml': HANGS, 'step_time_limit': LIMIT_S})
    told = 'a step took longer than 3 s (step_time_limit) and was given up'
    wait_until(lambda: told in process.output, 'the error of the step')
    assert client.trigger('reset').success
    endless = HANGS.replace('1000000', '1000000000')
    assert client.set_parameters(mujoco_xml=endless)[0].successful
    answer = client.trigger('reload')
    assert not answer.success
    assert 'option iterations must be 0 to 1000000, got 1000000000' in answer.message
    assert client.set_parameters(mujoco_xml=PENDULUM)[0].successful
    assert client.trigger('reload').success
