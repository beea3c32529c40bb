"""Coupled joints start where their equalities require, as measured by MuJoCo."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.simulation import InitialState

JOINTS = 'abcdef'
_GEOM = '<geom size="0.1"/>'


def model_with(
    *equalities: str, keys: str = '', flag: str = '', refs: Sequence[float] = ()
) -> mujoco.MjModel:
    """Returns a model of free arms, whose joints are named a, b, c and so on."""
    arms = ''.join(
        f'<body pos="{k} 0 0"><joint name="{name}" axis="0 1 0" ref="{ref}"/>{_GEOM}</body>'
        for k, (name, ref) in enumerate(zip_longest(JOINTS, refs, fillvalue=0))
    )
    return mujoco.MjModel.from_xml_string(f"""
        <mujoco>
          <compiler angle="radian"/><option gravity="0 0 0">{flag}</option>
          <worldbody>{arms}</worldbody>
          <equality>{''.join(equalities)}</equality>
          <keyframe>{keys}</keyframe>
        </mujoco>""")


def follow(follower: str, leader: str = '', coefficients: str = '0 1', **other: str) -> str:
    led = f' joint2="{leader}"' if leader else ''
    more = ''.join(f' {name}="{value}"' for name, value in other.items())
    return f'<joint joint1="{follower}"{led} polycoef="{coefficients}"{more}/>'


def begun(model: mujoco.MjModel, key: str = '', **given: dict[str, float]) -> mujoco.MjData:
    """Returns data with initial joint states, all of whose sentences are in `problems`."""
    data = mujoco.MjData(model)
    if key:
        mujoco.mj_resetDataKeyframe(model, data, model.key(key).id)
    values = {what: {n: (v,) for n, v in each.items()} for what, each in given.items()}
    before = 'keyframe' if key else 'start'
    problems[:] = InitialState(**values).apply(model, data, before)
    mujoco.mj_forward(model, data)
    return data


problems: list[str] = []


def errors(data: mujoco.MjData) -> tuple[float, float]:
    """Returns the largest errors of equalities: of positions, and of velocities."""
    rows = np.flatnonzero(data.efc_type == int(mujoco.mjtConstraint.mjCNSTR_EQUALITY))
    return float(np.abs(data.efc_pos[rows]).max()), float(np.abs(data.efc_vel[rows]).max())


def test_a_follower_starts_where_the_equality_has_it():
    data = begun(model_with(follow('b', 'a', '0.2 -1.5')), positions={'a': 0.4})
    assert list(data.qpos[:2]) == pytest.approx([0.4, 0.2 - 1.5 * 0.4])
    assert (problems, errors(data)) == ([], pytest.approx((0.0, 0.0), abs=1e-12))


def test_followers_start_right_without_any_initial_position():
    """So does a joint that an equality holds, as that of a URDF whose limits are equal."""
    data = begun(model_with(follow('b', 'a', '0.3 2'), follow('c', '', '0.7')))
    assert list(data.qpos[:3]) == pytest.approx([0.0, 0.3, 0.7])
    assert errors(data)[0] == pytest.approx(0.0, abs=1e-12)


def test_equalities_count_from_the_reference_position():
    data = begun(model_with(follow('b', 'a', '0 1'), refs=[0.5, 0.1]), positions={'a': 1.0})
    assert data.qpos[1] == pytest.approx(0.1 + (1.0 - 0.5))
    assert errors(data)[0] == pytest.approx(0.0, abs=1e-12)


def test_chains_polynomials_and_several_followers_fit_in_any_order_of_the_equalities():
    equalities = [
        follow('d', 'c', '0.1 0.5 0.3 -0.2 0.05'),
        follow('c', 'b', '0 -2'),
        follow('e', 'b', '0.2 1 1'),
        follow('b', 'a', '0.1 0.7 0.4'),
        follow('f', '', '-0.3'),
    ]
    for _ in range(len(equalities)):
        equalities.append(equalities.pop(0))
        data = begun(model_with(*equalities), positions={'a': 0.6}, velocities={'a': -0.8})
        assert errors(data) == pytest.approx((0.0, 0.0), abs=1e-12)
        b = 0.1 + 0.7 * 0.6 + 0.4 * 0.6**2
        assert (data.qpos[1], data.qpos[2]) == pytest.approx((b, -2 * b))
        assert data.qvel[1] == pytest.approx((0.7 + 2 * 0.4 * 0.6) * -0.8)


def test_a_leader_follows_from_a_given_follower_of_a_linear_equality():
    model = model_with(follow('b', 'a', '0.2 -1.5'), follow('c', 'a', '0 0 1'))
    data = begun(model, positions={'b': 0.5}, velocities={'b': 0.3})
    a = (0.5 - 0.2) / -1.5
    assert list(data.qpos[:3]) == pytest.approx([a, 0.5, a**2])
    assert data.qvel[0] == pytest.approx(0.3 / -1.5)
    assert (problems, errors(data)) == ([], pytest.approx((0.0, 0.0), abs=1e-12))


def test_joints_in_a_circle_fit():
    model = model_with(follow('b', 'a', '0 2'), follow('a', 'b', '0 0.5'))
    data = begun(model, positions={'b': 0.6})
    assert list(data.qpos[:2]) == pytest.approx([0.3, 0.6])


def test_what_is_given_stays_and_what_does_not_fit_it_is_told():
    model = model_with(follow('b', 'a'), follow('c', 'a', '0 0 1'), follow('d', '', '0.1'))
    data = begun(model, positions={'a': 0.5, 'b': 0.0, 'd': 0.4})
    assert list(data.qpos[:4]) == pytest.approx([0.5, 0.0, 0.25, 0.4])
    assert problems == [
        "joint 'b' is at 0, but its equality with joint 'a' at 0.5 requires 0.5",
        "joint 'd' is at 0.4, but its equality requires 0.1",
    ]
    data = begun(model, positions={'c': 0.5})
    assert list(data.qpos[:3]) == pytest.approx([0.0, 0.0, 0.5]), 'a square has no one root'
    assert problems == ["joint 'c' is at 0.5, but its equality with joint 'a' at 0 requires 0"]


def test_equalities_that_do_not_act_move_nothing():
    inactive = model_with(follow('b', 'a', active='false'))
    disabled = model_with(follow('b', 'a'), flag='<flag equality="disable"/>')
    for model in (inactive, disabled):
        assert list(begun(model, positions={'a': 0.5}).qpos[:2]) == [0.5, 0.0]
        assert problems == []


KEYS = """
<key name="arm" qpos="0 0 0.4 -0.8 0 0"/>
<key name="wrong" qpos="0.5 0.2 0 0 0 0"/>
<key name="rounded" qpos="0.5 0.5004 0 0.3 0 0"/>
<key name="time" time="3"/>
"""


@pytest.mark.parametrize(
    ('key', 'expected', 'told'),
    [
        ('arm', [0.0, 0.0, 0.4, -0.8], 1),
        ('wrong', [0.5, 0.2, 0.0, 0.3], 1),
        ('rounded', [0.5, 0.5004, 0.0, 0.3], 0),
        ('time', [0.0, 0.0, 0.0, 0.3], 0),
    ],
)
def test_a_keyframe_gives_the_joints_that_it_moves_with_all_that_they_are_coupled_to(
    key, expected, told
):
    """The second pair of joints is at rest elsewhere than in the model without a keyframe."""
    model = model_with(follow('b', 'a'), follow('d', 'c', '0.3 -1'), keys=KEYS)
    data = begun(model, key)
    assert list(data.qpos[:4]) == pytest.approx(expected, abs=1e-12)
    assert len(problems) == told


def test_over_a_running_state_only_what_is_coupled_to_a_given_joint_moves():
    model = model_with(follow('b', 'a'), follow('d', 'c', '0.3 -1'))
    data = mujoco.MjData(model)
    data.qpos[:4] = data.qvel[:4] = 0.1, 0.2, 0.3, 0.4
    InitialState(positions={'a': (0.5,)}).apply(model, data, 'running')
    assert list(data.qpos[:4]) == [0.5, 0.5, 0.3, 0.4]
    assert list(data.qvel[:4]) == [0.1, 0.1, 0.3, 0.4]
    InitialState(velocities={'c': (1.0,)}).apply(model, data, 'running')
    assert list(data.qpos[:4]) == [0.5, 0.5, 0.3, 0.4]
    assert list(data.qvel[:4]) == [0.1, 0.1, 1.0, -1.0]
