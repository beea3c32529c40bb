"""TopicBasedHardware without ROS: how the numbers in a message are assigned to joints."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import mujoco
import numpy as np
import pytest
from builtin.controllers.driving import said
from deadline import DEADLINE_S

from mujoco_ros_py.builtin.controllers.hardware.hardware_config import (
    Hardware,
    TopicBasedHardwareConfig,
)
from mujoco_ros_py.errors import ConfigError
from mujoco_ros_py.session import Session

TYPE = 'mujoco_ros_py/TopicBasedHardware'
ROBOT = """
<mujoco>
  <option timestep="0.001"/>
  <worldbody>
    <body><joint name="lift" axis="0 0 1"/><geom size="0.1"/></body>
    <body pos="1 0 0"><joint name="wheel" axis="0 0 1"/><geom size="0.1"/></body>
    <body pos="2 0 0"><joint name="grip" axis="0 0 1"/><geom size="0.1"/></body>
    <body pos="3 0 0"><joint name="turn" axis="0 0 1"/><geom size="0.1"/></body>
    <body pos="4 0 0"><joint name="other" axis="0 0 1"/><geom size="0.1"/></body>
  </worldbody>
  <equality><joint joint1="other" joint2="turn"/></equality>
  <actuator>
    <motor joint="lift"/><velocity joint="wheel" kv="1"/><motor joint="grip"/>
    <motor joint="turn"/>
  </actuator>
</mujoco>
"""
JOINTS = {'lift': 'position', 'wheel': 'velocity', 'other': 'none', 'grip': 'effort',
          'turn': ['position', 'velocity']}  # fmt: skip
NAMES = ['lift', 'wheel', 'other', 'grip', 'turn']
HARDWARE: dict[str, Any] = {'type': TYPE, 'name': 'hardware', 'joints': JOINTS}


@pytest.fixture
def session() -> Iterator[Session]:
    model = mujoco.MjModel.from_xml_string(ROBOT)
    with Session(model, plugins=[HARDWARE], strict=True) as made:
        yield made


def send(session: Session, names: list[str], **commands: list[float]) -> None:
    session.call(lambda m, d: session.plugins['hardware'].set_commands(names, **commands))


def asked(session: Session) -> dict[str, Any]:
    """Returns the commands of the driven joints by name: position, velocity, effort."""
    plugin: Any = session.plugins['hardware']
    state = plugin.state
    kinds = state.position_command, state.velocity_command, state.effort_command
    return dict(zip(plugin.drive.joints, np.transpose(kinds).tolist(), strict=True))


def test_each_array_has_the_joints_with_its_interface_in_the_order_of_the_names(session):
    send(session, NAMES, position=[0.1, 0.2], velocity=[0.3, 0.4], effort=[0.5])
    now = asked(session)
    assert now['lift'] == pytest.approx([0.1, math.nan, math.nan], nan_ok=True)
    assert now['wheel'] == pytest.approx([math.nan, 0.3, math.nan], nan_ok=True)
    assert now['grip'] == pytest.approx([math.nan, math.nan, 0.5], nan_ok=True)
    assert now['turn'] == pytest.approx([0.2, 0.4, math.nan], nan_ok=True)


def test_the_order_of_the_names_is_free(session):
    send(session, NAMES[::-1], position=[0.2, 0.1], velocity=[0.4, 0.3], effort=[0.5])
    now = asked(session)
    assert (now['lift'][0], now['turn'][:2], now['wheel'][1]) == (0.1, [0.2, 0.4], 0.3)


def test_an_array_as_long_as_the_names_is_aligned_with_them(session):
    send(session, NAMES, position=[0.1, 9.0, 9.0, 9.0, 0.2], effort=[9.0, 9.0, 9.0, 0.5, 9.0])
    now = asked(session)
    assert (now['lift'][0], now['turn'][0], now['grip'][2]) == (0.1, 0.2, 0.5)


def test_the_joints_go_where_they_are_asked_to_and_the_last_command_holds(session):
    send(session, NAMES, position=[0.1, 0.2], velocity=[0.3, 0.0], effort=[0.0])
    session.step(3000)
    data = session.snapshot().data
    assert data.qpos[[0, 3, 4]] == pytest.approx([0.1, 0.2, 0.2], abs=1e-3)
    assert data.qvel[1] == pytest.approx(0.3, abs=1e-3)


def test_some_of_the_joints_may_be_named_and_the_others_keep_their_commands(session):
    send(session, NAMES, position=[0.1, 0.2], velocity=[0.3, 0.0], effort=[0.5])
    send(session, ['lift'], position=[-0.1])
    now = asked(session)
    assert (now['lift'][0], now['wheel'][1], now['grip'][2]) == (-0.1, 0.3, 0.5)


def test_nan_is_no_command_as_of_an_interface_that_no_controller_has_claimed(session):
    nan = math.nan
    send(session, NAMES, position=[0.1, nan], velocity=[nan, nan], effort=[nan])
    now = asked(session)
    assert now['lift'][0] == 0.1
    assert np.isnan([now['wheel'][1], now['grip'][2], now['turn'][0]]).all()
    send(session, NAMES, position=[nan, 0.2], velocity=[0.3, nan], effort=[nan])
    now = asked(session)
    assert (now['lift'][0], now['turn'][0], now['wheel'][1]) == (0.1, 0.2, 0.3)


def test_the_interface_that_is_listed_first_drives_the_joint_and_others_alone_are_told(caplog):
    model = mujoco.MjModel.from_xml_string(ROBOT)
    joints = {'turn': ['velocity', 'position'], 'lift': ['position', 'velocity']}
    with Session(model, plugins=[{**HARDWARE, 'joints': joints}], strict=True) as session:
        nan = [math.nan] * 2
        send(session, ['turn', 'lift'], position=nan, velocity=[2.0, 2.0])
        session.step(3000)
        speeds = session.snapshot().data.qvel
        assert speeds[[3, 0]] == pytest.approx([2.0, 0.0], abs=0.01)
        assert said(caplog, session, 'lift holds still: no position command was received')
    assert 'turn holds still' not in caplog.text


@pytest.mark.slow
@pytest.mark.parametrize(
    ('names', 'commands', 'reason'),
    [
        (
            NAMES,
            {'position': [0.1, 0.2, 0.3]},
            'position has 3 numbers, but 2 of the 5 named joints take position commands',
        ),
        (['lift'], {'velocity': [0.1]}, None),
        (['lift', 'wheel'], {'effort': [0.1]}, 'effort has 1 numbers, but 0 of the 2 named'),
        (
            [*NAMES, 'leg'],
            {'position': [0.1, 0.2]},
            'leg is not a joint of the hardware: lift, whee',
        ),
        (['lift', 'lift'], {'position': [0.1, 0.2]}, 'it names lift twice'),
        (NAMES, {'position': [0.1, math.inf]}, 'position has an infinite number'),
        (NAMES, {'position': [0.1, 0.2], 'effort': [-math.inf]}, 'effort has an infinite number'),
        (['lif'], {'position': [0.1]}, 'lif is not a joint'),
        ([''], {'position': [0.1]}, 'is not a joint'),
        (['x' * 1000], {'position': [0.1]}, f'{"x" * 64} is not a joint'),
    ],
)
def test_what_fits_no_reading_is_refused_as_a_whole(session, names, commands, reason):
    if reason is None:
        send(session, names, **commands)
    else:
        with pytest.raises(ConfigError, match=f'a command was refused: .*{reason}'):
            send(session, names, **commands)
    assert np.isnan(list(asked(session).values())).all()


@pytest.mark.slow
def test_of_several_faults_in_one_moment_each_is_told_with_its_own_joint(session, caplog):
    def refused(names: list[str], **commands: list[float]) -> None:
        with suppress(ConfigError):
            session.plugins['hardware'].set_commands(names, **commands)

    def all_at_once(model, data) -> None:
        refused(['leg'], position=[0.1])
        refused(['lift', 'lift'], position=[0.1, 0.2])
        refused(NAMES, effort=[math.inf])
        refused(NAMES, position=[0.1, 0.2, 0.3])

    session.call(all_at_once)
    session.step(500)
    for sentence in (
        'leg is not a joint of the hardware',
        'it names lift twice',
        'effort has an infinite number',
        'position has 3 numbers',
    ):
        assert said(caplog, session, sentence)


def test_a_reset_forgets_commands_and_an_emergency_stop_drops_them(session):
    send(session, NAMES, position=[0.1, 0.2], velocity=[0.3, 0.0], effort=[0.5])
    session.reset()
    assert np.isnan(list(asked(session).values())).all()
    stop = session.plugins['hardware'].environment.emergency_stop
    assert stop(True).result(DEADLINE_S) == ['hardware']
    send(session, NAMES, position=[0.1, 0.2], velocity=[0.3, 0.0], effort=[0.5])
    assert np.isnan(list(asked(session).values())).all()


@pytest.mark.parametrize(
    ('joints', 'reason'),
    [
        ({}, 'joints must be given, because the robot has no URDF'),
        ({'lift': 'none'}, 'at least one of the joints must have a command interface'),
        ({'lift': 'torque'}, 'joints.lift must be'),
        ({'lift': []}, 'joints.lift must be'),
        ({'lift': ['position', 'none']}, 'joints.lift must be'),
        ({'lift': 'position', 'other': 'position'}, 'it follows turn by an equality'),
        (
            {'lift': 'position', 'leg': 'none'},
            "unknown joint 'leg'; known: grip, lift, other",
        ),
    ],
)
def test_a_wrong_configuration_is_refused(joints, reason):
    model = mujoco.MjModel.from_xml_string(ROBOT)
    with Session(model, plugins=[{**HARDWARE, 'joints': joints}]) as session:
        assert reason in session.problems[0]


@pytest.mark.parametrize(
    ('states', 'reason'),
    [
        ({'leg': 'position'}, "states: unknown joint 'leg'"),
        ({'lift': 'torque'}, "states.lift must be .* none, got 'torque'"),
    ],
)
def test_states_are_those_of_joints_of_the_hardware(states, reason):
    model = mujoco.MjModel.from_xml_string(ROBOT)
    with Session(model, plugins=[{**HARDWARE, 'states': states}]) as session:
        assert re.search(reason, session.problems[0])


def tag(name: str, joint: str, component: str = 'JointStateTopicSystem') -> str:
    return f"""
    <ros2_control name="{name}" type="system">
      <hardware>
        <plugin>joint_state_topic_hardware_interface/{component}</plugin>
        <param name="joint_commands_topic"> /{name}/commands </param>
      </hardware>
      <joint name="{joint}">
        <command_interface name="velocity"/><command_interface name="position"/>
        <command_interface name="gripper"/>
        <state_interface name="position"/><state_interface name="velocity"/>
      </joint>
      <joint name="tip"><param name="mimic">{joint}</param></joint>
    </ros2_control>"""


def urdf(*tags: str) -> str:
    link = (
        '<link name="{0}"><inertial><mass value="1"/>'
        '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>'
        '<joint name="{1}" type="continuous"><parent link="base"/><child link="{0}"/></joint>'
    )
    links = ''.join(link.format(f'link_{name}', name) for name in ('one', 'two', 'tip'))
    return f'<robot name="robot"><link name="base"/>{links}{"".join(tags)}</robot>'


def test_the_hardware_is_that_of_the_urdf():
    with Session(mujoco_xml=urdf(tag('arm', 'one')), plugins=[{'type': TYPE}]) as session:
        made: Any = session.plugins['topic_based_hardware']
        assert made.hardware == Hardware(
            {'one': ('velocity', 'position'), 'tip': ()},
            {'one': ('position', 'velocity'), 'tip': ()},
            '/arm/commands',
            '/robot_joint_states',
        )


@pytest.mark.parametrize(
    ('tags', 'given', 'reason'),
    [
        ([], {}, 'joints must be given, because the robot has no URDF .*/JointStateTopicSystem$'),
        (
            [tag('arm', 'one', 'Driver')],
            {},
            'components of its URDF are: joint_state_topic_hardware_interface/Driver',
        ),
        ([tag('a', 'one'), tag('b', 'two')], {}, 'system must name one of the .*: a, b'),
        (
            [tag('a', 'one'), tag('b', 'two')],
            {'system': 'c'},
            "system: unknown .* 'c'; known: a, b",
        ),
        (
            [tag('a', 'one')],
            {'states': {'two': 'none'}},
            "states: unknown joint 'two'; known: one",
        ),
    ],
)
def test_a_urdf_whose_hardware_is_not_clear_is_refused(tags, given, reason):
    with Session(mujoco_xml=urdf(*tags), plugins=[{'type': TYPE, **given}]) as session:
        assert re.search(reason, session.problems[0])


def test_one_of_several_components_is_named_and_joints_that_are_given_count():
    text = urdf(tag('a', 'one'), tag('b', 'two'))
    given = TopicBasedHardwareConfig(system='b').hardware(text)
    assert (list(given.commands), given.commands_topic) == (['two', 'tip'], '/b/commands')
    given = TopicBasedHardwareConfig(joints={'two': 'effort'}).hardware(text)
    assert (given.commands, given.commands_topic) == (
        {'two': ('effort',)},
        '/robot_joint_commands',
    )
    assert given.states == {'two': ('position', 'velocity')}


def test_any_order_any_subset_and_any_mixture_of_arrays_is_read_as_the_hardware_means_it(session):
    chance = random.Random(7)
    kinds = {name: [mode] if isinstance(mode, str) else mode for name, mode in JOINTS.items()}
    leads = {'lift': 'position', 'wheel': 'velocity', 'grip': 'effort', 'turn': 'position'}
    expected: dict[str, float] = {}
    for _ in range(100):
        names = chance.sample(NAMES, chance.randrange(len(NAMES) + 1))
        arrays: dict[str, list[float]] = {}
        for kind in ('position', 'velocity', 'effort'):
            values = {name: chance.choice([math.nan, chance.uniform(-1, 1)]) for name in names}
            having = [name for name in names if kind in kinds[name]]
            arrays[kind] = [values[name] for name in chance.choice([having, names, []])]
            read = having if len(arrays[kind]) == len(having) else names
            for name, value in zip(read, arrays[kind], strict=False):
                if leads.get(name) == kind and not math.isnan(value):
                    expected[name] = value
        send(session, names, **arrays)
    now = asked(session)
    columns = {'position': 0, 'velocity': 1, 'effort': 2}
    assert {name: now[name][columns[kind]] for name, kind in leads.items()} == expected
