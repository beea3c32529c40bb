"""The compiled PID against the closed forms of its responses."""

from __future__ import annotations

import math

import numpy as np
import pytest
from builtin.controllers.driving import hinge

pytestmark = pytest.mark.slow

INERTIA = 0.1
MOTOR = hinge('<motor joint="joint"/>', option='integrator="RK4"', inertia=INERTIA)


def second_order(time, w, damping):
    """The unit step response of w^2 / (s^2 + 2 damping w s + w^2), from rest."""
    time = np.asarray(time)
    if damping == 1.0:
        return 1.0 - np.exp(-w * time) * (1.0 + w * time)
    if damping < 1.0:
        damped = w * math.sqrt(1.0 - damping**2)
        decay = np.exp(-damping * w * time)
        return 1.0 - decay * (np.cos(damped * time) + damping * w / damped * np.sin(damped * time))
    root = math.sqrt(damping**2 - 1.0)
    fast, slow = -w * (damping + root), -w * (damping - root)
    return 1.0 + (fast * np.exp(slow * time) - slow * np.exp(fast * time)) / (slow - fast)


@pytest.mark.parametrize('damping', [0.3, 1.0, 2.5])
def test_a_position_step_is_that_of_a_second_order_system(drive, damping):
    w = 12.0
    gains = {'p': w**2 * INERTIA, 'd': 2.0 * damping * w * INERTIA}
    driven = drive(MOTOR, 'position', gains={'joint': gains})
    driven.command(position=0.4)
    time, position, _ = driven.traced(1.0).T
    np.testing.assert_allclose(position, 0.4 * second_order(time, w, damping), atol=1e-6)


def test_without_gains_a_position_step_is_critically_damped_at_the_bandwidth(drive):
    driven = drive(MOTOR, 'position', bandwidth=20.0)
    driven.command(position=-0.4)
    time, position, _ = driven.traced(0.6).T
    np.testing.assert_allclose(position, -0.4 * second_order(time, 20.0, 1.0), atol=1e-6)


def test_without_gains_a_velocity_step_is_a_first_order_lag_without_overshoot(drive):
    driven = drive(MOTOR, 'velocity', bandwidth=20.0)
    driven.command(velocity=0.8)
    time, _, velocity = driven.traced(0.6).T
    np.testing.assert_allclose(velocity, 0.8 * (1.0 - np.exp(-20.0 * time)), atol=2e-2)
    assert velocity.max() <= 0.8 * 1.005


def test_a_velocity_step_with_an_integral_is_that_of_its_poles_and_zero(drive):
    p, i = 1.5, 4.0
    driven = drive(MOTOR, 'velocity', gains={'joint': {'p': p, 'i': i}})
    driven.command(velocity=0.5)
    time, _, velocity = driven.traced(1.5).T
    slow, fast = np.sort(np.roots([INERTIA, p, i]))[::-1]
    residues = [(p * pole + i) / (INERTIA * pole * (pole - other))
                for pole, other in ((slow, fast), (fast, slow))]  # fmt: skip
    exact = 1.0 + sum(
        residue * np.exp(pole * time) for residue, pole in zip(residues, (slow, fast), strict=True)
    )
    np.testing.assert_allclose(velocity, 0.5 * exact, atol=2e-3)


def test_a_full_pid_has_the_response_of_its_three_poles(drive):
    p, i, d = 10.0, 20.0, 2.0
    driven = drive(MOTOR, 'position', gains={'joint': {'p': p, 'i': i, 'd': d}})
    driven.command(position=0.3)
    time, position, _ = driven.traced(2.0).T
    # d acts on the velocity alone: the command has no derivative
    poles = np.roots([INERTIA, d, p, i])
    exact = np.ones(len(time), complex)
    for place, pole in enumerate(poles):
        others = np.prod(pole - np.delete(poles, place))
        exact += (p * pole + i) / (INERTIA * pole * others) * np.exp(pole * time)
    np.testing.assert_allclose(position, 0.3 * exact.real, atol=2e-3)


def test_an_integral_takes_away_the_error_that_a_load_leaves(drive):
    gains = {'joint': {'p': 10.0, 'i': 40.0, 'd': 2.0}}
    driven = drive(MOTOR, 'position', gains=gains)
    driven.session.call(lambda model, data: data.qfrc_applied.__setitem__(0, 0.7))
    driven.command(position=0.2)
    driven.run(5.0)
    assert driven.position == pytest.approx(0.2, abs=1e-5)
    assert driven.state.drive[0]['integral'] == pytest.approx(-0.7, abs=1e-3)


@pytest.mark.parametrize(
    ('clamp', 'expected'),
    [
        ({'i_clamp': 0.3}, 0.3),
        ({'i_clamp_max': 0.2}, 0.2),
        ({'i_clamp': 0.3, 'i_clamp_max': 0.1}, 0.1),
    ],
)
def test_the_integral_stays_within_its_clamp(drive, clamp, expected):
    stuck = hinge('<motor joint="joint"/>', joint='range="-0.1 0.1" limited="true"')
    driven = drive(stuck, 'velocity', gains={'joint': {'p': 0.1, 'i': 5.0, **clamp}})
    driven.session.call(lambda model, data: model.dof_frictionloss.__setitem__(0, 50.0))
    driven.command(velocity=1.0)
    driven.run(3.0)
    assert driven.state.drive[0]['integral'] == pytest.approx(expected)


def test_a_strategy_keeps_the_integral_from_winding_up_and_none_does_not(drive):
    weak = hinge('<motor joint="joint" ctrlrange="-0.2 0.2" ctrllimited="true"/>')

    def overshoot(chosen):
        gains = {'p': 4.0, 'i': 8.0, 'd': 1.0, 'antiwindup_strategy': chosen}
        driven = drive(weak, 'position', gains={'joint': gains})
        driven.command(position=2.0)
        return driven.traced(8.0, every=10)[:, 1].max() - 2.0

    unguarded = overshoot('none')
    assert unguarded > 0.2
    for strategy in ('conditional_integration', 'back_calculation'):
        assert overshoot(strategy) < 0.5 * unguarded, strategy


def test_errors_within_the_deadband_are_not_integrated(drive):
    gains = {'joint': {'p': 0.0, 'i': 5.0, 'error_deadband': 0.1}}
    driven = drive(MOTOR, 'position', gains=gains)
    driven.command(position=0.1)
    driven.run(0.5)
    assert driven.position == 0.0
    driven.command(position=0.11)
    driven.run(0.5)
    assert driven.position > 0.0


def test_a_velocity_feedforward_adds_its_share(drive):
    gains = {'joint': {'p': 1.0, 'ff_velocity_scale': 0.25}}
    driven = drive(MOTOR, 'velocity', gains=gains)
    driven.command(velocity=0.4)
    driven.step()
    first = driven.session.call(lambda model, data: data.ctrl[0])
    assert first == pytest.approx(0.4 * 1.0 + 0.4 * 0.25, rel=1e-2)


def test_an_effort_that_goes_along_with_a_position_is_added(drive):
    driven = drive(MOTOR, 'position', gains={'joint': {'p': 5.0, 'd': 1.0}})
    driven.session.call(lambda model, data: data.qfrc_applied.__setitem__(0, -0.7))
    driven.command(position=0.2, effort=0.7)
    driven.run(4.0)
    assert driven.position == pytest.approx(0.2, abs=1e-6)


def test_a_joint_that_turns_for_ever_takes_the_shorter_way(drive):
    config = {'gains': {'joint': {'p': 10.0, 'd': 2.0, 'angle_wraparound': True}}}
    driven = drive(MOTOR, 'position', positions={'joint': 3.0}, **config)
    driven.command(position=-3.0)
    driven.run(3.0)
    assert driven.position == pytest.approx(2.0 * math.pi - 3.0, abs=1e-3)
    plain = drive(
        MOTOR, 'position', positions={'joint': 3.0}, gains={'joint': {'p': 10.0, 'd': 2.0}}
    )
    plain.command(position=-3.0)
    plain.run(3.0)
    assert plain.position == pytest.approx(-3.0, abs=1e-3)
