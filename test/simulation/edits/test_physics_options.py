"""Physics options are set in MJCF's notation, all or none, and plugins are notified."""

from __future__ import annotations

import re

import mujoco
import pytest

from mujoco_ros_py.simulation import Edit, ModelChange, Option, read_options
from mujoco_ros_py.simulation.edits import set_options

MUJOCO_3 = mujoco.__version__.startswith('3.')
FIXED = {'timestep', 'flag/sleep', 'flag/ipc'} | (set() if MUJOCO_3 else {'flag/speculative'})
FOR_IPC = 'solver="CG"' if MUJOCO_3 else ''
"""What ipc needs beside the discrete integrator."""


@pytest.fixture
def model():
    return mujoco.MjModel.from_xml_string('<mujoco/>')


def change(model: mujoco.MjModel, **values: str) -> Edit:
    edit = Edit()
    given = [Option(name.replace('__', '/'), value) for name, value in values.items()]
    set_options(model, given, edit)
    return edit


def test_all_options_are_those_of_the_model_and_can_be_set_to_what_they_are(model):
    found = read_options(model)
    assert {each.name for each in found} > FIXED | {'gravity', 'o_solref', 'actuatorgroupdisable'}
    edit = Edit()
    set_options(model, [each for each in found if each.name not in FIXED], edit)
    assert edit.refused == []
    assert read_options(model) == found


def test_values_of_each_kind_are_what_mjcf_makes_of_them(model):
    values = {
        'gravity': '1 2.5 -3', 'integrator': 'RK4', 'solver': 'CG', 'cone': 'elliptic',
        'iterations': '7', 'density': '1.2', 'actuatorgroupdisable': '0 5',
    }  # fmt: skip
    flags = {'contact': 'disable', 'energy': 'enable'}
    edit = change(model, **values, **{f'flag__{flag}': value for flag, value in flags.items()})
    assert edit.refused == []
    attributes, inner = (
        ' '.join(f'{name}="{value}"' for name, value in each.items()) for each in (values, flags)
    )
    written = f'<mujoco><option {attributes}><flag {inner}/></option></mujoco>'
    assert read_options(model) == read_options(mujoco.MjModel.from_xml_string(written))
    assert edit.changes == [ModelChange('gravity'), ModelChange('option')]
    assert change(model, flag__gravity='disable').changes == [ModelChange('gravity')]


@pytest.mark.parametrize(
    ('name', 'value', 'told'),
    [
        (
            'grvity',
            '0 0 0',
            r"unknown option 'grvity' \(did you mean 'gravity'\?\); known: act",
        ),
        ('gravity', '0 0', "must have 3 numbers, got '0 0'"),
        ('gravity', '0 0 nan', "must be finite, got '0 0 nan'"),
        ('gravity', 'down', "must be numbers, got 'down'"),
        ('density', '-1', 'must be finite and >= 0'),
        ('impratio', '0', 'must be finite and > 0'),
        ('iterations', '1e3', "must be 0 to 1000000, got '1e3'"),
        ('iterations', '9999999999999999', 'must be 0 to 1000000'),
        ('iterations', '', 'must have 1 numbers'),
        ('actuatorgroupdisable', '31', 'must be 0 to 30'),
        ('cone', 'round', "must be one of pyramidal, elliptic, got 'round'"),
        ('flag__contact', 'off', "must be one of enable, disable, got 'off'"),
        ('timestep', '0.1', 'cannot be set while the model runs: sensors, noise and delays'),
        (
            'flag__sleep',
            'enable',
            'cannot be set while the model runs: the data is allocated for it',
        ),
        ('integrator', 'discrete', 'cannot become discrete while the model runs with Euler'),
    ],
)
def test_one_wrong_option_keeps_the_others_from_being_set(model, name, value, told):
    if (name, value) == ('integrator', 'discrete') and not hasattr(
        mujoco.mjtIntegrator, 'mjINT_DISCRETE'
    ):
        pytest.skip('this version of MuJoCo has no such integrator')
    before = read_options(model)
    edit = change(model, viscosity='5', **{name: value})
    assert re.search(told, edit.refused[0])
    assert edit.refused[1:] == ['nothing was set']
    assert (edit.done, edit.changes) == ([], [])
    assert read_options(model) == before


@pytest.mark.skipif(
    not hasattr(mujoco.mjtIntegrator, 'mjINT_DISCRETE'),
    reason='this version of MuJoCo has no integrator that others do not fit',
)
@pytest.mark.parametrize(
    ('flags', 'values'),
    [
        ('ipc="enable"', {'solver': 'PGS'}),
        ('ipc="enable"', {'flag__fwdinv': 'enable'}),
        ('sleep="enable"', {'flag__island': 'disable'}),
    ],
)
def test_options_with_which_the_model_would_make_no_step_are_not_set(flags, values):
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><option integrator="discrete" {FOR_IPC}><flag {flags}/></option></mujoco>'
    )
    before = read_options(model)
    edit = change(model, iterations='7', **values)
    assert 'the model cannot step with these options: mj_check' in edit.refused[0]
    assert edit.refused[1:] == ['nothing was set']
    assert read_options(model) == before
    mujoco.mj_step(model, mujoco.MjData(model))


def test_two_options_that_do_not_fit_each_other_are_not_set():
    model = mujoco.MjModel.from_xml_string(
        '<mujoco><option integrator="RK4"/><worldbody><body pos="0 0 0.05"><freejoint/>'
        '<geom size="0.1"/></body><geom type="plane" size="1 1 1"/></worldbody></mujoco>'
    )
    assert change(model, flag__invdiscrete='enable').refused == []
    edit = change(model, flag__fwdinv='enable')
    assert 'not supported by RK4 integrator' in edit.refused[0]
    assert change(model, integrator='Euler', flag__fwdinv='enable').refused == []


def test_an_option_is_given_once(model):
    edit = Edit()
    set_options(model, [Option('density', '1'), Option('density', '2')], edit)
    assert edit.refused == ['option density must be given only once', 'nothing was set']
