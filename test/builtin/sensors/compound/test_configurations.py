"""Errors of compound sensors: the place, the rule, the value and the known names."""

from __future__ import annotations

import pytest

ROBOT = """
<mujoco>
  <worldbody>
    <body name="robot">
      <freejoint name="base"/>
      <geom size="0.1"/>
      <site name="imu"/>
      <site name="other"/>
    </body>
  </worldbody>
  <actuator><motor name="left" joint="base"/><motor name="right" joint="base"/></actuator>
  <sensor>
    <force name="f" site="imu"/>
    <torque name="t" site="other"/>
    <velocimeter name="v" site="imu"/>
    <framelinvel name="in_world" objtype="site" objname="imu"/>
    <framepos name="p" objtype="site" objname="imu"/>
    <framequat name="q" objtype="site" objname="imu" reftype="site" refname="other"/>
    <rangefinder name="beam" site="imu"/>
    <rangefinder name="detailed" site="imu" data="dist normal"/>
  </sensor>
</mujoco>
"""
EARTH = {'latitude_deg': 1.0, 'longitude_deg': 2.0}
PACK = {'voltage': 12.0, 'capacity': 2.0}
SITES = "site: unknown site 'imo' (did you mean 'imu'?); known: imu, other"


WRONG = [
    (
        'ForceTorque',
        {},
        'force must name a sensor of type force if no site is given; known: f; '
        'known sites: imu, other',
    ),
    (
        'Twist',
        {'linear': 'v'},
        'angular must name a sensor of type gyro or frameangvel if no site is given; '
        'known: none; known sites: imu, other',
    ),
    ('ForceTorque', {'site': 'imo'}, SITES),
    ('ForceTorque', {'force': 't', 'torque': 't'}, "unknown sensor of type force 't'; known: f"),
    ('ForceTorque', {'force': 'f', 'torque': 't'}, 'got force in imu, torque in other'),
    (
        'ForceTorque',
        {'site': 'imu', 'measure_direction': 'down'},
        "measure_direction must be one of child_to_parent, parent_to_child, got 'down'",
    ),
    ('Twist', {'site': 'imo'}, SITES),
    ('Twist', {'site': 'imu', 'angular': 'v'}, 'angular: unknown sensor of type gyro or frame'),
    ('Twist', {'site': 'imu', 'linear': 'in_world'}, 'got linear in world, angular in imu'),
    ('Pose', {'site': 'imo'}, SITES),
    ('Pose', {'position': 'p', 'orientation': 'q'}, 'position in world, orientation in other'),
    ('Pose', {'site': 'imu', 'orientation': 'q'}, 'position in world, orientation in other'),
    ('Magnetometer', {'magnetic_field': 'f'}, "unknown sensor of type magnetometer 'f'"),
    (
        'Magnetometer',
        {'site': 'imu', 'static_covariance': [1.0]},
        'static_covariance must be empty or have 9 numbers, got 1',
    ),
    ('NavSat', {'site': 'imu'}, 'spherical_coordinates must be given'),
    ('NavSat', {'site': 'imo', 'spherical_coordinates': EARTH}, SITES),
    (
        'NavSat',
        {'site': 'imu', 'spherical_coordinates': {**EARTH, 'latitude_deg': 91.0}},
        'spherical_coordinates.latitude_deg must be at least -90 and at most 90, got 91',
    ),
    (
        'NavSat',
        {'site': 'imu', 'spherical_coordinates': EARTH, 'static_position_covariance': [1.0]},
        'static_position_covariance must be empty or have 9 numbers, got 1',
    ),
    ('AirPressure', {'site': 'imo'}, SITES),
    ('Altimeter', {'site': 'imo'}, SITES),
    ('Battery', {'voltage': 12.0}, 'capacity must be given'),
    (
        'Battery',
        {**PACK, 'actuators': ['lift']},
        "actuators: unknown actuator 'lift' (did you mean 'left'?); known: left, right",
    ),
    (
        'Battery',
        {**PACK, 'empty_voltage': 13.0},
        'empty_voltage must be at most voltage, got 13 and 12',
    ),
    ('Battery', {**PACK, 'technology': 'coal'}, 'technology must be one of unknown, nimh, lion'),
    (
        'Range',
        {},
        'site or rangefinder must be given; known sites: imu, other; '
        'known rangefinders of one ray: beam',
    ),
    ('Range', {'site': 'imu', 'rangefinder': 'beam'}, 'can be given, got site imu and'),
    ('Range', {'site': 'imo'}, SITES),
    ('Range', {'rangefinder': 'detailed'}, "one ray 'detailed'; known: beam"),
    ('Range', {'site': 'imu', 'field_of_view': 4.0}, 'field_of_view must be at least 0'),
]


@pytest.mark.slow
@pytest.mark.parametrize(('kind', 'config', 'reason'), WRONG)
def test_a_wrong_configuration_is_refused(refusal, kind, config, reason):
    assert reason in refusal(ROBOT, kind, **config)
