"""Controls, signals, errors and coordinates of an identification have their analytic values."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

pytest.importorskip('mujoco.sysid', reason='mujoco[sysid] is not installed')
inertia = pytest.importorskip('mujoco_ros_py.identification.inertia')
prepared = pytest.importorskip('mujoco_ros_py.identification.prepared')
rollouts = pytest.importorskip('mujoco_ros_py.identification.rollouts')
sequences = pytest.importorskip('mujoco_ros_py.identification.sequences')
starts = pytest.importorskip('mujoco_ros_py.identification.starts')
uncertainty = pytest.importorskip('mujoco_ros_py.identification.uncertainty')
parameter = pytest.importorskip('mujoco_ros_py.identification.parameter')

SLIDE = """
<mujoco>
  <option timestep="0.01" gravity="0 0 0"/>
  <worldbody>
    <body name="cart"><joint name="x" type="slide" axis="1 0 0"/><geom size="0.1" mass="2"/></body>
  </worldbody>
  <actuator><motor name="push" joint="x"/></actuator>
</mujoco>
"""


@pytest.fixture
def model():
    return mujoco.MjModel.from_xml_string(SLIDE)


def commands(times, values):
    return sequences.Commands(
        actuators=('push',), times=np.array(times), values=np.array(values)[:, None], topic='/push'
    )


@pytest.mark.parametrize('delay', [0.0, 0.004, 0.025])
def test_controls_are_the_means_of_delayed_commands(model, delay):
    given = commands([0.0, 0.02, 0.033], [1.0, 3.0, -1.0])
    found = rollouts.Controls(model, [given]).over(0.0, 0.01, 8, delay)[:, 0]
    fine = np.arange(0.0, 0.08, 1e-5) + 5e-6
    held = np.array([1.0, 3.0, -1.0])[
        np.maximum(np.searchsorted([0.0, 0.02, 0.033], fine - delay, 'right') - 1, 0)
    ]
    assert found == pytest.approx(held.reshape(8, -1).mean(axis=1), abs=1e-9)


def test_a_simulation_of_constant_force_is_a_parabola(model):
    joints = rollouts.MeasuredJoints(names=('x',), qpos=np.array([0]), dofs=np.array([0]))
    part = rollouts.MeasuredPart(begin=1.0, end=2.0, commands=(commands([0.0], [4.0]),), goals=())
    variant = rollouts.Variant(model=model, positions=np.array([0.5]), velocities=np.array([0.1]))
    (found,) = rollouts.OpenLoop(joints).run([(variant, part)])
    assert found.times[[0, -1]] == pytest.approx([1.0, 2.0])
    assert found.velocities[-1, 0] == pytest.approx(0.1 + 4.0 / 2.0)
    assert found.positions[-1, 0] == pytest.approx(0.5 + 0.1 + 1.0, abs=0.02)


def test_a_signal_is_read_late_and_with_an_offset(model):
    source = sequences.Source(quantity='position', name='x')
    signal = sequences.Signal(
        source=source, times=np.array([0.5, 0.55]), values=np.zeros(2), topic='/joint_states'
    )
    times = np.arange(0.0, 1.0, 0.1)
    simulation = rollouts.Simulated(
        times=times, positions=times[:, None] * 2.0, velocities=np.zeros((10, 1)),
        sensors=np.zeros((9, 0)),
    )  # fmt: skip
    reader = prepared.SignalReader(model, [source])
    assert reader.read(signal, simulation, 0.02, 0.3) == pytest.approx([1.26, 1.36])


@pytest.mark.parametrize('share', [0.0, 0.5, 0.9])
def test_the_correlation_time_of_an_autoregressive_series(share):
    random = np.random.default_rng(0)
    series = np.zeros(200_000)
    for k, value in enumerate(random.normal(size=len(series) - 1)):
        series[k + 1] = share * series[k] + value
    expected = (1.0 + share) / (1.0 - share)
    assert uncertainty.correlation_time(series) == pytest.approx(expected, rel=0.1)


@pytest.mark.parametrize('bounds', [(0.2, 5.0), (-1.0, 5.0)])
def test_coordinates_and_values_are_inverse(bounds):
    made = parameter.Parameter(
        name='a', effect='attribute', targets=('a.b',), initial=1.0, bounds=bounds,
        logarithmic=bounds[0] > 0.0,
    )  # fmt: skip
    for value in (0.3, 1.0, 4.0):
        assert made.value(made.coordinate(value)) == pytest.approx(value)
        step = 1e-6
        slope = (made.value(made.coordinate(value) + step) - value) / step
        assert made.slope(value) == pytest.approx(slope, rel=1e-4)


def test_coordinates_of_an_inertia_are_those_of_the_body_and_always_physical():
    model = mujoco.MjModel.from_xml_string(
        '<mujoco><worldbody><body name="arm"><joint/><inertial mass="2" pos="0.1 0 0.3"'
        ' fullinertia="0.04 0.05 0.03 0.005 0 0.002"/></body></worldbody></mujoco>'
    )
    body = inertia.BodyInertia(model, 'arm')
    found = body.inertial(body.parameter.as_nominal_vector())
    assert found['mass'] == pytest.approx(2.0)
    assert found['pos'] == pytest.approx([0.1, 0.0, 0.3])
    assert found['fullinertia'] == pytest.approx([0.04, 0.05, 0.03, 0.005, 0.0, 0.002], abs=1e-9)
    assert body.scaled(4.0)['fullinertia'] == pytest.approx(2.0 * found['fullinertia'], abs=1e-9)
    random = np.random.default_rng(1)
    low, high = body.parameter.get_bounds()
    for _ in range(50):
        made = body.inertial(random.uniform(low, high))
        a, b, c, d, e, f = made['fullinertia']
        moments = np.linalg.eigvalsh([[a, d, e], [d, b, f], [e, f, c]])
        assert made['mass'] > 0.0
        assert moments[0] > 0.0
        assert moments[0] + moments[1] > moments[2]


@pytest.mark.parametrize(
    ('error', 'best'),
    [
        (lambda a: np.array([a[0] + a[1] - 1.0, a[0] - a[1], 2.0 * a[0] - 1.0]), (0.5, 0.5)),
        (lambda a: np.array([10.0 * (a[1] - a[0] ** 2), 1.0 - a[0]]), (1.0, 1.0)),
        (lambda a: np.array([np.arctan(a[0] - 3.0), a[1]]), (3.0, 0.0)),
    ],
)
def test_initial_states_are_those_that_fit_best_though_full_steps_fail(error, best):
    def simulate(point, states):
        return [(None, error(state)) for _, state in states]

    found = starts.Starts([2], simulate)
    found.states[0] = np.array([-1.0, 1.0])
    point = starts.Point(key=b'', values=[], model=None)
    for _ in range(5):  # the corrections of one call are limited
        point.simulations, point.errors = [None], [error(found.states[0])]
        found.correct(point, [np.ones(len(point.errors[0]))])
    assert found.states[0] == pytest.approx(best, abs=1e-3)
    assert point.errors[0] == pytest.approx(error(found.states[0]))
