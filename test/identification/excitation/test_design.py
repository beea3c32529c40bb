"""Designed motions keep to limits, and determine parameters better than random motions."""

from __future__ import annotations

import math
import re

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.config.yaml_text import load_yaml
from mujoco_ros_py.errors import ConfigError
from mujoco_ros_py.plugins import ros_type
from mujoco_ros_py.session import Session

REASON = 'mujoco[sysid] or scipy is not installed'
pytest.importorskip('scipy', reason=REASON)
excitation = pytest.importorskip('mujoco_ros_py.identification.excitation', reason=REASON)
dynamics = pytest.importorskip('mujoco_ros_py.identification.excitation.inverse_dynamics')
joint_limits = pytest.importorskip('mujoco_ros_py.identification.excitation.joint_limits')
effects = pytest.importorskip('mujoco_ros_py.identification.excitation.parameter_effects')
sines_module = pytest.importorskip('mujoco_ros_py.identification.excitation.sines')
models = pytest.importorskip('mujoco_ros_py.identification.adjustable_model')
selection = pytest.importorskip('mujoco_ros_py.identification.selection')
sets = pytest.importorskip('mujoco_ros_py.identification.sets')
FitOptions = pytest.importorskip('mujoco_ros_py.identification.options').FitOptions

LimitOptions, Request, design = excitation.LimitOptions, excitation.Request, excitation.design
InverseDynamics, barycentric = dynamics.InverseDynamics, dynamics.barycentric
JointTrajectory = ros_type('trajectory_msgs/msg/JointTrajectory')
JointTrajectoryPoint = ros_type('trajectory_msgs/msg/JointTrajectoryPoint')

ARM = """
<mujoco>
  <compiler angle="radian"/>
  <option integrator="implicitfast"/>
  <worldbody>
    <geom name="wall" type="box" size="0.02 1 1" pos="{wall} 0 0.5"/>
    <body name="upper" pos="0 0 0.5">
      <joint name="shoulder" axis="0 1 0" range="-2 2" damping="1" armature="0.1"
             frictionloss="0.2"/>
      <geom type="capsule" size="0.03" fromto="0 0 0 0 0 0.3" mass="1.5"/>
      <body name="lower" pos="0 0 0.3" euler="0.2 0.1 0.3">
        <joint name="elbow" axis="0 1 0" range="-2.5 2.5" damping="0.5" armature="0.05"
               frictionloss="0.1"/>
        <geom type="capsule" size="0.02" fromto="0.01 0 0 0 0.02 0.25" mass="0.8"/>
        <body name="hand" pos="0 0 0.25">
          <joint name="slide" type="slide" axis="0 0 1" damping="20" stiffness="900"/>
          <geom pos="0.01 0 0" size="0.03" mass="0.2"/>
        </body>
      </body>
    </body>
  </worldbody>
  <contact><exclude body1="upper" body2="lower"/><exclude body1="lower" body2="hand"/></contact>
  <actuator>
    <motor joint="shoulder" forcerange="-30 30" gear="2"/>
    <motor joint="elbow" forcerange="-20 20"/>
  </actuator>
  <keyframe><key name="bent" qpos="0.4 1 0"/><key name="beyond" qpos="2.4 0 0"/></keyframe>
</mujoco>
"""
JOINTS = 'shoulder', 'elbow'


def written(tmp_path, wall=3.0):
    path = tmp_path / 'arm.xml'
    path.write_text(ARM.format(wall=wall))
    return path


def request(tmp_path, wall=3.0, **options):
    asked = {'length': 5.0, 'iterations': 8, 'harmonics': 5, 'joints': JOINTS, **options}
    return Request(model=written(tmp_path, wall), **asked)


def sines_of(model, start, limits=None, length=5.0):
    found = joint_limits.limits_of(model, JOINTS, start, limits or LimitOptions())
    return sines_module.Sines(start, found, length, 5), found


def test_motions_start_and_end_at_rest_and_use_their_limits_fully():
    model = mujoco.MjModel.from_xml_string(ARM.format(wall=3.0))
    start = np.array([0.4, 1.0])
    sines, limits = sines_of(model, start, LimitOptions(velocity=1.5, acceleration=4.0))
    times = np.linspace(0.0, 5.0, 1001)
    for seed in range(10):
        weights = np.random.default_rng(seed).normal(size=sines.shape)
        motion = sines.motion(weights, times)
        for place in (0, -1):
            assert np.allclose(motion.q[place], start)
            assert np.allclose(motion.v[place], 0.0)
            assert np.allclose(motion.a[place], 0.0)
        assert np.allclose(np.gradient(motion.q, times, axis=0), motion.v, atol=0.02)
        assert np.allclose(np.gradient(motion.v, times, axis=0), motion.a, atol=0.1)
        shares = [
            np.max((motion.q - start) / (limits.high - start), axis=0),
            np.max((start - motion.q) / (start - limits.low), axis=0),
            np.max(np.abs(motion.v) / 1.5, axis=0),
            np.max(np.abs(motion.a) / 4.0, axis=0),
        ]
        assert np.max(shares, axis=0) == pytest.approx([1.0, 1.0])


def test_limits_come_from_the_model_the_options_and_the_margin():
    model = mujoco.MjModel.from_xml_string(ARM.format(wall=3.0))
    _, limits = sines_of(model, np.array([0.0, 0.0]))
    assert limits.low.tolist() == pytest.approx([-1.8, -2.25])
    assert limits.high.tolist() == pytest.approx([1.8, 2.25])
    assert limits.effort.tolist() == [60.0, 20.0]
    assert limits.velocity.tolist() == [1.0, 1.0]
    _, limits = sines_of(model, np.array([0.0, 0.0]), LimitOptions(effort=5.0, margin=0.0))
    assert limits.effort.tolist() == [5.0, 5.0]
    assert limits.high.tolist() == [2.0, 2.5]


def test_the_regressor_is_the_derivative_of_the_inverse_dynamics():
    model = mujoco.MjModel.from_xml_string(ARM.format(wall=3.0))
    start = np.array([0.4, 1.0, 0.0])
    sines, _ = sines_of(model, start[:2])
    weights = np.random.default_rng(3).normal(size=sines.shape)
    motion = sines.motion(weights, np.linspace(0.0, 5.0, 23))
    dofs = joint_limits.dofs_of(model, JOINTS)
    before = InverseDynamics(model, start, dofs).efforts(motion)
    numbers = barycentric(model)
    for body in range(1, model.nbody):
        changed = mujoco.MjModel.from_xml_string(ARM.format(wall=3.0))
        changed.body_sameframe[body] = 0  # the center of mass is elsewhere now
        changed.body_mass[body] *= 1.3
        changed.body_ipos[body] += [0.03, -0.02, 0.05]
        changed.body_inertia[body] *= [1.1, 1.3, 1.2]
        after = InverseDynamics(changed, start, dofs).efforts(motion)
        difference = (barycentric(changed) - numbers).ravel()
        assert np.count_nonzero(difference) <= dynamics.BARYCENTRIC
        assert np.allclose(
            after.efforts - before.efforts, before.regressor @ difference, atol=1e-9
        )


def test_the_jacobian_has_the_effects_of_parameters(tmp_path):
    model = models.AdjustableModel(written(tmp_path))
    options = FitOptions(fit=('friction', 'armature', 'inertia'), only=(*JOINTS, 'upper', 'lower'))
    nothing = sets.Measured(joints=(), commands=(), signals=())
    parameters = selection.parameters_of_fit(model.root, model.model, options, nothing)
    dofs = joint_limits.dofs_of(model.model, JOINTS)
    start = np.array([0.4, 1.0, 0.0])
    sines, _ = sines_of(model.model, start[:2])
    motion = sines.motion(
        np.random.default_rng(3).normal(size=sines.shape), np.linspace(0.0, 5.0, 400)
    )
    derivatives = effects.ParameterEffects(model, parameters, dofs)
    values = [each.initial for each in parameters]
    inverse = InverseDynamics(model.compiled(parameters, values), start, dofs)
    efforts = inverse.efforts(motion)
    jacobian = derivatives.jacobian(motion, efforts)
    fast = np.abs(motion.v) > 0.3 * np.max(np.abs(motion.v), axis=0)
    for place, each in enumerate(parameters):
        moved = [*values]
        moved[place] = each.value(each.coordinate(each.initial) + 1e-4)
        after = InverseDynamics(model.compiled(parameters, moved), start, dofs)
        slope = (after.efforts(motion).efforts - efforts.efforts) / 1e-4
        scale = np.max(np.abs(slope))
        assert np.allclose(slope[fast], jacobian[:, :, place][fast], atol=0.05 * scale + 1e-5), (
            each.name
        )


def test_a_designed_motion_keeps_to_all_limits_and_beats_random_ones(tmp_path):
    shares = []
    limits = LimitOptions(velocity=1.5, acceleration=6.0, effort=14.0)
    found = design(
        request(tmp_path, fit=FitOptions(fit=('friction', 'armature', 'masses')), limits=limits),
        shares.append,
    )
    model = mujoco.MjModel.from_xml_string(ARM.format(wall=3.0))
    motion = found.motion
    assert np.max(np.abs(motion.v)) <= 1.5 + 1e-9
    assert np.max(np.abs(motion.a)) <= 6.0 + 1e-9
    assert (np.abs(motion.q) <= [1.8, 2.25]).all()
    efforts = (
        InverseDynamics(model, np.zeros(3), joint_limits.dofs_of(model, JOINTS))
        .efforts(motion)
        .efforts
    )
    assert np.max(np.abs(efforts)) <= 14.0
    assert shares == sorted(shares, reverse=True)
    assert shares[-1] < 1.0
    assert found.ratio < 0.8
    names = [each.name for each in found.parameters]
    assert 'shoulder.damping' in names
    assert 'slide.damping' not in names, 'it is not moved'
    assert any('lower' in name for name in names)
    armature = names.index('elbow.armature')
    each = found.parameters[armature]
    assert each.high - each.low < np.median(found.random[armature])


def test_motions_keep_away_from_other_bodies(tmp_path):
    found = design(request(tmp_path, wall=0.35, fit=FitOptions(fit=('friction',))))
    model = mujoco.MjModel.from_xml_string(ARM.format(wall=0.35))
    data = mujoco.MjData(model)
    closest = math.inf
    for q in found.motion.q:
        data.qpos[:2] = q
        mujoco.mj_forward(model, data)
        for geom in range(1, model.ngeom):
            closest = min(closest, mujoco.mj_geomDistance(model, data, 0, geom, 1.0, None))
    assert closest >= 0.0199
    assert np.max(np.abs(found.motion.q - found.motion.q[0])) > 0.2


def test_a_trajectory_is_written_for_controllers(tmp_path):
    found = design(request(tmp_path, keyframe='bent', iterations=0))
    text = excitation.trajectory_yaml(found.joints, found.motion, approach_s=2.0, rate_hz=10.0)
    message = load_yaml(text, 'goals.yaml')
    assert message['joint_names'] == ['shoulder', 'elbow']
    points = message['points']
    times = [
        each['time_from_start']['sec'] + each['time_from_start']['nanosec'] / 1e9
        for each in points
    ]
    assert times[:2] == [2.0, 3.0]
    assert np.diff(times[1:-1]) == pytest.approx([0.1] * 50)
    assert times[-1] == pytest.approx(9.0)
    for point in (*points[:2], *points[-2:]):
        assert point['positions'] == [0.4, 1.0]
        assert point['velocities'] == point['accelerations'] == [0.0, 0.0]
    assert points[20]['positions'] == pytest.approx(found.motion.q[190].tolist(), abs=1e-5)
    assert points[20]['velocities'] == pytest.approx(found.motion.v[190].tolist(), abs=1e-5)


def test_the_errors_of_fits_to_measured_efforts_are_in_the_predicted_intervals(tmp_path):
    noise = 0.2
    found = design(request(tmp_path, noise=noise))
    names = ('damping', 'frictionloss', 'armature')
    dofs, motion = [0, 1], found.motion
    model = mujoco.MjModel.from_xml_string(ARM.format(wall=3.0))
    places = [(joint, name) for name in names for joint in (0, 1)]

    def efforts(values):
        for (dof, name), value in zip(places, values, strict=True):
            getattr(model, f'dof_{name}').reshape(model.nv, -1)[dof, 0] = value
        return InverseDynamics(model, np.zeros(3), dofs).efforts(motion, regressor=False).efforts

    true = [0.9, 0.6, 0.25, 0.08, 0.12, 0.04]
    clean, random = efforts(true), np.random.default_rng(0)
    jacobian = [
        (efforts([*true[:k], value * 1.01, *true[k + 1 :]]) - clean).ravel() / (0.01 * value)
        for k, value in enumerate(true)
    ]
    halves = {each.name: (each.high - each.low) / 2.0 for each in found.parameters}
    wanted = np.array([halves[f'{JOINTS[dof]}.{name}'] for dof, name in places])
    errors = np.array([
        np.linalg.lstsq(np.array(jacobian).T, random.normal(0.0, noise, clean.size))[0]
        for _ in range(200)
    ])  # fmt: skip
    inside = np.mean(np.abs(errors) <= wanted, axis=0)
    assert np.all(inside > 0.85), inside
    assert np.mean(inside) == pytest.approx(0.95, abs=0.04)


def message_of(text):
    """Fills a message as `ros2 topic pub` does."""
    struct = load_yaml(text, 'goals.yaml')
    points = []
    for each in struct['points']:
        numbers = {name: each[name] for name in ('positions', 'velocities', 'accelerations')}
        point = JointTrajectoryPoint(**numbers)
        point.time_from_start.sec = each['time_from_start']['sec']
        point.time_from_start.nanosec = each['time_from_start']['nanosec']
        points.append(point)
    return JointTrajectory(joint_names=struct['joint_names'], points=points)


def test_a_joint_trajectory_controller_plays_the_motion(tmp_path):
    limits = LimitOptions(effort=15.0)
    found = design(request(tmp_path, keyframe='bent', iterations=0, limits=limits))
    message = message_of(excitation.trajectory_yaml(found.joints, found.motion, approach_s=2.0))
    controller = {
        'type': 'mujoco_ros_py/JointTrajectoryController', 'name': 'arm', 'joints': [*JOINTS],
    }  # fmt: skip
    servos = re.sub(
        '<motor joint="(\\w+)".*/>', r'<position joint="\1" kp="4000" kv="100"/>', ARM
    ).format(wall=3.0)
    with Session(mujoco_xml=servos, plugins=[controller], strict=True) as session:
        arm = session.plugins['arm']
        trajectory = arm.reader.read(message, now=0.0)
        session.call(lambda model, data: arm.pursue(trajectory, data))
        session.step(1500)
        errors = []
        for k in range(0, 501, 5):
            errors.append(session.snapshot().data.qpos[:2] - found.motion.q[k])
            session.step(25)
    assert np.max(np.abs(errors)) < 0.03
    assert np.max(np.ptp(found.motion.q, axis=0)) > 1.0


@pytest.mark.parametrize(
    ('options', 'said'),
    [
        (
            {'joints': ('shoulder', 'elbo')},
            "--joints: unknown joint 'elbo' (did you mean 'elbow'?); known: elbow, shoulder,"
            ' slide',
        ),
        ({'joints': ('elbow', 'elbow')}, '--joints has elbow twice'),
        (
            {'joints': ('slide',)},
            'joint slide has no range in the model: give its min_position and max_position with'
            ' --limits',
        ),
        ({'keyframe': 'bend'}, "--keyframe: unknown keyframe 'bend' (did you mean 'beyond'?)"),
        (
            {'keyframe': 'beyond'},
            'joint shoulder begins at 2.4, outside its range of -2 to 2; choose another'
            ' --keyframe',
        ),
        (
            {'fit': FitOptions(fit=('offsets',))},
            '--fit: motions are designed for friction, armature, masses, inertia, not for offsets',
        ),
        (
            {'fit': FitOptions(values={'wall.pos[0]': {'bounds': [0.0, 4.0]}})},
            'wall.pos[0] has no effect on efforts at given motions; motions are designed for'
            ' friction, armature, masses and inertia',
        ),
        (
            {'limits': LimitOptions(effort=1e-3), 'keyframe': 'bent'},
            'the joints cannot move from their start within the limits of their efforts and 0.02 m'
            ' away from other bodies; choose another --keyframe',
        ),
    ],
)
def test_requests_that_do_not_fit_say_why(tmp_path, options, said):
    with pytest.raises(ConfigError) as raised:
        design(request(tmp_path, **options))
    assert str(raised.value).startswith(said)
