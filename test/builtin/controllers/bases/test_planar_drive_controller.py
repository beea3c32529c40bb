"""PlanarDriveController against mechanics: the frame of the base turns, but the slides do not."""

from __future__ import annotations

import math

import pytest
from builtin.controllers.bases.moving import CART, NO_TIMEOUT, PLANAR, YAW, X, Y, arc, slides

VELOCITIES = [(0.5, 0.0, 0.0), (0.0, 0.4, 0.0), (0.0, 0.0, 1.0), (0.5, -0.2, 0.8)]


def test_open_loop_odometry_is_the_arc_of_the_command(base):
    made = base(CART, PLANAR, **NO_TIMEOUT, open_loop=True)
    for velocity in VELOCITIES:
        made.session.reset()
        made.drive(2.5, *velocity)
        assert made.pose == pytest.approx(arc(*velocity, 2.5), abs=1e-9)


@pytest.mark.parametrize('position_feedback', [True, False])
def test_the_base_moves_in_its_own_frame(base, position_feedback):
    made = base(CART, PLANAR, **NO_TIMEOUT, position_feedback=position_feedback)
    for velocity in VELOCITIES:
        made.session.reset()
        made.drive(2.5, *velocity)
        assert made.twist == pytest.approx(velocity, abs=0.01)
        assert made.pose == pytest.approx(tuple(made.data.qpos), abs=1e-5)
        assert made.pose == pytest.approx(arc(*velocity, 2.5), abs=0.05)


def test_the_odometry_is_in_the_frame_of_the_start(base):
    made = base(CART, PLANAR, **NO_TIMEOUT)

    def turn(model, data):
        data.qpos[:] = 3.0, 2.0, math.pi / 2.0

    made.session.call(turn)
    made.session.call(made.plugin.reset)
    made.drive(2.0, 0.5)
    assert made.pose == pytest.approx((1.0, 0.0, 0.0), abs=0.02)
    assert list(made.data.qpos) == pytest.approx([3.0, 3.0, math.pi / 2.0], abs=0.02)
    assert made.twist == pytest.approx((0.5, 0.0, 0.0), abs=1e-3)


def test_the_velocity_is_in_the_frame_of_the_body_that_the_hinge_turns(base):
    yaw = YAW.replace('/>', ' ref="30"/>')
    inner = f'<body euler="0 0 90">{yaw}<geom size="0.1"/></body>'
    made = base(slides(X, Y, inner), PLANAR, **NO_TIMEOUT)
    made.drive(2.0, 0.5)
    assert list(made.data.qpos) == pytest.approx([0.0, 1.0, math.radians(30.0)], abs=0.02)
    assert made.pose == pytest.approx((1.0, 0.0, 0.0), abs=0.02)
    assert made.twist == pytest.approx((0.5, 0.0, 0.0), abs=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize(
    ('joints', 'reason'),
    [
        ((YAW, X, Y), 'yaw_joint: yaw must come after x and y in the model'),
        ((X, Y, YAW.replace('axis', 'type="slide" axis')),
         'yaw_joint: joint yaw must be a hinge joint, but is a slide joint'),
        ((X.replace('slide', 'hinge'), Y, YAW), 'x_joint: joint x must be a slide joint, but is'),
        ((X, Y.replace('0 1 0', '0 -1 0'), YAW), 'must form a right-handed frame'),
        ((X, Y, YAW.replace('0 0 1', '0 0 -1')), 'must form a right-handed frame'),
        ((X, Y), "yaw_joint: unknown joint 'yaw'; known: x, y"),
    ],
)  # fmt: skip
def test_a_model_that_cannot_be_driven_is_refused(refusal, joints, reason):
    assert reason in refusal(slides(*joints), PLANAR)
