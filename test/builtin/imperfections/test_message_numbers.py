"""The faults of fields of messages, and of encoders in joint states."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from builtin.imperfections.sending import (
    SEED,
    STREAM,
    entries_of,
    send,
    send_in_python,
    transits_at,
)

from mujoco_ros_py.builtin.imperfections.transit_rows import Pipe, transit_fields
from mujoco_ros_py.engine.messages import StructMessage, numbers
from mujoco_ros_py.errors import ConfigError
from mujoco_ros_py.plugins import new_state, ros_type
from mujoco_ros_py.plugins.compiled_code import numbers_at

Imu = ros_type('sensor_msgs/msg/Imu')
JointState = ros_type('sensor_msgs/msg/JointState')
LaserScan = ros_type('sensor_msgs/msg/LaserScan')
TFMessage = ros_type('tf2_msgs/msg/TFMessage')
WrenchStamped = ros_type('geometry_msgs/msg/WrenchStamped')
JOINTS = ['shoulder', 'elbow', 'wrist', 'elbow_2']

decisions = pytest.mark.parametrize(
    'decide_each', [send_in_python, pytest.param(send, marks=pytest.mark.slow)]
)
"""Runs a test in Python and, in the slow tier, compiled."""


def state_of_fields(kind: type, **fields: str) -> Any:
    """Returns a state with faults, in YAML, of fields of the messages of one topic."""
    entries = entries_of(
        *(f'{{of: {{topic: /a, field: "{path}"}}, {faults}}}' for path, faults in fields.items())
    )
    pipe = Pipe(topic='/a', published=True, kind=kind, entries=entries)
    return new_state(**transit_fields(entries, [pipe], seed=SEED, stream=STREAM))


def state_of_joints(**joints: str) -> Any:
    """Returns a state with faults, in YAML, of the encoders of joints."""
    entries = entries_of(
        *(f'{{of: {{joint: {joint}}}, {faults}}}' for joint, faults in joints.items())
    )
    encoders = tuple((entry, entry.target.joint) for entry in entries)
    pipe = Pipe(topic='/joint_states', published=True, kind=JointState, encoders=encoders)
    return new_state(**transit_fields(entries, [pipe], seed=SEED, stream=STREAM))


def joint_states(names: list[str], *, velocities: bool = True) -> StructMessage:
    """Returns joint states with the positions 0, 1, 2 ... and the velocities 10, 11, 12 ..."""
    message = StructMessage(JointState)
    message.set_texts(message['name'], names)
    message.allocate(message['position'], len(names))[:] = np.arange(len(names))
    if velocities:
        message.allocate(message['velocity'], len(names))[:] = 10 + np.arange(len(names))
    message.allocate(message['effort'], len(names))[:] = 20 + np.arange(len(names))
    return message


def numbers_of(message: StructMessage, field: str) -> list[float]:
    """Returns the numbers of a sequence in a message."""
    return list(numbers_at(int(message[field]['data']), int(message[field]['size'])))


@decisions
def test_faults_of_fields_change_the_numbers_of_these_fields(decide_each):
    message = StructMessage(Imu)
    message['linear_acceleration']['z'] = 9.81
    message['orientation_covariance'] = 0.5
    fields = {'linear_acceleration.z': 'offset: 0.1', 'orientation_covariance[4]': 'scale: 2'}
    state = state_of_fields(Imu, **fields)
    decide_each(state, transits_at([1.0], message=message.address))
    assert message['linear_acceleration']['z'] == pytest.approx(9.91)
    assert list(message['orientation_covariance']) == [0.5] * 4 + [1.0] + [0.5] * 4
    assert list(numbers(message['linear_acceleration']))[:2] == [0.0, 0.0]
    assert not message['linear_acceleration_covariance'].any()


@decisions
def test_elements_of_a_sequence_are_changed_and_missing_ones_skipped(decide_each):
    message = joint_states(JOINTS, velocities=False)
    fields = {'position[1]': 'offset: 5', 'position[4]': 'offset: 6', 'velocity[0]': 'offset: 7'}
    behind = message.allocate(message['position'], 5)
    behind[:] = np.arange(5)
    message['position']['size'] = 4
    decide_each(state_of_fields(JointState, **fields), transits_at([1.0], message=message.address))
    assert list(behind) == [0.0, 6.0, 2.0, 3.0, 4.0]
    assert message['velocity']['size'] == 0


@decisions
def test_single_precision_is_kept(decide_each):
    message = StructMessage(LaserScan)
    ranges = message.allocate(message['ranges'], 3)
    ranges[:] = 1.1, 2.2, 3.3
    fields = {'ranges[1]': 'offset: 0.1', 'range_max': 'scale: 3'}
    message['range_max'] = 10.0
    decide_each(state_of_fields(LaserScan, **fields), transits_at([1.0], message=message.address))
    expected = np.float32(np.float64(np.float32(2.2)) + 0.1)
    assert list(ranges) == [np.float32(1.1), expected, np.float32(3.3)]
    assert message['range_max'] == 30.0


@decisions
def test_a_number_in_an_element_of_a_sequence_is_changed(decide_each):
    message = StructMessage(TFMessage)
    transforms = message.allocate(message['transforms'], 2)
    state = state_of_fields(TFMessage, **{'transforms[1].transform.translation.y': 'offset: 1'})
    decide_each(state, transits_at([1.0], message=message.address))
    assert list(transforms['transform']['translation']['y']) == [0.0, 1.0]
    assert list(transforms['transform']['translation']['x']) == [0.0, 0.0]


@decisions
def test_an_encoder_has_its_faults_in_joint_states(decide_each):
    state = state_of_joints(elbow='offset: 0.5, drift: 0.25', wrist='stick: true')
    for time, names in ((1.0, JOINTS), (2.0, JOINTS[::-1]), (3.0, ['elbow'])):
        message = joint_states(names)
        decide_each(state, transits_at([time], message=message.address))
        for name, position, velocity in zip(
            names, numbers_of(message, 'position'), numbers_of(message, 'velocity'), strict=True
        ):
            index = names.index(name)
            expected = {
                'elbow': (index + 0.5 + 0.25 * time, 10.25 + index),
                'wrist': (2.0, 0.0),
            }.get(name, (index, 10 + index))
            assert (position, velocity) == expected
        assert numbers_of(message, 'effort') == [20 + k for k in range(len(names))]


def test_each_topic_has_the_faults_of_its_own_entries():
    faults = ('offset: 1', 'offset: 2')
    entries = entries_of(
        *(f'{{of: {{joint: elbow_{k}}}, {each}}}' for k, each in enumerate(faults)),
        *(f'{{of: {{topic: /{k}, field: "effort[0]"}}, {each}}}' for k, each in enumerate(faults)),
    )
    pipes = [
        Pipe(
            topic=f'/{k}', published=True, kind=JointState, entries=(entries[2 + k],),
            encoders=((entries[k], 'elbow'),),
        )
        for k in range(2)
    ]  # fmt: skip
    state = new_state(**transit_fields(entries, pipes, seed=SEED, stream=STREAM))
    for k in range(2):
        message = joint_states(['elbow'])
        send_in_python(state, transits_at([1.0], pipe=k, message=message.address))
        assert numbers_of(message, 'position') == [1.0 + k]
        assert numbers_of(message, 'effort') == [21.0 + k]


def test_joint_states_without_velocities_or_without_the_joint_are_no_fault():
    state = state_of_joints(elbow='offset: 0.5')
    message = joint_states(JOINTS, velocities=False)
    send_in_python(state, transits_at([1.0], message=message.address))
    assert numbers_of(message, 'position') == [0.0, 1.5, 2.0, 3.0]
    for names in (['wrist'], [], ['elbow_'], ['elbo']):
        message = joint_states(names)
        send_in_python(state, transits_at([1.0], message=message.address))
        if names:
            assert numbers_of(message, 'position') == [0.0]


def test_a_number_sticks_anew_after_the_time_has_jumped_back():
    state = state_of_joints(elbow='stick: true')
    found = []
    for time, shift in ((1.0, 0.0), (2.0, 5.0), (0.0, 7.0), (1.0, 9.0)):
        message = joint_states(['elbow'])
        positions = message.allocate(message['position'], 1)
        positions[0] = shift
        send_in_python(state, transits_at([time], message=message.address))
        found.append(positions[0])
    assert found == [0.0, 0.0, 7.0, 7.0]


def test_numbers_of_a_lost_message_change_too():
    """A number therefore sticks at the same value, whichever messages are lost."""
    entries = entries_of(
        '{of: {topic: /a, field: wrench.force.x}, stick: true}', '{of: /a, drop: 1, until: 2}'
    )
    pipe = Pipe(topic='/a', published=True, kind=WrenchStamped, entries=entries)
    state = new_state(**transit_fields(entries, [pipe], seed=SEED, stream=STREAM))
    message = StructMessage(WrenchStamped)
    for time, copies in ((1.0, 0), (3.0, 1)):
        message['wrench']['force']['x'] = time
        found = send_in_python(state, transits_at([time], message=message.address))
        assert found.copies[0] == copies
        assert message['wrench']['force']['x'] == 1.0


@pytest.mark.parametrize(
    ('kind', 'path', 'words'),
    [
        (
            WrenchStamped,
            'wrench.force.w',
            "unknown number of WrenchStamped 'wrench.force.w' (did you mean 'wrench.force.",
        ),
        (
            WrenchStamped,
            'wrench.force',
            'known: wrench.force.x, wrench.force.y, wrench.force.z, wrench.torque.x,'
            ' wrench.torque.y, wrench.torque.z',
        ),
        (
            JointState,
            'position',
            "unknown number of JointState 'position' (did you mean 'position[k]'?); known:"
            ' effort[k], position[k], velocity[k]',
        ),
        (Imu, 'orientation_covariance[9]', 'orientation_covariance[0..8]'),
        (Imu, 'orientation[0]', 'orientation.w'),
        (Imu, 'header.stamp.sec', "unknown number of Imu 'header.stamp.sec'"),
        (Imu, 'header.frame_id.size', "unknown number of Imu 'header.frame_id.size'"),
        (JointState, 'position[-1]', "unknown number of JointState 'position[-1]'"),
        (JointState, 'position.data', "unknown number of JointState 'position.data'"),
        (JointState, 'position[0].x', "unknown number of JointState 'position[0].x'"),
        (JointState, 'name[0]', "unknown number of JointState 'name[0]'"),
        (JointState, '.position', "unknown number of JointState '.position'"),
        (TFMessage, 'transforms[k].x', 'transforms[k].transform.rotation.w'),
    ],
)
def test_a_field_that_is_no_number_is_refused_with_the_numbers_that_exist(kind, path, words):
    with pytest.raises(ConfigError) as refused:
        state_of_fields(kind, **{path: 'offset: 1'})
    assert str(refused.value).startswith('timeline.e0.of.field: ')
    assert words in str(refused.value)


@pytest.mark.parametrize('order', [slice(None), slice(None, None, -1)])
def test_faults_of_several_entries_are_applied_in_the_order_of_the_effects(order):
    faults = [
        'name: one, scale: 3, drift: 1',
        'name: two, offset: 0.5',
        'name: three, quantise: 1',
    ]
    entries = entries_of(*(f'{{of: {{joint: elbow}}, {each}}}' for each in faults[order]))
    pipe = Pipe(
        topic='/a', published=True, kind=JointState,
        encoders=tuple((entry, 'elbow') for entry in entries),
    )  # fmt: skip
    state = new_state(**transit_fields(entries, [pipe], seed=SEED, stream=STREAM))
    message = joint_states(['shoulder', 'elbow'])
    send_in_python(state, transits_at([2.0], message=message.address))
    assert numbers_of(message, 'position') == [0.0, 6.0]
