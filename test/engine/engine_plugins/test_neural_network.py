"""Compares mujoco_ros_py.neural_network with the same networks in NumPy."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.engine import resources
from mujoco_ros_py.engine.engine_plugins import register
from mujoco_ros_py.engine.engine_plugins.shipped.neural_network import NeuralNetwork

from .models import assert_replays, behind_another, run

pytestmark = pytest.mark.slow

JOINTS, HISTORY = 3, 2
INPUTS = 2 * (1 + HISTORY)
WIDTHS = INPUTS, 5, 40, 1
"""Each network shape is compiled, so few shapes keep the tests fast."""
ACTIVATIONS = {
    'softsign': lambda x: x / (1 + abs(x)),
    'tanh': np.tanh,
    'relu': lambda x: np.maximum(x, 0),
    'elu': lambda x: np.where(x > 0, x, np.expm1(np.minimum(x, 0))),
}


@pytest.fixture(scope='module', autouse=True)
def registered():
    register(NeuralNetwork)


@pytest.fixture
def network(tmp_path: Path):
    """`network(6, 32, 1)` returns the file and the layers of a network."""

    def make(*widths: int, seed: int = 0, bias: bool = True):
        random = np.random.default_rng(seed)
        layers = [
            (random.normal(size=(outputs, inputs)), random.normal(size=outputs) * bias)
            for inputs, outputs in pairwise(widths)
        ]
        arrays = {f'{2 * k}.weight': weight for k, (weight, _) in enumerate(layers)}
        if bias:
            arrays |= {f'{2 * k}.bias': bias for k, (_, bias) in enumerate(layers)}
        file = tmp_path / f'{seed}.npz'
        np.savez(file, **arrays)
        return file, layers

    return make


def driven(file: object, joints: int = JOINTS, instances: int = 1, **config):
    """Swinging joints; each instance drives the same number of joints."""
    each = joints // instances
    values = {'file': file, 'history': HISTORY, **config}
    text = ''.join(f'<config key="{key}" value="{value}"/>' for key, value in values.items())
    named = ''.join(f'<instance name="n{k}">{text}</instance>' for k in range(instances))
    bodies = ''.join(
        f'<body pos="{j} 0 0"><joint name="j{j}" axis="0 1 0" damping="0.5" armature="1"/>'
        '<geom size="0.1" pos="0.3 0 0" contype="0" conaffinity="0"/></body>'
        for j in range(joints)
    )
    actuators = ''.join(f'<plugin joint="j{j}" instance="n{j // each}"/>' for j in range(joints))
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><extension><plugin plugin="{NeuralNetwork.name}">{named}'
        f'</plugin></extension><worldbody>{bodies}</worldbody>'
        f'<actuator>{actuators}</actuator></mujoco>'
    )


def outputs(layers, inputs, activation='softsign'):
    """Returns the outputs for one input vector."""
    for weight, bias in layers[:-1]:
        inputs = ACTIVATIONS[activation](weight @ inputs + bias)
    weight, bias = layers[-1]
    return weight @ inputs + bias


def samples(model, data, past=()):
    """Returns errors and velocities, by sample and joint: (2, 1 + HISTORY, JOINTS)."""
    now = np.array([data.ctrl - data.actuator_length, data.actuator_velocity])
    zeros = [np.zeros((2, model.nu))] * HISTORY
    return np.array([now, *past, *zeros][: 1 + HISTORY]).swapaxes(0, 1)


def moved(model, seed: int = 1):
    """Returns data with a random posture and velocity."""
    data = mujoco.MjData(model)
    data.ctrl[:], data.qpos[:], data.qvel[:] = np.random.default_rng(seed).normal(size=(3, JOINTS))
    mujoco.mj_forward(model, data)
    return data


@pytest.mark.parametrize(
    ('widths', 'activation', 'bias'),
    [
        *((WIDTHS, name, number % 2 == 0) for number, name in enumerate(ACTIVATIONS)),
        ((INPUTS, 1), 'softsign', True),
        ((INPUTS, 1), 'tanh', False),
    ],
)
def test_one_network_serves_every_actuator(network, widths, activation, bias):
    file, layers = network(*widths, bias=bias)
    model = driven(file, activation=activation)
    for seed in range(10):
        data = moved(model, seed)
        seen = samples(model, data)
        expected = [outputs(layers, seen[..., j].ravel(), activation)[0] for j in range(JOINTS)]
        assert data.actuator_force == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(('joint', 'interval'), [(False, 3), (True, 1), (True, 3)])
def test_the_inputs_are_errors_and_velocities_of_now_and_before(network, joint, interval):
    size = JOINTS if joint else 1
    file, layers = network(INPUTS * size, 5, 40, size)
    model = driven(file, interval=interval)
    data = mujoco.MjData(model)
    past: list[np.ndarray] = []
    random = np.random.default_rng(1)
    for _ in range(20):
        data.ctrl[:] = random.normal(size=JOINTS)
        mujoco.mj_forward(model, data)
        seen = samples(model, data, past[interval - 1 :: interval])
        if joint:
            expected = outputs(layers, seen.ravel())
        else:
            expected = [outputs(layers, seen[..., j].ravel())[0] for j in range(JOINTS)]
        assert data.actuator_force == pytest.approx(expected, rel=1e-12, abs=1e-12)
        past.insert(0, seen[:, 0])
        mujoco.mj_step(model, data)


@pytest.mark.parametrize('activation', ACTIVATIONS)
def test_large_inputs_saturate_and_do_not_fail(network, activation, caplog):
    file, layers = network(*WIDTHS)
    model = driven(file, activation=activation, position_scale=1e4)
    data = moved(model)
    seen = samples(model, data) * np.reshape([1e4, 1], (2, 1, 1))
    expected = [outputs(layers, seen[..., j].ravel(), activation)[0] for j in range(JOINTS)]
    assert data.actuator_force == pytest.approx(expected, rel=1e-12)
    assert not caplog.records


def test_inputs_and_outputs_are_scaled(network):
    file, layers = network(*WIDTHS)
    model = driven(file, position_scale=-1, velocity_scale=0.5, force_scale=20)
    data = moved(model)
    seen = samples(model, data) * np.reshape([-1, 0.5], (2, 1, 1))
    expected = [20 * outputs(layers, seen[..., j].ravel())[0] for j in range(JOINTS)]
    assert data.actuator_force == pytest.approx(expected, rel=1e-12)


def test_the_range_of_the_control_is_kept(network):
    file, _ = network(*WIDTHS)
    model = driven(file)
    model.actuator_ctrllimited[:], model.actuator_ctrlrange[:] = True, (-0.5, 0.5)
    data = mujoco.MjData(model)
    forces = []
    for target in (0.5, 7.0):
        data.ctrl[:] = target
        mujoco.mj_forward(model, data)
        forces.append(data.actuator_force.copy())
    assert np.array_equal(*forces)


def test_an_instance_of_all_motors_moves_them_as_one_instance_each_does(network):
    file, _ = network(*WIDTHS)
    rows = []
    for instances in (1, JOINTS):
        model = driven(file, instances=instances)
        rows.append(run(model, mujoco.MjData(model), 200)[:, : model.nq])
    assert np.ptp(rows[0]) > 0.1
    assert np.array_equal(*rows)


def test_a_state_saved_and_restored_replays_bitwise_and_so_does_a_copy(network):
    file, _ = network(*WIDTHS)
    model = driven(file, interval=2)
    data = mujoco.MjData(model)
    first = run(model, data, 200)
    assert_replays(model, data, 50)
    mujoco.mj_resetData(model, data)
    assert np.array_equal(run(model, data, 200), first)


def test_what_is_not_finite_once_is_forgotten_by_a_reset(network):
    file, _ = network(*WIDTHS)
    model = driven(file)
    data = mujoco.MjData(model)
    first = run(model, data, 10)
    data.ctrl[0] = np.nan
    mujoco.mj_forward(model, data)
    assert np.isnan(data.actuator_force[0])
    mujoco.mj_resetData(model, data)
    assert np.array_equal(run(model, data, 10), first)


@pytest.mark.parametrize('number', [np.nan, np.inf, -1.0, 1e9, 1.5])
def test_a_state_of_any_numbers_is_stepped_on(network, number):
    """Including the number that stores the index of the oldest step."""
    file, _ = network(*WIDTHS)
    model = driven(file, interval=3)
    data = mujoco.MjData(model)
    data.plugin_state[-1] = number
    run(model, data, 2 * HISTORY * 3)
    assert data.plugin_state[-1] in range(HISTORY * 3)
    assert np.isfinite(data.actuator_force).all()


def test_threads_with_data_of_their_own_get_what_one_thread_gets(network):
    file, _ = network(*WIDTHS)
    model = driven(file)

    def steps(_: int) -> np.ndarray:
        return run(model, mujoco.MjData(model), 300)

    alone = steps(0)
    with ThreadPoolExecutor(2) as threads:
        for rows in threads.map(steps, range(4)):
            assert np.array_equal(rows, alone)


def test_names_with_a_prefix_and_single_precision_are_read(tmp_path, network):
    file = tmp_path / 'torch.npz'
    _, layers = network(*WIDTHS)
    named = {}
    for number, (weight, bias) in zip((11, 10, 9), reversed(layers), strict=True):
        named[f'actor.{number}.weight'] = weight.astype(np.float32)
        named[f'actor.{number}.bias'] = bias.astype(np.float32)
    np.savez(file, **named)
    model = driven(file)
    data = moved(model)
    expected = [outputs(layers, samples(model, data)[..., j].ravel())[0] for j in range(JOINTS)]
    assert data.actuator_force == pytest.approx(expected, rel=1e-5, abs=1e-5)


def test_controls_and_forces_are_found_behind_an_actuator_of_several_controls(tmp_path):
    file = tmp_path / 'spring.npz'
    layers = enumerate(pairwise(WIDTHS))
    weights = {f'{k}.weight': 2.0 * np.eye(rows, columns) for k, (columns, rows) in layers}
    np.savez(file, **weights)
    config = {'file': file, 'activation': 'relu', 'history': HISTORY}
    model = behind_another(NeuralNetwork.name, config)
    data = mujoco.MjData(model)
    data.ctrl[:] = 1.0, 2.0, 4.0
    mujoco.mj_forward(model, data)
    assert data.actuator_force[-1] == 2.0**3 * 4.0


@pytest.mark.parametrize(
    ('arrays', 'message'),
    [
        ({'w': [[1, 1]]}, r'must contain <number>.weight and <number>.bias of .*, got w \(1, 2\)'),
        ({'a.0.weight': [[1, 1]], 'b.1.weight': [[1]]}, 'must contain .* of one network, got a.0'),
        ({'0.weight': [1, 1]}, r'0.weight in .* must be \(outputs, inputs\), got 0.weight'),
        ({'0.bias': [1]}, r'0.weight in .* must be \(outputs, inputs\), got 0.bias \(1,\)'),
        (
            {'0.weight': [[1, 1]], '2.weight': [[1, 2]]},
            r'2.weight in .* must be \(outputs, 1\), got 0.weight \(1, 2\), 2.weight',
        ),
        (
            {'0.weight': [[1, 1]], '0.bias': [1, 2]},
            r'0.bias in .* must be \(1,\), got 0.weight \(1, 2\), 0.bias \(2,\)',
        ),
        ({'0.weight': [[1, np.inf]]}, '0.weight in .* must be finite'),
        ({'0.weight': [['a', 'b']]}, 'file must be an .npz file of numbers'),
        (
            {'0.weight': [[1, 1, 1]]},
            'must have 2 inputs and 1 output for each actuator, or 4 and 2 for all, got 3 and 1',
        ),
    ],
)
def test_a_file_that_does_not_fit_is_an_error_that_tells_what_is_in_it(tmp_path, arrays, message):
    file = tmp_path / 'wrong.npz'
    np.savez(file, **{name: np.array(array) for name, array in arrays.items()})
    owner = f"engine plugin {NeuralNetwork.name}, instance 'n0'"
    with pytest.raises(ValueError, match=f'{owner}: .*{message}'):
        driven(file, 2, history=0)


@pytest.mark.parametrize(
    ('config', 'message'),
    [
        ({'file': ''}, 'file must be given: an .npz file with weights and biases'),
        ({'file': 'no.npz'}, 'file must be an .npz file of numbers; no.npz: .*No such file'),
        (
            {'activation': 'sine'},
            "activation must be one of softsign, tanh, relu, elu, got 'sine'",
        ),
        ({'history': -1}, "history must be a whole number at least 0, got '-1'"),
    ],
)
def test_what_cannot_work_is_an_error_of_the_compiler(network, config, message):
    file, _ = network(2, 1)
    with pytest.raises(ValueError, match=f"{NeuralNetwork.name}, instance 'n0': {message}"):
        driven(**{'file': file, 'joints': 1, **config})


def test_a_file_that_is_no_archive_is_refused(tmp_path):
    message = r'file must be an \.npz file of numbers'
    file = tmp_path / 'text.npz'
    file.write_text('weights')
    with pytest.raises(ValueError, match=message):
        driven(file)
    np.save(tmp_path / 'one.npy', np.ones((1, 2)))
    with pytest.raises(ValueError, match=message):
        driven(tmp_path / 'one.npy')


def test_an_actuator_with_an_activation_of_its_own_is_refused(network):
    file, _ = network(2, 1)
    with pytest.raises(ValueError, match='actuator 0 must have no dyntype and no actdim'):
        mujoco.MjModel.from_xml_string(f"""
            <mujoco>
              <extension><plugin plugin="{NeuralNetwork.name}"/></extension>
              <worldbody><body><joint name="j"/><geom size="0.1"/></body></worldbody>
              <actuator>
                <plugin joint="j" plugin="{NeuralNetwork.name}" dyntype="filter" dynprm="0.1">
                  <config key="file" value="{file}"/>
                </plugin>
              </actuator>
            </mujoco>
        """)


def test_weights_come_from_resource_providers_too(network):
    resources.register_shipped()
    file, _ = network(*WIDTHS)
    uri = resources.memory.put('weights.npz', file.read_bytes())
    models = driven(file), driven(uri)
    plain, served = (run(model, mujoco.MjData(model), 20) for model in models)
    assert np.array_equal(served, plain)
    resources.memory.remove('weights.npz')
    with pytest.raises(ValueError, match=r"instance 'n0': mem:.*weights.npz: there is no file"):
        driven(uri)
