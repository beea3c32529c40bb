"""Known faults of MuJoCo: results are right and the log says why, or `strict` refuses them."""

from __future__ import annotations

import copy
import logging

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.engine_faults import FAULTS, avoid_faults, faults_of, known_faults
from mujoco_ros_py.errors import ModelError
from mujoco_ros_py.mjcf import Physics
from mujoco_ros_py.session import Session
from mujoco_ros_py.session.batch import Batch
from mujoco_ros_py.simulation import Edit, Option
from mujoco_ros_py.simulation.edits import set_options

Jacobian, Solver = mujoco.mjtJacobian, mujoco.mjtSolver
SENTENCE = (
    'MuJoCo 4.0.0 computes wrong accelerations with the Newton solver and a sparse Jacobian: the'
    ' Jacobian is dense instead'
)
FREE = '<body><freejoint/><geom size="0.1" contype="0" conaffinity="0"/></body>'


def coupled(
    joints: int = 60, equalities: int = 40, each: int = 4, seed: int = 9, option: str = ''
) -> str:
    """Returns MJCF with joints that are coupled by equalities of tendons over several joints."""
    chance = np.random.default_rng(seed)
    bodies = ''.join(
        f'<body><joint name="j{k}" axis="0 1 0"/>'
        '<geom size="0.1" pos="0.3 0 0" contype="0" conaffinity="0"/></body>'
        for k in range(joints)
    )
    tendons = ''.join(
        f'<fixed name="t{t}">'
        + ''.join(
            f'<joint joint="j{j}" coef="{chance.uniform(0.5, 2):.3f}"/>'
            for j in chance.choice(joints, each, replace=False)
        )
        + '</fixed>'
        for t in range(equalities)
    )
    equal = ''.join(f'<tendon tendon1="t{t}"/>' for t in range(equalities))
    return (
        f'<mujoco><option {option}/><worldbody>{bodies}</worldbody><tendon>{tendons}</tendon>'
        f'<equality>{equal}</equality></mujoco>'
    )


def velocities(model: mujoco.MjModel, seed: int = 9) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=model.nv)


def right_acceleration(model: mujoco.MjModel) -> np.ndarray:
    """Returns the acceleration with `velocities` by NumPy: equalities make a linear system."""
    dense = copy.copy(model)
    dense.opt.jacobian = Jacobian.mjJAC_DENSE
    data = mujoco.MjData(dense)
    data.qvel[:] = velocities(dense)
    mujoco.mj_forward(dense, data)
    jacobian = data.efc_J.reshape(data.nefc, dense.nv)
    mass = np.zeros((dense.nv, dense.nv))
    for column in range(dense.nv):
        mujoco.mj_mulM(dense, data, mass[column], np.eye(dense.nv)[column])
    stiff = jacobian.T * data.efc_D
    forces = mass @ data.qacc_smooth + stiff @ data.efc_aref
    return np.linalg.solve(mass + stiff @ jacobian, forces)


def acceleration(model: mujoco.MjModel) -> np.ndarray:
    """Returns the acceleration with `velocities` by MuJoCo."""
    data = mujoco.MjData(model)
    data.qvel[:] = velocities(model)
    mujoco.mj_forward(model, data)
    return np.array(data.qacc)


@pytest.fixture
def faulty(monkeypatch) -> None:
    """Makes the package take this MuJoCo for 4.0.0, whose faults it then avoids."""
    monkeypatch.setattr(mujoco, '__version__', '4.0.0')


@pytest.mark.usefixtures('faulty')
@pytest.mark.parametrize(
    ('xml', 'concerns'),
    [
        (coupled(), True),
        (coupled(59, 30), False),  # MuJoCo chooses the sparse Jacobian from 60 on
        (coupled(10, 8, 3, option='jacobian="sparse"'), True),
        (coupled(option='jacobian="dense"'), False),
        (coupled(option='solver="CG"'), False),
        (coupled(option='solver="PGS"'), False),
        (f'<mujoco><worldbody>{FREE * 20}</worldbody></mujoco>', False),
        (
            f'<mujoco><worldbody>{FREE * 20}<body><joint/><geom size="1"/></body></worldbody>'
            '</mujoco>',
            True,
        ),
    ],
)
def test_a_fault_is_found_by_the_options_and_the_joints_of_a_model(xml, concerns):
    model = mujoco.MjModel.from_xml_string(xml)
    assert [fault.name for fault in faults_of(model)] == ['sparse_newton'] * concerns
    before = model.opt.jacobian
    sentences = avoid_faults(model)
    assert [each.startswith(SENTENCE) for each in sentences] == [True] * concerns
    assert faults_of(model) == []
    assert model.opt.jacobian == (Jacobian.mjJAC_DENSE if concerns else before)


@pytest.mark.parametrize('version', ['3.17.0', '4.0.1', '4.1.0'])
def test_other_versions_leave_models_as_they_are(monkeypatch, version):
    monkeypatch.setattr(mujoco, '__version__', version)
    model = mujoco.MjModel.from_xml_string(coupled())
    assert avoid_faults(model) == []
    assert model.opt.jacobian == Jacobian.mjJAC_AUTO


@pytest.mark.parametrize(
    'xml',
    [coupled(), coupled(10, 8, 3, 7, 'jacobian="sparse"')],
    ids=['chosen by MuJoCo', 'chosen by the model'],
)
def test_this_version_computes_what_numpy_computes_or_has_the_fault_in_the_list(xml):
    model = mujoco.MjModel.from_xml_string(xml)
    expected = right_acceleration(model)
    error = np.abs(acceleration(model) - expected).max() / np.abs(expected).max()
    assert (error > 0.1) == bool(known_faults())
    avoid_faults(model)
    np.testing.assert_allclose(acceleration(model), expected, rtol=1e-9, atol=1e-9)


def start(model: mujoco.MjModel) -> dict[str, float]:
    names = [model.joint(k).name for k in range(model.njnt)]
    return dict(zip(names, velocities(model).tolist(), strict=True))


def test_a_session_computes_what_numpy_computes_and_says_what_it_changed(caplog):
    model = mujoco.MjModel.from_xml_string(coupled())
    expected = right_acceleration(model)
    with Session(model, velocities=start(model)) as session:
        data = session.snapshot().data
        session.step()
        after = session.snapshot().data.qvel
        np.testing.assert_allclose(data.qvel, velocities(model))
        np.testing.assert_allclose(after, data.qvel + 0.002 * expected, rtol=1e-9, atol=1e-9)
    told = [each for each in caplog.messages if SENTENCE in each]
    assert len(told) == len(known_faults())
    assert model.opt.jacobian == Jacobian.mjJAC_AUTO, 'the model of the caller is left alone'


def test_frictions_of_tendons_come_out_as_with_another_solver():
    """MuJoCo 4.0.0 alone is 3.8 rad off after these 500 steps."""
    text, _, _ = coupled(70, 50).partition('<equality>')
    text = text.replace('<fixed ', '<fixed frictionloss="5" ') + '</mujoco>'
    model = mujoco.MjModel.from_xml_string(text)
    with Session(model, velocities=start(model)) as session:
        session.step(500)
        ours = session.snapshot().data.qpos.copy()
    other, data = copy.copy(model), mujoco.MjData(model)
    other.opt.solver, other.opt.iterations, other.opt.tolerance = Solver.mjSOL_CG, 5000, 1e-14
    data.qvel[:] = velocities(model)
    mujoco.mj_step(other, data, 500)
    np.testing.assert_allclose(ours, data.qpos, atol=1e-6)


def test_all_worlds_of_a_batch_compute_what_numpy_computes():
    model = mujoco.MjModel.from_xml_string(coupled())
    expected = velocities(model) + 0.002 * right_acceleration(model)
    with Batch(model, worlds=3, record=['qvel'], strict=False) as batch:
        batch.reset(qvel=velocities(model))
        for speeds in batch.step()['qvel']:
            np.testing.assert_allclose(speeds, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.usefixtures('faulty')
def test_with_strict_such_a_model_is_refused_with_the_ways_out():
    model = mujoco.MjModel.from_xml_string(coupled())
    refusal = (
        'strict is true, and MuJoCo 4.0.0 computes wrong .* install mujoco-core 4.0.1 .*,'
        ' or set jacobian="dense" or solver="CG"'
    )
    with pytest.raises(ModelError, match=refusal):
        Session(model, strict=True)
    with pytest.raises(ModelError, match=refusal):
        Batch(model, worlds=2)
    with Batch(mujoco.MjModel.from_xml_string(coupled(option='jacobian="dense"')), worlds=2):
        pass


@pytest.mark.usefixtures('faulty')
def test_a_world_that_grows_over_the_limit_is_told_once_and_refused_with_strict(caplog):
    world = coupled(58, 30)
    hinge = (
        '<mujoco><worldbody><body><joint/><geom size="0.1" mass="1"/></body></worldbody></mujoco>'
    )
    with Session(mujoco_xml=world) as session:
        assert SENTENCE not in caplog.text
        for number in range(3):
            session.spawn(hinge, f'hinge{number}', position=[5.0 + number, 0, 0])
        model = session.snapshot().model
        assert (model.nv, model.opt.jacobian) == (61, Jacobian.mjJAC_DENSE)
    assert caplog.text.count(SENTENCE) == 1
    with Session(mujoco_xml=world, strict=True) as session:
        session.spawn(hinge, 'first', position=[5, 0, 0])
        with pytest.raises(ModelError, match='the world with its entities: strict is true, and'):
            session.spawn(hinge, 'second', position=[6, 0, 0])
        session.step()
        assert session.snapshot().model.nv == 59


@pytest.mark.usefixtures('faulty')
def test_options_with_the_fault_are_refused_while_the_model_runs():
    model = mujoco.MjModel.from_xml_string(coupled())
    avoid_faults(model)
    for value in ('sparse', 'auto'):
        edit = Edit()
        set_options(model, [Option('jacobian', value)], edit)
        assert edit.refused[0].startswith('MuJoCo 4.0.0 computes wrong accelerations')
        assert model.opt.jacobian == Jacobian.mjJAC_DENSE
    edit = Edit()
    set_options(model, [Option('jacobian', 'sparse'), Option('solver', 'CG')], edit)
    assert edit.refused == []
    edit = Edit()
    set_options(model, [Option('solver', 'Newton')], edit)
    assert 'MuJoCo 4.0.0 computes wrong' in edit.refused[0]
    assert model.opt.solver == Solver.mjSOL_CG


@pytest.mark.usefixtures('faulty')
def test_an_option_that_was_set_before_the_world_grew_is_avoided_too(caplog):
    world = coupled(59, 30, option='solver="CG"')
    with Session(mujoco_xml=world) as session:

        def choose(model, data, edit):
            set_options(model, [Option('solver', 'Newton')], edit)

        session.edit(choose)
        hinge = '<mujoco><worldbody><body><joint/><geom size="0.1"/></body></worldbody></mujoco>'
        session.spawn(hinge, 'hinge', position=[5, 0, 0])
        options = session.snapshot().model.opt
        assert options.solver == Solver.mjSOL_NEWTON
        assert options.jacobian == Jacobian.mjJAC_DENSE
    assert caplog.text.count(SENTENCE) == 1


def test_a_physics_of_the_object_model_computes_what_numpy_computes(caplog):
    caplog.set_level(logging.WARNING)
    expected = right_acceleration(mujoco.MjModel.from_xml_string(coupled()))
    physics = Physics.from_xml_string(coupled())
    with physics.reset_context():
        physics.data.qvel[:] = velocities(physics.model)
    np.testing.assert_allclose(physics.data.qacc, expected, rtol=1e-9, atol=1e-9)
    assert (SENTENCE in caplog.text) == bool(known_faults())


def test_every_fault_says_what_is_wrong_what_is_done_and_how_to_get_rid_of_it():
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)
    for fault in FAULTS:
        assert fault.versions
        assert all((fault.text, fault.instead, fault.advice))
