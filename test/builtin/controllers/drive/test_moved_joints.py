"""Joints that an actuator moves indirectly: two plugins never drive the same joint."""

from __future__ import annotations

from typing import Any

import mujoco
import pytest

from mujoco_ros_py.builtin.controllers.drive.moved_joints import moved_joints, movers
from mujoco_ros_py.session import Session

pytestmark = pytest.mark.slow

RAW = {'type': 'mujoco_ros_py/ActuatorCommands', 'name': 'raw', 'actuators': ['pull']}
GRIPPER = {'type': 'mujoco_ros_py/ActuatorGripperController', 'name': 'hand', 'actuator': 'pull'}
TENDON = '<position name="pull" tendon="tendon" kp="100" kv="5"/>'
FIXED = """
<fixed name="tendon"><joint joint="a" coef="0.5"/><joint joint="b" coef="0.5"/></fixed>
"""
SPATIAL = """
<spatial name="tendon"><site site="base"/><site site="tip a"/></spatial>
"""
STRAIGHT = """
<spatial name="tendon"><site site="base"/><site site="end a"/></spatial>
"""


def chain(actuators: str, tendon: str = FIXED) -> mujoco.MjModel:
    """Returns two links on a sliding base, with sites on each body."""
    return mujoco.MjModel.from_xml_string(f"""
    <mujoco>
      <option timestep="0.002" gravity="0 0 0"/>
      <worldbody>
        <body>
          <joint name="base" type="slide" axis="1 0 0"/>
          <geom size="0.05"/>
          <site name="base" pos="0 0 0.1"/>
          <site name="crank" pos="0 0 0.1"/>
          <site name="slider" pos="0.1 0 0.1" zaxis="1 0 0"/>
          <body name="a" pos="0 0 0.2">
            <joint name="a" axis="0 1 0"/>
            <geom type="capsule" fromto="0 0 0 0.2 0 0" size="0.02"/>
            <site name="tip a" pos="0.2 0 0"/>
            <site name="end a" pos="0 0 0.1"/>
            <body name="b" pos="0.2 0 0">
              <joint name="b" axis="0 1 0"/>
              <geom type="capsule" fromto="0 0 0 0.2 0 0" size="0.02"/>
              <site name="tip b" pos="0.2 0 0"/>
            </body>
          </body>
        </body>
      </worldbody>
      <tendon>{tendon}</tendon>
      <actuator>{actuators}</actuator>
    </mujoco>
    """)


def forward(*joints: str) -> dict[str, Any]:
    kind = 'mujoco_ros_py/ForwardCommandController'
    return {'type': kind, 'name': 'arm', 'joints': joints, 'interface_name': 'position'}


def problems(model: mujoco.MjModel, *plugins: dict[str, Any]) -> list[str]:
    with Session(model, plugins=plugins) as session:
        return list(session.problems)


MOVED = {
    'a fixed tendon': (TENDON, FIXED, {'a', 'b'}),
    'a spatial tendon': (TENDON, SPATIAL, {'a'}),
    'a tendon that is straight at first, without a moment': (TENDON, STRAIGHT, {'a'}),
    'a site with a reference': (
        '<general name="pull" site="tip b" refsite="base" gear="0 0 1 0 0 0"/>',
        FIXED,
        {'a', 'b'},
    ),
    'a site without a reference': ('<general name="pull" site="tip b"/>', FIXED, set()),
    'adhesion': ('<adhesion name="pull" body="b" ctrlrange="0 1"/>', FIXED, set()),
    'a crank': (
        '<motor name="pull" cranksite="tip a" slidersite="slider" cranklength="0.3"/>',
        FIXED,
        {'a'},
    ),
    'a joint with an actuator of its own': (
        f'{TENDON}<motor joint="a"/>',
        FIXED,
        {'b'},
    ),
    'a group that is disabled': (TENDON.replace('/>', ' group="7"/>'), FIXED, set()),
}


@pytest.mark.parametrize(('actuators', 'tendon', 'moved'), MOVED.values(), ids=MOVED)
def test_the_joints_that_an_actuator_moves_are_found(actuators, tendon, moved):
    model = chain(actuators, tendon)
    model.opt.disableactuator = 1 << 7
    assert moved_joints(model, [0]) == moved
    assert movers(model) == {joint: [0] for joint in moved}


@pytest.mark.parametrize(
    'tendon', [FIXED, SPATIAL, STRAIGHT], ids=['fixed', 'spatial', 'straight']
)
@pytest.mark.parametrize('other', [RAW, GRIPPER], ids=['ActuatorCommands', 'gripper'])
def test_a_joint_on_an_actuated_tendon_has_one_owner_in_either_order(tendon, other):
    model = chain(TENDON, tendon)
    refused = (
        'arm: refused to load: PluginError: joint a has no actuator of its own, and is moved by'
        ' actuator pull: use ActuatorGripperController or ActuatorCommands instead'
    )
    assert problems(model, other, forward('a')) == [refused]
    assert problems(model, forward('a'), other) == [refused]


def test_all_actuators_that_move_a_joint_are_named():
    second = '<motor name="push" tendon="tendon"/>'
    (problem,) = problems(chain(TENDON + second), forward('a'))
    assert 'is moved by actuators pull, push: use Actuator' in problem


def test_two_plugins_do_not_move_the_fingers_of_one_gripper():
    second = '<position name="push" tendon="tendon" kp="5"/>'
    raw = {**RAW, 'actuators': ['push']}
    model = chain(TENDON + second)
    (problem,) = problems(model, GRIPPER, raw)
    assert problem.endswith('joints a, b belong to hand (ActuatorGripperController)')
    (problem,) = problems(model, raw, GRIPPER)
    assert problem.endswith('joints a, b belong to raw (ActuatorCommands)')


def test_several_plugins_may_command_actuators_that_pull_one_joint():
    second = '<motor name="push" tendon="tendon"/>'
    push = {**RAW, 'name': 'other', 'actuators': ['push']}
    assert not problems(chain(TENDON + second), RAW, push)


def test_a_joint_with_an_actuator_of_its_own_is_driven_beside_a_tendon():
    model = chain(f'{TENDON}<motor joint="a"/><motor joint="b"/>')
    assert not problems(model, forward('a', 'b'), RAW)
    assert not problems(model, RAW, forward('a', 'b'))


def test_a_joint_that_the_tendon_does_not_touch_is_driven_directly():
    assert not problems(chain(TENDON), forward('base'), RAW)


def test_forces_from_outside_keep_no_joint_from_being_driven():
    model = chain('<general name="pull" site="tip b"/>')
    assert not problems(model, forward('a', 'b'), RAW)
