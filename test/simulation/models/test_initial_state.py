"""Initial joint states for each kind of joint, and the messages about skipped values."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.simulation import InitialState

MODEL = """
<mujoco>
  <worldbody>
    <body pos="0 0 1"><freejoint name="base"/><geom size="0.1"/>
      <body><joint name="neck" type="ball"/><geom size="0.1"/>
        <body><joint name="knee"/><geom size="0.1"/>
          <body><joint name="rail" type="slide"/><geom size="0.1"/>
            <body><joint axis="0 1 0"/><geom size="0.1"/></body>
          </body>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>
"""


@pytest.fixture
def model() -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(MODEL)


@pytest.fixture
def apply(model):
    """`apply(positions=..., velocities=...)`: problems, and the data."""

    def do(**values):
        data = mujoco.MjData(model)
        problems = InitialState(**values).apply(model, data)
        return problems, data

    return do


def untouched(model, data) -> bool:
    return np.array_equal(data.qpos, model.qpos0) and not data.qvel.any()


@pytest.mark.parametrize(
    ('joint', 'values'),
    [
        ('base', (1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0)),
        ('neck', (0.0, 1.0, 0.0, 0.0)),
        ('knee', (0.5,)),
        ('rail', (-0.25,)),
    ],
)
def test_a_position_is_written_where_the_joint_has_it(model, apply, joint, values):
    problems, data = apply(positions={joint: values})
    assert problems == []
    np.testing.assert_array_equal(data.joint(joint).qpos, values)
    data.joint(joint).qpos = model.joint(joint).qpos0
    assert untouched(model, data)


@pytest.mark.parametrize(
    ('joint', 'values'),
    [
        ('base', (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)),
        ('neck', (0.1, 0.2, 0.3)),
        ('knee', (0.5,)),
        ('rail', (-0.25,)),
    ],
)
def test_a_velocity_is_written_where_the_joint_has_it(model, apply, joint, values):
    problems, data = apply(velocities={joint: values})
    assert problems == []
    np.testing.assert_array_equal(data.joint(joint).qvel, values)
    data.joint(joint).qvel = 0
    assert untouched(model, data)


def test_all_at_once(apply):
    problems, data = apply(
        positions={'knee': (0.5,), 'rail': (0.1,)}, velocities={'neck': (1, 2, 3), 'knee': (4,)}
    )
    assert problems == []
    assert (data.joint('knee').qpos, data.joint('rail').qpos) == (0.5, 0.1)
    assert (list(data.joint('neck').qvel), data.joint('knee').qvel) == ([1, 2, 3], 4)


@pytest.mark.parametrize(
    ('joint', 'values', 'start'),
    [('neck', (2.0, 0, 0, 2.0), 0), ('base', (7, 8, 9, 0, 3, 0, 4), 3)],
)
def test_quaternions_are_normalised(apply, joint, values, start):
    problems, data = apply(positions={joint: values})
    assert problems == []
    written = data.joint(joint).qpos
    given = np.array(values[start:], float)
    np.testing.assert_allclose(written[start:], given / np.linalg.norm(given), atol=1e-15)
    np.testing.assert_array_equal(written[:start], values[:start])


@pytest.mark.parametrize(
    ('joint', 'values'), [('neck', (0, 0, 0, 0)), ('base', (1, 1, 1, 0, 0, 0, 1e-12))]
)
def test_a_quaternion_without_length_is_skipped_with_its_position(model, apply, joint, values):
    (problem,), data = apply(positions={joint: values})
    wanted = f'initial position of joint {joint!r} skipped: its quaternion has length 0'
    assert problem == wanted
    assert untouched(model, data)


def test_an_unknown_joint_is_skipped_and_the_known_ones_are_named(model, apply):
    problems, data = apply(positions={'kne': (1.0,)}, velocities={'elbow': (1.0,)})
    assert problems == [
        "initial position of unknown joint 'kne' skipped; known: base, knee, neck, rail",
        "initial velocity of unknown joint 'elbow' skipped; known: base, knee, neck, rail",
    ]
    assert untouched(model, data)


LIMITED = """
<mujoco>
  <compiler angle="radian" autolimits="true"/>
  <worldbody>
    <body><joint name="knee" range="-1 2"/><geom size="0.1"/>
      <body><joint name="rail" type="slide" range="0 0.5"/><geom size="0.1"/>
        <body><joint name="neck" type="ball" range="0 0.5"/><geom size="0.1"/>
          <body><joint name="wheel"/><geom size="0.1"/></body>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>
"""


def test_positions_outside_of_their_ranges_are_written_and_all_named():
    model = mujoco.MjModel.from_xml_string(LIMITED)
    data = mujoco.MjData(model)
    turned = (np.cos(0.4), 0, -np.sin(0.4), 0)  # by 0.8 rad
    given = {'knee': (2.5,), 'rail': (-0.1,), 'neck': turned, 'wheel': (99.0,)}
    assert InitialState(positions=given).apply(model, data) == [
        "initial positions outside of the ranges of their joints: 'knee' 2.5 (-1 to 2), 'rail'"
        " -0.1 (0 to 0.5), 'neck' 0.8 (0 to 0.5)"
    ]
    assert list(data.qpos) == pytest.approx([2.5, -0.1, *turned, 99.0])
    less = (-np.cos(0.2), 0, np.sin(0.2), 0)
    inside = {'knee': (2.0,), 'rail': (0.0,), 'neck': less}
    assert InitialState(positions=inside).apply(model, data) == []


def test_a_model_without_joints_says_so():
    model = mujoco.MjModel.from_xml_string('<mujoco/>')
    initial = InitialState(positions={'knee': (1.0,)})
    (problem,) = initial.apply(model, mujoco.MjData(model))
    assert problem == "initial position of unknown joint 'knee' skipped; known: none"


@pytest.mark.parametrize('name', ['', 'ball', 'world'])
def test_a_joint_without_a_name_cannot_be_meant(model, apply, name):
    (problem,), data = apply(positions={name: (1.0,)})
    assert f'unknown joint {name!r}' in problem
    assert untouched(model, data)


@pytest.mark.parametrize(
    ('what', 'joint', 'values', 'rule'),
    [
        ('position', 'base', (1.0,) * 6, "free joint 'base' skipped: it needs 7 values, got 6"),
        ('position', 'neck', (1.0,) * 3, "ball joint 'neck' skipped: it needs 4 values, got 3"),
        ('position', 'knee', (1.0, 2.0), "hinge joint 'knee' skipped: it needs 1 value"),
        ('position', 'rail', (), "slide joint 'rail' skipped: it needs 1 value"),
        ('velocity', 'base', (1.0,) * 7, "free joint 'base' skipped: it needs 6 values, got 7"),
        ('velocity', 'neck', (1.0,) * 4, "ball joint 'neck' skipped: it needs 3 values, got 4"),
    ],
)
def test_a_wrong_number_of_values_is_skipped_and_the_right_one_said(
    model, apply, what, joint, values, rule
):
    key = {'position': 'positions', 'velocity': 'velocities'}[what]
    (problem,), data = apply(**{key: {joint: values}})
    assert problem.startswith(f'initial {what} of {rule}')
    assert untouched(model, data)


def test_what_is_right_is_applied_beside_what_is_skipped(apply):
    problems, data = apply(positions={'kne': (1.0,), 'knee': (2.0,), 'neck': (0, 0, 0, 0)})
    assert len(problems) == 2
    assert data.joint('knee').qpos == 2.0
