"""Joint states, sensors, commands and goals are read as what they are in the model."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mujoco_ros_py.config import read
from mujoco_ros_py.errors import ConfigError, RecordingError
from mujoco_ros_py.identification.measurements import MeasurementOptions

robot = pytest.importorskip('measured_robot', reason='mcap or rosbags is not installed')
delayed = pytest.importorskip('delayed_robot', reason='mcap or rosbags is not installed')
DEGREES = 180.0 / math.pi
NAMES = ('shoulder', 'elbow', 'lift')


def test_joint_states_are_positions_velocities_and_efforts_of_joints(tmp_path):
    notes = []
    found = robot.sequences(tmp_path, {robot.STATES: robot.states()}, notes=notes)
    signals = robot.signals(found)
    assert {name[:2] for name in signals} == {
        (quantity, joint)
        for quantity in ('position', 'velocity', 'effort')
        for joint in ('shoulder', 'elbow')
    }
    position = signals['position', 'elbow', 0]
    values, velocities = robot.move(position.times, 1)
    assert position.topic == robot.STATES
    assert np.allclose(position.values, values)
    assert np.allclose(signals['velocity', 'elbow', 0].values, velocities)
    assert notes == [
        f'{tmp_path}/run.mcap: /joint_states: it has no positions or velocities of lift',
        'run.mcap: it has no commands and no goals',
    ]


def test_values_that_are_missing_or_not_numbers_are_left_out(tmp_path):
    rows = []
    for k, (time, state) in enumerate(robot.states()):
        if k % 2:
            state = robot.joint_state(time, ['lift'], [0.1 * time], [math.nan], [])
        elif k % 20 == 0:
            state.position[0] = math.nan
        rows.append((time, state))
    signals = robot.signals(robot.sequences(tmp_path, {robot.STATES: rows}))
    assert ('position', 'lift', 0) in signals
    assert ('velocity', 'lift', 0) not in signals
    assert ('effort', 'lift', 0) not in signals
    shoulder = signals['position', 'shoulder', 0]
    assert np.isfinite(shoulder.values).all()
    assert len(shoulder.times) < len(signals['position', 'elbow', 0].times)
    assert np.allclose(shoulder.values, robot.move(shoulder.times, 0)[0])


def test_velocities_and_efforts_that_are_always_0_are_not_measured(tmp_path):
    rows = [
        (time, robot.joint_state(time, state.name, state.position, [0.0, 0.0], [0.0, 0.0]))
        for time, state in robot.states()
    ]
    notes = []
    found = robot.sequences(tmp_path, {robot.STATES: rows}, notes=notes)
    assert {name[0] for name in robot.signals(found)} == {'position'}
    assert 'the velocity of elbow is not used: it is always 0' in ' '.join(notes)
    assert 'the effort of elbow is not used: it is always 0' in ' '.join(notes)


def turning(joint: str, speed: float, low: float = -math.pi):
    """States of a joint that turns and rests, with angles of one turn from `low` on."""
    turns = 2.0 * math.pi
    rows = []
    for time, _ in robot.states():
        angle = speed * max(time - 0.6, 0.0)
        wrapped = (angle - low) % turns + low
        rows.append((time, robot.joint_state(time, [joint], [wrapped], [], [])))
    return rows


@pytest.mark.parametrize('low', [-math.pi, 0.0])
def test_the_turns_of_a_joint_without_limits_are_counted(tmp_path, low):
    notes = []
    rows = turning('elbow', 3.0, low)
    found = robot.sequences(tmp_path, {robot.STATES: rows}, notes=notes)
    position = robot.signals(found)['position', 'elbow', 0]
    assert np.allclose(position.values, 3.0 * np.maximum(position.times - 0.6, 0.0))
    assert position.values[-1] > 10.0
    assert 'the position of elbow wraps: its turns are counted' in ' '.join(notes)


def test_a_joint_that_turns_too_fast_to_count_its_turns_is_refused(tmp_path):
    with pytest.raises(RecordingError, match=r'joint elbow: .* wraps, and its turns cannot be'):
        robot.sequences(tmp_path, {robot.STATES: turning('elbow', 200.0)})


def test_positions_of_a_joint_with_limits_stay_as_they_are(tmp_path):
    found = robot.sequences(tmp_path, {robot.STATES: turning('shoulder', 3.0)})
    assert np.max(np.abs(robot.signals(found)['position', 'shoulder', 0].values)) < 3.2


def test_names_of_joints_are_mapped(tmp_path):
    rows = {robot.STATES: robot.states(names=('j1', 'elbow'))}
    found = robot.sequences(tmp_path, rows, joints={'j1': 'shoulder'})
    assert ('position', 'shoulder', 0) in robot.signals(found)
    found = robot.sequences(
        tmp_path, rows, topics={robot.STATES: {'joints': {'j1': 'lift'}, 'units': 'radians'}}
    )
    assert ('position', 'lift', 0) in robot.signals(found)


def test_joints_that_are_missing_are_named_with_what_exists(tmp_path):
    rows, notes = {robot.STATES: robot.states(names=('j1', 'elbow'))}, []
    robot.sequences(tmp_path, rows, notes=notes)
    assert f'{tmp_path}/run.mcap: /joint_states: these joints are not in the model: j1' in notes
    with pytest.raises(ConfigError) as raised:
        robot.sequences(tmp_path, rows, joints={'j1': 'sholder'})
    assert str(raised.value) == (
        "joints.j1: unknown joint of the model 'sholder' (did you mean 'shoulder'?); known: elbow,"
        ' lift, shoulder'
    )
    with pytest.raises(ConfigError) as raised:
        robot.sequences(tmp_path, rows, joints={'j2': 'shoulder'})
    assert str(raised.value) == ("joints: unknown joint of the recordings 'j2'; known: elbow, j1")
    with pytest.raises(ConfigError) as raised:
        robot.sequences(tmp_path, rows, topics={robot.STATES: {'joints': {'j2': 'shoulder'}}})
    assert str(raised.value) == (
        "topics./joint_states.joints: unknown joint of the recording 'j2'; known: elbow, j1"
    )
    with pytest.raises(RecordingError) as raised:
        robot.sequences(tmp_path, rows, joints={'j1': 'elbow'})
    assert str(raised.value) == (
        f'{tmp_path}/run.mcap: /joint_states: j1 and elbow are both the joint elbow; set joints or'
        ' prefix'
    )
    with pytest.raises(RecordingError) as raised:
        robot.sequences(tmp_path, {robot.STATES: robot.states(names=('a', 'b'))})
    assert str(raised.value) == (
        'run.mcap: no topic has measurements of the model; topics: /joint_states'
        f' (sensor_msgs/msg/JointState); {tmp_path}/run.mcap: /joint_states: the model has none of'
        ' its joints: a, b; joints of the model: shoulder, elbow, lift; map them by joints'
    )


def test_two_robots_in_a_recording_are_told_apart_by_topic_or_prefix(tmp_path):
    apart = {'/left/joint_states': robot.states(), '/right/joint_states': robot.states()}
    with pytest.raises(RecordingError) as raised:
        robot.sequences(tmp_path, apart)
    assert str(raised.value) == (
        'run.mcap: both /left/joint_states and /right/joint_states have values of the position of'
        ' shoulder; set topics./right/joint_states.use to nothing, or prefix if they are of two'
        ' robots'
    )
    found = robot.sequences(tmp_path, apart, topics={'/right/joint_states': {'use': 'nothing'}})
    assert {each.topic for each in found[0].signals} == {'/left/joint_states'}
    names = ('left_shoulder', 'left_elbow', 'right_shoulder', 'right_elbow')
    together = {
        robot.STATES: robot.states(names=names),
        '/left/imu': robot.stream(robot.imu, frame='left_imu_link'),
        '/right/imu': robot.stream(robot.imu, frame='right_imu_link'),
        '/right/states': robot.states(names=('right_shoulder',)),
    }
    notes = []
    found = robot.sequences(tmp_path, together, prefix='right_', notes=notes, topics={
        '/right/states': {'use': 'nothing'}
    })  # fmt: skip
    elbow = robot.signals(found)['position', 'elbow', 0]
    assert np.allclose(elbow.values, robot.move(elbow.times, 3)[0])
    assert robot.signals(found)['gyro', 'imu_link', 0].topic == '/right/imu'
    assert (
        f"{tmp_path}/run.mcap: /left/imu: its frame 'left_imu_link' does not begin with the prefix"
        ' right_' in notes
    )


def test_positions_and_velocities_in_degrees_are_refused_and_converted(tmp_path):
    rows = {robot.STATES: robot.states(scale=DEGREES)}
    with pytest.raises(RecordingError) as raised:
        robot.sequences(tmp_path, rows)
    said = str(raised.value)
    assert said.startswith(f'{tmp_path}/run.mcap: /joint_states: joint shoulder: its position is ')
    assert said.endswith(
        ' s, far beyond its range of -2 to 2 rad: the positions are in degrees; set'
        ' topics./joint_states.units: degrees, or radians if the range of the model is wrong'
    )
    radians = robot.signals(robot.sequences(tmp_path, {robot.STATES: robot.states()}))
    for options in ({'units': 'degrees'}, {'topics': {robot.STATES: {'units': 'degrees'}}}):
        converted = robot.signals(robot.sequences(tmp_path, rows, **options))
        for name, each in radians.items():
            if name[0] != 'effort':
                assert np.allclose(converted[name].values, each.values)


@pytest.mark.parametrize(
    ('scales', 'ratio', 'wrong', 'units'),
    [
        ((DEGREES, 1.0), '57.3', 'positions', ('degrees', 'radians')),
        ((1.0, DEGREES), '0.0175', 'velocities', ('radians', 'degrees')),
    ],
)
@pytest.mark.parametrize('rate', [10.0, 100.0])
def test_positions_and_velocities_of_different_units_are_refused(
    tmp_path, scales, ratio, wrong, units, rate
):
    rows = {
        robot.STATES: robot.states(
            names=('elbow',), scale=scales[0], velocity_scale=scales[1], rate=rate, noise=1e-3
        )
    }
    with pytest.raises(RecordingError) as raised:
        robot.sequences(tmp_path, rows)
    assert f'joint elbow: the positions change {ratio[:2]}' in str(raised.value)
    assert str(raised.value).endswith(
        f' times as much as the velocities say: the {wrong} are in degrees; set'
        f' topics./joint_states.units: {units[0]} and'
        f' topics./joint_states.velocity_units: {units[1]}'
    )
    options = {'units': units[0], 'velocity_units': units[1]}
    found = robot.signals(robot.sequences(tmp_path, rows, topics={robot.STATES: options}))
    velocity = found['velocity', 'elbow', 0]
    assert np.allclose(velocity.values, robot.move(velocity.times, 0)[1])


def test_positions_of_slides_are_never_degrees(tmp_path):
    rows = {robot.STATES: robot.states(names=('lift',), scale=30.0)}
    found = robot.signals(robot.sequences(tmp_path, rows, units='degrees'))
    position = found['position', 'lift', 0]
    assert np.allclose(position.values, 30.0 * robot.move(position.times, 0)[0])


def test_imus_wrenches_and_odometry_are_sensors_of_sites_and_bodies(tmp_path):
    notes = []
    found = robot.sequences(
        tmp_path,
        {
            robot.STATES: robot.states(),
            robot.IMU: robot.stream(robot.imu, frame='robot1/imu_link'),
            robot.FT: robot.stream(robot.wrench),
            robot.ODOM: robot.stream(robot.odometry),
        },
        notes=notes,
    )
    values = {name: each.values[0] for name, each in robot.signals(found).items()}
    assert [values['accelerometer', 'imu_link', k] for k in range(3)] == [0.4, 0.5, 9.8]
    assert values['gyro', 'imu_link', 2] == 0.3
    wrench = [values[name, 'wrist', k] for name in ('force', 'torque') for k in range(3)]
    assert wrench == [-1.0, -2.0, -3.0, -4.0, -5.0, -6.0], 'what the parent exerts on the child'
    assert values['velocimeter', 'base', 0] == 0.5
    assert values['gyro', 'base', 2] == -0.5
    assert ('velocimeter', 'base', 1) not in values
    assert (
        f'{tmp_path}/run.mcap: /odom: the component y of the velocimeter is not used: it is'
        ' always 0' in notes
    )


def test_options_place_sensors_and_choose_the_direction_of_wrenches(tmp_path):
    rows = {
        robot.STATES: robot.states(),
        robot.IMU: robot.stream(robot.imu, frame='x', unknown=True),
        robot.FT: robot.stream(robot.wrench, frame='y'),
        robot.ODOM: robot.stream(robot.odometry, frame='base_footprint'),
    }
    found = robot.signals(robot.sequences(tmp_path, rows, topics={
        robot.IMU: {'body': 'lower'},
        robot.FT: {'site': 'wrist', 'measure_direction': 'parent_to_child'},
    }))  # fmt: skip
    assert ('gyro', 'lower', 0) in found
    assert ('accelerometer', 'lower', 0) not in found, 'its covariance begins with -1'
    assert found['force', 'wrist', 2].values[0] == 3.0
    assert ('velocimeter', 'base', 0) in found, 'the only body with a free joint'
    with pytest.raises(ConfigError) as raised:
        robot.sequences(tmp_path, rows)
    assert str(raised.value) == (
        f"{tmp_path}/run.mcap: /imu: its frame 'x' is no site or body of the model; set"
        ' topics./imu.site or topics./imu.body; sites: imu_link, wrist; bodies: base, upper,'
        ' lower, hand'
    )
    with pytest.raises(ConfigError) as raised:
        robot.sequences(tmp_path, rows, topics={robot.IMU: {'site': 'imu'}})
    assert str(raised.value) == ("topics./imu.site: unknown site 'imu'; known: imu_link, wrist")
    with pytest.raises(ConfigError) as raised:
        robot.sequences(tmp_path, rows, topics={robot.IMU: {'body': 'bse'}})
    assert str(raised.value) == (
        "topics./imu.body: unknown body 'bse' (did you mean 'base'?); known: base, hand, lower,"
        ' upper'
    )


def test_sensors_of_several_frames_in_a_topic_are_refused(tmp_path):
    mixed = robot.stream(robot.imu)
    mixed[10] = mixed[10][0], robot.imu(mixed[10][0], 'wrist')
    with pytest.raises(RecordingError) as raised:
        robot.sequences(tmp_path, {robot.STATES: robot.states(), robot.IMU: mixed})
    assert str(raised.value) == (
        f'{tmp_path}/run.mcap: /imu: the messages are from several frames: imu_link, wrist; record'
        ' each in a topic of its own'
    )


def test_arrays_are_commands_of_all_actuators_or_of_those_in_the_options(tmp_path):
    rows = {robot.STATES: robot.states(), robot.COMMANDS: robot.commands([1.0, 2.0, 3.0])}
    commands = robot.sequences(tmp_path, rows)[0].commands
    assert [each.actuators for each in commands] == [
        ('shoulder_servo', 'elbow_motor', 'lift_servo')
    ]
    assert commands[0].values[0].tolist() == [1.0, 2.0, 3.0]
    rows[robot.COMMANDS] = robot.commands([1.0, 2.0])
    with pytest.raises(ConfigError) as raised:
        robot.sequences(tmp_path, rows)
    assert str(raised.value) == (
        f'{tmp_path}/run.mcap: /arm/commands: its arrays have 2 values, but the model has 3'
        ' actuators; set topics./arm/commands.actuators to 2 of shoulder_servo, elbow_motor,'
        ' lift_servo, or topics./arm/commands.use to nothing'
    )
    chosen = ['lift_servo', 'elbow_motor']
    found = robot.sequences(tmp_path, rows, topics={robot.COMMANDS: {'actuators': chosen}})
    assert found[0].commands[0].actuators == tuple(chosen)
    with pytest.raises(ConfigError) as raised:
        robot.sequences(tmp_path, rows, topics={robot.COMMANDS: {'actuators': ['lift']}})
    assert str(raised.value) == (
        "topics./arm/commands.actuators: unknown actuator 'lift';"
        ' known: elbow_motor, lift_servo, shoulder_servo'
    )
    with pytest.raises(ConfigError) as raised:
        robot.sequences(tmp_path, rows, topics={robot.COMMANDS: {'actuators': ['lift_servo']}})
    assert 'its arrays have 2 values, but topics./arm/commands.actuators has 1; set' in str(
        raised.value
    )


def test_commands_of_positions_in_degrees_are_refused_and_converted(tmp_path):
    rows = {robot.STATES: robot.states(), robot.COMMANDS: robot.commands([20.0, 1.0, 1.0])}
    with pytest.raises(RecordingError) as raised:
        robot.sequences(tmp_path, rows)
    assert str(raised.value) == (
        f'{tmp_path}/run.mcap: /arm/commands: the command of actuator shoulder_servo is 80 at 6.6'
        ' s, far beyond its range of -4 to 4 rad: the commands are in degrees; set'
        ' topics./arm/commands.units: degrees, or radians if the range of the model is wrong'
    )
    for units, first in (('degrees', 20.0 / DEGREES), ('radians', 20.0)):
        found = robot.sequences(tmp_path, rows, topics={robot.COMMANDS: {'units': units}})
        assert found[0].commands[0].values[0].tolist() == pytest.approx([first, 1.0, 1.0])


def test_a_command_that_is_not_a_number_keeps_the_one_before(tmp_path):
    rows = robot.commands([1.0, 2.0, 3.0])
    rows[1][1].data[1] = math.nan
    rows[2] = rows[2][0], delayed.array([1.0])
    notes = []
    found = robot.sequences(
        tmp_path, {robot.STATES: robot.states(), robot.COMMANDS: rows}, length=60.0, notes=notes
    )
    values = found[0].commands[0].values
    assert values.tolist() == [[1.0, 2.0, 3.0], [2.0, 2.0, 6.0], [4.0, 8.0, 12.0]]
    assert (
        f'{tmp_path}/run.mcap: /arm/commands: 1 of 4 arrays are skipped, because they do not have'
        ' 3 values' in notes
    )


def test_joint_states_can_be_commands(tmp_path):
    def rows(**fields):
        return {
            robot.STATES: robot.states(names=NAMES),
            '/joint_commands': [
                (time, robot.joint_state(time, **fields)) for time in (0.0, 2.6, 4.6)
            ],
        }

    found = robot.sequences(
        tmp_path, rows(names=['shoulder', 'elbow_motor'], position=[0.25, 3.0])
    )
    commands = found[0].commands[0]
    assert set(commands.actuators) == {'shoulder_servo', 'elbow_motor'}
    values = dict(zip(commands.actuators, commands.values[0], strict=True))
    assert values['shoulder_servo'] == pytest.approx(0.5), 'the gear is 2'
    assert values['elbow_motor'] == 3.0
    found = robot.sequences(tmp_path, rows(names=['elbow'], effort=[8.0]))
    assert found[0].commands[0].values[0, 0] == pytest.approx(2.0), 'the gear is 4'
    found = robot.sequences(tmp_path, rows(names=['lift'], velocity=[0.5]))
    assert found[0].commands[0].values[0, 0] == pytest.approx(0.5)
    degrees = {'/joint_commands': {'units': 'degrees'}}
    found = robot.sequences(tmp_path, rows(names=['shoulder'], position=[90.0]), topics=degrees)
    assert found[0].commands[0].values[0, 0] == pytest.approx(math.pi)
    with pytest.raises(ConfigError) as raised:
        robot.sequences(tmp_path, rows(names=['elbow'], position=[1.0]))
    assert str(raised.value) == (
        f'{tmp_path}/run.mcap: /joint_commands: no actuator of joint elbow can follow a command of'
        ' its position; its actuators: elbow_motor; set topics./joint_commands.field, or name'
        ' actuators in the messages'
    )
    with pytest.raises(RecordingError) as raised:
        robot.sequences(tmp_path, rows(names=['x'], position=[1.0]))
    assert str(raised.value) == (
        f'{tmp_path}/run.mcap: /joint_commands: none of its names is a joint or an actuator of the'
        ' model: x; actuators: shoulder_servo, elbow_motor, lift_servo'
    )
    with pytest.raises(RecordingError, match='/joint_commands: no message has values'):
        robot.sequences(tmp_path, rows(names=['elbow']))


def test_two_topics_with_commands_of_an_actuator_are_refused(tmp_path):
    rows = {
        robot.STATES: robot.states(), '/a': robot.commands([1.0, 2.0, 3.0]),
        '/b': robot.commands([1.0, 2.0, 3.0]),
    }  # fmt: skip
    with pytest.raises(RecordingError) as raised:
        robot.sequences(tmp_path, rows)
    assert str(raised.value) == (
        'run.mcap: both /a and /b have values of the actuator shoulder_servo; set topics./b.use to'
        ' nothing, or prefix if they are of two robots'
    )


def test_the_topics_of_plugins_have_goals_with_all_fields(tmp_path):
    rows = {
        robot.STATES: robot.states(),
        '/arm/goals': [(0.55, delayed.trajectory(0.55, 'elbow', 0.7, 1.4))],
        '/cmd_vel': [(0.0, delayed.twist(0.25))],
        '/forward': [(0.0, delayed.array([5.0]))],
    }
    plugins = {'/arm/goals': 'arm', '/cmd_vel': 'base', '/forward': 'hand'}
    found = robot.sequences(tmp_path, rows, plugins)
    goals = {each.topic: each for each in found[0].goals}
    assert found[0].commands == ()
    goal = goals['/arm/goals']
    assert goal.time == pytest.approx(0.55)
    assert goal.kind == 'trajectory_msgs/JointTrajectory'
    assert goal.message['points'][0]['positions'] == [0.7]
    assert goal.message['header']['stamp'] == {'sec': 0, 'nanosec': 0}, 'it starts on arrival'
    assert goals['/cmd_vel'].message['angular']['x'] == 0.25
    assert goals['/forward'].message['data'] == [5.0]
    with pytest.raises(ConfigError) as raised:
        robot.sequences(tmp_path, {**rows, '/imu': robot.stream(robot.imu)}, {'/imu': 'arm'})
    assert str(raised.value) == (
        f'{tmp_path}/run.mcap: /imu has the type sensor_msgs/Imu, which is not for the plugin arm;'
        ' known: std_msgs/Float64MultiArray, sensor_msgs/JointState,'
        ' trajectory_msgs/JointTrajectory, geometry_msgs/Twist, geometry_msgs/TwistStamped'
    )


def test_the_use_of_a_topic_must_fit_its_type(tmp_path):
    rows = {robot.STATES: robot.states(), '/cmd_vel': [(0.0, delayed.twist(0.25))]}
    for use in ('commands', 'signals'):
        with pytest.raises(
            ConfigError, match=f'has the type geometry_msgs/Twist, which is not for {use}'
        ):
            robot.sequences(tmp_path, rows, topics={'/cmd_vel': {'use': use}})
    notes = []
    robot.sequences(tmp_path, rows, {'/goals': 'arm'}, notes)
    assert 'run.mcap: it has no commands and no goals; goals are expected in /goals' in notes
    with pytest.raises(ConfigError) as raised:
        robot.sequences(tmp_path, rows, topics={'/joint_stats': {'use': 'nothing'}})
    assert str(raised.value) == (
        "topics: unknown topic of the recordings '/joint_stats' (did you mean '/joint_states'?);"
        ' known: /cmd_vel, /joint_states'
    )


@pytest.mark.parametrize(
    ('values', 'said'),
    [
        ({'length': 0.1}, 'length must be at least 0.5 and at most 600, got 0.1'),
        ({'start': 5.0, 'end': 4.0}, 'end must be greater than start (5), got 4'),
        ({'time': 'now'}, 'time must be one of received, stamp'),
        ({'hold_out': 0.6}, 'hold_out must be at least 0 and at most 0.5'),
        ({'topics': {'/a': {'sites': 'x'}}}, "topics./a: unknown parameter 'sites' (did you"),
        (
            {'topics': {'/a': {'site': 'x', 'body': 'y'}}},
            'topics./a.site and body exclude each other, got x and y',
        ),
    ],
)
def test_options_are_checked(values, said):
    with pytest.raises(ConfigError) as raised:
        read(MeasurementOptions, values)
    assert said in str(raised.value)
