"""Compares mujoco_ros_py.pid with mujoco.pid, MuJoCo's C++ plugin."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.engine.engine_plugins import register
from mujoco_ros_py.engine.engine_plugins.shipped.pid import Pid

from .models import arm, assert_as_in_c, assert_replays, behind_another, run

STEPS = 1000
ACTUATORS = 5
CASES = {
    'nothing': ({}, ''),
    'pd': ({'kp': 40, 'kd': 2}, ''),
    'pid': ({'kp': 40, 'ki': 20, 'kd': 2}, 'actdim="1"'),
    'imax': ({'kp': 40, 'ki': 20, 'kd': 2, 'imax': 1}, 'actdim="1"'),
    'slewmax': ({'kp': 40, 'kd': 2, 'slewmax': 0.5}, 'actdim="1"'),
    'all': ({'kp': 40, 'ki': 20, 'kd': 2, 'imax': 1, 'slewmax': 0.5}, 'actdim="2"'),
    'a range of controls': ({'kp': 40, 'ki': 5}, 'actdim="1" ctrlrange="-0.2 0.3"'),
    'a filter': ({'kp': 40, 'ki': 5}, 'actdim="2" dyntype="filterexact" dynprm="0.1"'),
    'an early integrator': (
        {'kp': 40, 'ki': 5, 'kd': 2, 'slewmax': 2},
        'actdim="3" dyntype="integrator" actearly="true" actrange="-1 1"',
    ),
}  # fmt: skip


@pytest.fixture(scope='module', autouse=True)
def registered():
    register(Pid)


@pytest.mark.slow
@pytest.mark.parametrize('case', CASES)
def test_it_is_bit_identical_to_the_original(case):
    config, extra = CASES[case]
    ours, theirs = (
        arm(plugin, config, joints=ACTUATORS, extra=extra) for plugin in (Pid.name, 'mujoco.pid')
    )
    rows = [
        run(model, mujoco.MjData(model), STEPS)[:, : model.nq + model.na]
        for model in (ours, theirs)
    ]
    assert np.ptp(rows[0]) > 0.1
    assert_as_in_c(*rows)


def test_a_state_saved_at_step_500_and_restored_replays_bitwise():
    config = {'kp': 40, 'ki': 20, 'kd': 2, 'imax': 1, 'slewmax': 2}
    model = arm(Pid.name, config, joints=3, extra='actdim="2"')
    data = mujoco.MjData(model)
    run(model, data, 500)
    assert_replays(model, data, 500)


def test_its_control_and_force_are_found_behind_an_actuator_of_several_controls():
    model = behind_another(Pid.name, {'kp': 10}, 'ctrlrange="-3 3"')
    data = mujoco.MjData(model)
    data.ctrl[:] = 1.0, 2.0, 4.0
    mujoco.mj_forward(model, data)
    assert data.actuator_force[-1] == 30.0


@pytest.mark.parametrize(
    ('config', 'extra', 'message'),
    [
        ({'imax': -1}, '', "imax must be a number at least 0, got '-1'"),
        ({'slewmax': 'fast'}, '', "slewmax must be a number at least 0, got 'fast'"),
        ({'ki': 1}, '', 'must have actdim 1, got 0'),
        ({'ki': 1, 'slewmax': 1}, 'actdim="1"', 'must have actdim 2, got 1'),
    ],
)
def test_what_cannot_work_is_an_error_of_the_compiler(config, extra, message):
    with pytest.raises(ValueError, match=f'engine plugin {Pid.name}, instance 0: .*{message}'):
        arm(Pid.name, config, extra=extra)


def test_an_instance_of_two_actuators_is_refused():
    with pytest.raises(ValueError, match='must drive one actuator, got 2'):
        mujoco.MjModel.from_xml_string(f"""
            <mujoco>
              <extension><plugin plugin="{Pid.name}"><instance name="both"/></plugin></extension>
              <worldbody><body><joint name="j"/><geom size="0.1"/></body></worldbody>
              <actuator>
                <plugin joint="j" instance="both"/><plugin joint="j" instance="both"/>
              </actuator>
            </mujoco>
        """)
