"""Compares mujoco_ros_py.dc_motor with the solutions of its equations."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import mujoco
import numpy as np
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.engine.engine_plugins import register
from mujoco_ros_py.engine.engine_plugins.shipped.dc_motor import DcMotor

from .models import assert_replays, behind_another, run

R, K, L = 2.0, 0.05, 1e-3
"""Ohm, N m / A, H: time constant 0.5 ms."""
HEATED = {'thermal_resistance': 4.0, 'thermal_capacitance': 25.0}
"""K/W, J/K: time constant 100 s."""
LOCKED = 1e12
"""kg m^2: does not turn."""


@pytest.fixture(scope='module', autouse=True)
def registered():
    register(DcMotor)


def motor(
    *, inertia: float = 1e-4, damping: float = 0.0, count: int = 1, option: str = '', **config
) -> mujoco.MjModel:
    """Returns a model of motors, each with a temperature sensor."""
    values = {'resistance': R, 'motorconst': K, **config}
    text = ''.join(f'<config key="{key}" value="{value}"/>' for key, value in values.items())
    actdim = int(values.get('inductance', 0) != 0)
    each = range(count)
    instances = ''.join(f'<instance name="m{k}">{text}</instance>' for k in each)
    bodies = ''.join(
        f'<body><joint name="j{k}" damping="{damping}" armature="{inertia}"/>'
        '<inertial pos="0 0 0" mass="1e-9" diaginertia="1e-12 1e-12 1e-12"/></body>'
        for k in each
    )
    actuators = ''.join(f'<plugin joint="j{k}" instance="m{k}" actdim="{actdim}"/>' for k in each)
    sensors = ''.join(f'<plugin instance="m{k}"/>' for k in each)
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><option gravity="0 0 0" {option}/><extension><plugin plugin="{DcMotor.name}">'
        f'{instances}</plugin></extension><worldbody>{bodies}</worldbody>'
        f'<actuator>{actuators}</actuator><sensor>{sensors}</sensor></mujoco>'
    )


@pytest.mark.parametrize('integrator', ['Euler', 'implicit', 'implicitfast'])
@pytest.mark.parametrize('timestep', [1e-5, 2e-4, 2e-3])
def test_the_current_of_a_locked_motor_rises_exactly_however_long_the_steps(timestep, integrator):
    model = motor(
        inertia=LOCKED, inductance=L, option=f'timestep="{timestep}" integrator="{integrator}"'
    )
    data = mujoco.MjData(model)
    data.ctrl[0] = 12.0
    for _ in range(50):
        mujoco.mj_step(model, data)
        current = 12.0 / R * -math.expm1(-data.time * R / L)
        assert data.act[0] == pytest.approx(current, rel=1e-12)


def test_with_rk4_the_current_is_accurate_to_fourth_order():
    errors = []
    for timestep in (2e-4, 1e-4):
        option = f'timestep="{timestep}" integrator="RK4"'
        model = motor(inertia=LOCKED, inductance=L, option=option)
        data = mujoco.MjData(model)
        data.ctrl[0] = 12.0
        mujoco.mj_step(model, data, round(1e-3 / timestep))
        errors.append(abs(data.act[0] - 12.0 / R * -math.expm1(-data.time * R / L)))
    assert errors[1] < 1e-4
    assert errors[0] / errors[1] == pytest.approx(16, rel=0.3)


def test_with_rk4_a_step_longer_than_the_time_constant_is_stable():
    model = motor(inertia=LOCKED, inductance=L, option='timestep="0.01" integrator="RK4"')
    data = mujoco.MjData(model)
    data.ctrl[0] = 12.0
    mujoco.mj_step(model, data, 100)
    assert data.act[0] == pytest.approx(12.0 / R, rel=1e-9)


@pytest.mark.parametrize('inductance', [0, L])
def test_the_speed_and_torque_of_steady_motion_are_those_of_the_data_sheet(inductance):
    damping = 1e-3
    model = motor(inductance=inductance, damping=damping)
    data = mujoco.MjData(model)
    data.ctrl[0] = 12.0
    mujoco.mj_step(model, data, 3000)
    speed = 12.0 * K / (K * K + damping * R)
    assert data.qvel[0] == pytest.approx(speed, rel=1e-9)
    assert data.actuator_force[0] == pytest.approx(damping * speed, rel=1e-9)


def test_a_gear_turns_the_motor_faster_than_the_joint():
    model = motor(inertia=1e-2, damping=1e-3)
    model.actuator_gear[0, 0] = 20.0
    data = mujoco.MjData(model)
    data.ctrl[0] = 12.0
    mujoco.mj_step(model, data, 3000)
    k = 20.0 * K
    assert data.qvel[0] == pytest.approx(12.0 * k / (k * k + 1e-3 * R), rel=1e-9)


def test_the_range_of_the_control_limits_the_voltage():
    model = motor(inertia=LOCKED)
    model.actuator_ctrllimited[0], model.actuator_ctrlrange[0] = True, (-6.0, 6.0)
    data = mujoco.MjData(model)
    data.ctrl[0] = 100.0
    mujoco.mj_forward(model, data)
    assert data.actuator_force[0] == pytest.approx(K * 6.0 / R)


def test_the_thermometer_follows_the_heating_and_the_cooling_curve_exactly():
    model = motor(inertia=LOCKED, tempcoef=0, ambient=20, option='timestep="0.5"', **HEATED)
    data = mujoco.MjData(model)
    final = 20.0 + 4.0 * 12.0**2 / R
    data.ctrl[0] = 12.0
    for _ in range(400):
        time = data.time
        mujoco.mj_step(model, data)
        expected = final + (20.0 - final) * math.exp(-time / 100.0)
        assert data.sensordata[0] == pytest.approx(expected, rel=1e-12)
    hot, start = data.plugin_state[0], data.time
    data.ctrl[0] = 0.0
    mujoco.mj_step(model, data, 400)
    cold = 20.0 + (hot - 20.0) * math.exp(-(data.time - start) / 100.0)
    assert data.plugin_state[0] == pytest.approx(cold, rel=1e-12)


def test_a_warm_winding_of_copper_takes_less_current():
    model = motor(inertia=LOCKED, tempcoef=0.00393, reftemp=25, option='timestep="0.5"', **HEATED)
    data = mujoco.MjData(model)
    data.ctrl[0] = 6.0
    mujoco.mj_step(model, data, 4000)
    # T - 25 = rise = 4 u^2 / (R (1 + 0.00393 rise)), solved for rise
    rise = (-1 + math.sqrt(1 + 4 * 0.00393 * 4.0 * 6.0**2 / R)) / (2 * 0.00393)
    assert data.plugin_state[0] == pytest.approx(25.0 + rise, rel=1e-9)
    assert data.actuator_force[0] == pytest.approx(K * 6.0 / (R * (1 + 0.00393 * rise)), rel=1e-9)


def test_without_a_thermal_resistance_it_stays_as_warm_as_its_surroundings():
    model = motor(ambient=30, reftemp=25, inertia=LOCKED)
    data = mujoco.MjData(model)
    data.ctrl[0] = 12.0
    mujoco.mj_step(model, data, 100)
    assert data.sensordata[0] == 30.0
    assert data.actuator_force[0] == pytest.approx(K * 12.0 / (R * (1 + 0.00393 * 5)))


@pytest.mark.parametrize('inductance', [0, L])
@pytest.mark.parametrize('timestep', [1e-4, 2e-3])
def test_the_electrical_energy_is_work_heat_and_that_of_the_field(timestep, inductance):
    capacitance = 25.0
    model = motor(
        inductance=inductance, thermal_resistance=1e12, thermal_capacitance=capacitance,
        option=f'timestep="{timestep}"',
    )  # fmt: skip
    data = mujoco.MjData(model)
    electrical = work = scale = 0.0
    for step in range(500):
        data.ctrl[0] = 12.0 * math.sin(0.1 * step)
        mujoco.mj_forward(model, data)
        current = data.actuator_force[0] / K
        electrical += data.ctrl[0] * current * timestep
        work += data.actuator_force[0] * data.qvel[0] * timestep
        scale += abs(data.ctrl[0] * current) * timestep
        mujoco.mj_step(model, data)
    heat = capacitance * (data.plugin_state[0] - 25.0)
    field = 0.5 * inductance * data.act[0] ** 2 if inductance else 0.0
    assert heat > 0.01 * scale
    assert electrical == pytest.approx(work + heat + field, abs=1e-9 * scale)


def test_it_moves_as_the_dcmotor_that_mujoco_has_built_in():
    thermal = {'thermal_resistance': 4.0, 'thermal_capacitance': 0.05, 'tempcoef': 0.004}
    option = 'timestep="1e-5"'
    ours = motor(inductance=L, reftemp=25, ambient=25, damping=1e-4, option=option, **thermal)
    theirs = mujoco.MjModel.from_xml_string(f"""
        <mujoco>
          <option gravity="0 0 0" {option}/>
          <worldbody>
            <body>
              <joint name="j" armature="1e-4" damping="1e-4"/>
              <inertial pos="0 0 0" mass="1e-9" diaginertia="1e-12 1e-12 1e-12"/>
            </body>
          </worldbody>
          <actuator>
            <dcmotor joint="j" resistance="{R}" motorconst="{K} {K}" inductance="{L} 0"
                     thermal="4 0.05 0 0.004 25 25"/>
          </actuator>
        </mujoco>
    """)
    rows = []
    for model in (ours, theirs):
        data = mujoco.MjData(model)
        data.ctrl[:] = 12.0
        mujoco.mj_step(model, data, 20_000)
        current, rise = data.act[-1], data.plugin_state[0] - 25.0 if model is ours else data.act[0]
        rows.append([data.qpos[0], data.qvel[0], current, rise])
    assert rows[0][-1] > 20, 'it is warm'
    assert rows[0] == pytest.approx(rows[1], rel=1e-3)


def test_finite_differences_see_the_current():
    timestep = 1e-3
    model = motor(inductance=L, inertia=1e-2, option=f'timestep="{timestep}"')
    data = mujoco.MjData(model)
    data.qvel[0], data.act[0], data.ctrl[0] = 3.0, 1.0, 5.0
    a, b = np.zeros((3, 3)), np.zeros((3, 1))
    mujoco.mjd_transitionFD(model, data, 1e-6, True, a, b, None, None)
    decay = math.exp(-timestep * R / L)
    assert a[2] == pytest.approx([0, -K / R * (1 - decay), decay], abs=1e-9)
    assert b[2] == pytest.approx([(1 - decay) / R], abs=1e-9)
    assert data.plugin_state.tolist() == [25.0]


def test_a_motor_that_is_not_driven_cools():
    model = motor(inertia=LOCKED, **HEATED)
    data = mujoco.MjData(model)
    data.ctrl[0] = 12.0
    mujoco.mj_step(model, data, 100)
    hot = data.plugin_state[0]
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_ACTUATION
    mujoco.mj_step(model, data, 100)
    assert 25.0 < data.plugin_state[0] < hot


def test_a_state_saved_and_restored_replays_bitwise_and_so_does_a_copy():
    model = motor(inductance=L, count=2, **HEATED)
    data = mujoco.MjData(model)
    run(model, data, 500)
    assert_replays(model, data, 100)
    mujoco.mj_resetData(model, data)
    assert data.plugin_state.tolist() == [25.0, 25.0]


def test_every_instance_has_a_winding_of_its_own():
    model = motor(inductance=L, count=3, inertia=LOCKED, **HEATED)
    data = mujoco.MjData(model)
    data.ctrl[:] = 0.0, 6.0, 12.0
    mujoco.mj_step(model, data, 100)
    assert data.act == pytest.approx(data.ctrl / R, rel=1e-2)
    cold, warm, hot = data.sensordata
    assert cold == 25.0
    assert (hot - cold) / (warm - cold) == pytest.approx(4.0, rel=1e-2)


def test_threads_with_unlike_controls_each_get_what_they_get_alone():
    model = motor(inductance=L, count=3, **HEATED)
    together = Barrier(4)

    def states(volts: float, barrier: Barrier | None) -> np.ndarray:
        data, rows = mujoco.MjData(model), []
        for burst in range(20):
            data.ctrl[:] = volts * np.sin(0.1 * burst + np.arange(3))
            if barrier:
                barrier.wait(DEADLINE_S)
            mujoco.mj_step(model, data, 50)
            rows.append(np.concatenate([data.qpos, data.act, data.plugin_state]))
        return np.array(rows)

    volts = 3.0, 6.0, 12.0, 24.0
    alone = [states(each, None) for each in volts]
    assert len({rows[-1, -1] for rows in alone}) == len(volts)
    with ThreadPoolExecutor(4) as threads:
        for rows, expected in zip(threads.map(states, volts, [together] * 4), alone, strict=True):
            assert np.array_equal(rows, expected)


@pytest.mark.slow
def test_its_control_and_force_are_found_behind_an_actuator_of_several_controls():
    config = {'resistance': R, 'motorconst': K}
    model = behind_another(DcMotor.name, config, 'ctrlrange="-6 6"')
    data = mujoco.MjData(model)
    data.ctrl[:] = 1.0, 2.0, 12.0
    mujoco.mj_forward(model, data)
    assert data.actuator_force[-1] == pytest.approx(K * 6.0 / R)


@pytest.mark.parametrize(
    ('config', 'message'),
    [
        ({'resistance': 0}, 'resistance must be above 0, got 0'),
        ({'motorconst': 0}, 'motorconst must be above 0, got 0'),
        ({'inductance': -1}, "inductance must be a number at least 0, got '-1'"),
        (
            {'thermal_resistance': 1},
            'thermal_resistance and thermal_capacitance must both be above 0 or both be 0,'
            ' got 1 and 0',
        ),
        ({'ambient': -250}, 'resistance must be above 0 at the ambient temperature -250'),
    ],
)
def test_what_cannot_work_is_an_error_of_the_compiler(config, message):
    owner = f"engine plugin {DcMotor.name}, instance 'm0'"
    with pytest.raises(ValueError, match=f'{owner}: {message}'):
        motor(**config)


@pytest.mark.parametrize(
    ('actuators', 'message'),
    [
        ('<plugin joint="j" instance="m"/>', 'actuator 0 must have actdim 1, got 0'),
        (
            '<plugin joint="j" instance="m" actdim="2" dyntype="filter" dynprm="0.1"/>',
            'actuator 0 must have no dyntype',
        ),
        ('<plugin joint="j" instance="m"/>' * 2, 'must drive one actuator, got 2'),
    ],
)
def test_actuators_that_do_not_fit_are_refused(actuators, message):
    config = f'<config key="resistance" value="{R}"/><config key="motorconst" value="{K}"/>'
    with pytest.raises(ValueError, match=message):
        mujoco.MjModel.from_xml_string(f"""
            <mujoco>
              <extension>
                <plugin plugin="{DcMotor.name}">
                  <instance name="m">{config}<config key="inductance" value="1"/></instance>
                </plugin>
              </extension>
              <worldbody><body><joint name="j"/><geom size="0.1"/></body></worldbody>
              <actuator>{actuators}</actuator>
            </mujoco>
        """)
