"""The example robots roll on the ground; their odometry is compared with their true poses."""

from __future__ import annotations

import math

import pytest
from builtin.controllers.bases.moving import DIFF, NO_TIMEOUT, OMNI, Base, arc

from mujoco_ros_py.session import Session

pytestmark = pytest.mark.slow

EXAMPLES = 'package://mujoco_ros_py/examples'
PLACES = 'front_left', 'front_right', 'rear_right', 'rear_left'
RAMPS = {'linear': {'x': {'max_acceleration': 1.0}}, 'angular': {'z': {'max_acceleration': 2.0}}}
ROVER = {
    'type': DIFF,
    'left_wheel_names': ['left_wheel'],
    'right_wheel_names': ['right_wheel'],
    'wheel_separation': 0.32,
    'wheel_separation_multiplier': 1.035,
    'wheel_radius': 0.1,
}
MECANUM = {
    'type': 'mujoco_ros_py/MecanumDriveController',
    **{f'{place}_wheel_command_joint_name': place for place in PLACES},
    'kinematics': {'wheels_radius': 0.1, 'sum_of_robot_center_projection_on_X_Y_axis': 0.4},
}
THREE_WHEELS = {
    'type': OMNI,
    'wheel_names': ['front', 'left', 'right'],
    'robot_radius': 0.2,
    'wheel_radius': 0.05,
}
ROBOTS = {'rover': ROVER, 'mecanum': MECANUM, 'omni': THREE_WHEELS}
AHEAD = [(0.5, 0.0, 0.0), (0.0, 0.0, 1.0), (0.4, 0.0, 0.5)]
ASIDE = [(0.0, 0.4, 0.0), (0.3, 0.3, 0.5)]
SECONDS = 2.0
SETTLES_S = 0.5
STEPS_PER_SECOND = 500


@pytest.mark.parametrize('name', ROBOTS)
def test_a_robot_goes_where_it_is_told_and_its_odometry_knows(name):
    plugin = {'name': 'base', **ROBOTS[name], **RAMPS, **NO_TIMEOUT}
    with Session(f'{EXAMPLES}/{name}.xml', plugins=[plugin], strict=True) as session:
        base = Base(session)
        for velocity in AHEAD if name == 'rover' else AHEAD + ASIDE:
            session.reset()
            session.step(round(SETTLES_S * STEPS_PER_SECOND))
            assert base.pose == pytest.approx((0.0, 0.0, 0.0), abs=1e-3)
            base.command(*velocity)
            session.step(round(SECONDS * STEPS_PER_SECOND))
            qpos = base.data.qpos
            truth = qpos[0], qpos[1], 2.0 * math.atan2(qpos[6], qpos[3])
            assert base.pose == pytest.approx(truth, abs=0.05)
            assert base.twist == pytest.approx(velocity, abs=0.06)
            assert near_the_arc(truth, velocity)


def near_the_arc(pose, velocity):
    """Returns whether the pose is on the arc of a velocity that was reached after a ramp."""
    latest, within = SECONDS, 0.06
    poses = [arc(*velocity, latest - 0.01 * k) for k in range(60)]
    return min(math.dist(pose, each) for each in poses) < within
