"""A robot of known values is identified from its recording, and doubtful results are named."""

from __future__ import annotations

import numpy as np
import pytest

from mujoco_ros_py.errors import ConfigError

known = pytest.importorskip('known_robot', reason='mcap or rosbags is not installed')
pytest.importorskip('mujoco.sysid', reason='mujoco[sysid] is not installed')
parameter_file = pytest.importorskip('mujoco_ros_py.identification.parameter_file')
identification = pytest.importorskip('mujoco_ros_py.identification')


ALL = 'shoulder', 'elbow', 'lower'


def fit(folder, text='', *, files=None, model=None, plugins='', **given):
    """The result of an identification with a file of parameters."""
    parameters = folder / 'parameters.yaml'
    parameters.write_text(text or '{}')
    question = parameter_file.read_question(
        files or [folder / 'run.mcap'],
        model or known.write_model(folder / 'robot.xml'),
        plugins=plugins, parameters=parameters, **given,
    )  # fmt: skip
    return identification.identify(question)


def by_name(result):
    return {each.name: each for each in result.parameters}


@pytest.fixture(scope='module')
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp('known')
    known.record(made / 'run.mcap', length=12.0)
    return made


def test_values_and_delay_are_those_of_the_robot(folder):
    result = fit(folder, fit=('friction', 'armature', 'masses', 'delays'), only=ALL)
    found = by_name(result)
    true = {**dict(zip(known.NAMES, known.KNOWN, strict=True)), 'delay of commands': 0.004}
    assert set(found) == set(true)
    for name, value in true.items():
        each = found[name]
        width = each.high - each.low
        assert each.identifiable, name
        assert each.low - width / 2 <= value <= each.high + width / 2, name  # 99.9 %
        assert width < 0.2 * value, name
    assert result.directions == ()
    (held,) = [each for each in result.sequences if each.sequence.held_out]
    assert held.error_after < 1.3 < 10.0 < held.error_before
    assert result.noise[held.traces[0].source] == pytest.approx(2e-4, rel=0.1)


@pytest.mark.slow
def test_a_fit_of_too_little_is_named(folder):
    result = fit(folder, fit=('armature',))
    assert any('the model lacks an effect' in each for each in result.warnings)


@pytest.mark.slow
def test_what_only_scales_together_is_named_with_a_direction(folder):
    result = fit(folder, fit=('friction', 'armature', 'inertia', 'actuators'))
    assert result.directions
    assert all(each.weights and each.advice for each in result.directions)
    assert not all(each.identifiable for each in result.parameters)


@pytest.mark.parametrize(
    ('text', 'reason'),
    [
        ('{fit: [frictions]}', 'frictions'),
        ('{fit: [friction], only: [wrist]}', 'no element matches wrist'),
        ('{fit: [friction], only: [elbow, wrist]}', "'wrist' matches no element"),
        ('{}', 'nothing to fit'),
        ('{values: {wrist.damping: {}}}', "unknown element 'wrist'"),
        ('{values: {elbow.colour: {}}}', "'colour'"),
        ('{values: {upper.size: {}}}', 'must be one number'),
        ('{values: {elbow.stiffness: {}}}', 'bounds must be given'),
        ('{values: {elbow.armature: {bounds: [1, 2]}}}', 'initial must be from 1 to 2'),
        ('{values: {elbow.armature: {bounds: [2, 1]}}}', 'bounds must be a smaller and a larger'),
        ('{values: {elbow.armature: {bounds: [0, 1], scale: log}}}', 'log needs positive bounds'),
        ('{values: {elbow.armature: {prior: {mean: 1, stddev: 0}}}}', 'stddev'),
        ('{values: {arms: {of: [elbow.armature]}, elbow.armature: {}}}', 'both set'),
        ('{fit: [masses, inertia]}', 'both set upper'),
        ('{fitt: [friction]}', "unknown key 'fitt' (did you mean 'fit'?)"),
        ('{fit: [friction], goals: {/a: arm}}', 'goals needs --plugins'),
        ('{fit: [friction], horizon: -1}', 'horizon'),
    ],
)
def test_wrong_parameters_are_refused_with_place_and_rule(folder, text, reason):
    with pytest.raises(ConfigError) as error:
        fit(folder, text)
    assert reason in str(error.value)


@pytest.mark.slow
def test_ties_priors_and_bounds(folder):
    result = fit(
        folder,
        'values:\n'
        '  dampings: {of: [shoulder.damping, elbow.damping], bounds: [0.1, 5]}\n'
        '  elbow.armature: {bounds: [0.001, 0.021]}\n'
        '  shoulder.armature: {prior: {mean: 0.06, stddev: 1.0e-7}}\n',
    )
    found = by_name(result)
    assert len({result.edits[f'{each}.damping[0]'] for each in ('shoulder', 'elbow')}) == 1
    assert found['elbow.armature'].at_bound
    assert found['shoulder.armature'].after == pytest.approx(0.06, abs=1e-5)
    assert any('elbow.armature is at a bound' in each for each in result.warnings)


def test_an_offset_of_an_encoder_is_told_from_gravity(tmp_path):
    known.record(tmp_path / 'run.mcap', known.NOMINAL, offset=0.03)
    found = by_name(fit(tmp_path, fit=('offsets', 'delays')))
    assert found['offset of elbow'].after == pytest.approx(0.03, abs=2e-3)
    assert found['offset of shoulder'].after == pytest.approx(0.0, abs=2e-3)


@pytest.mark.slow
@pytest.mark.parametrize('rate', [10.0, 500.0])
def test_rates_of_states(tmp_path, rate):
    known.record(tmp_path / 'run.mcap', rate=rate, length=10.0)
    found = by_name(fit(tmp_path, fit=('friction', 'armature', 'masses', 'delays'), only=ALL))
    for name, value in zip(known.NAMES, known.KNOWN, strict=True):
        width = found[name].high - found[name].low
        assert found[name].after == pytest.approx(value, abs=width), name  # 4 deviations


@pytest.mark.slow
def test_quantised_encoders_do_not_bias_the_fit(tmp_path):
    known.record(tmp_path / 'run.mcap', quantum=1e-3)
    result = fit(tmp_path, fit=('friction', 'armature', 'masses', 'delays'), only=ALL)
    found = by_name(result)
    for name, value in zip(known.NAMES, known.KNOWN, strict=True):
        assert found[name].after == pytest.approx(value, rel=0.1), name
    assert np.all(np.isfinite([each.low for each in result.parameters]))


@pytest.mark.slow
def test_intervals_of_a_base_on_its_wheels_are_not_claimed_where_contacts_jump(tmp_path):
    rover = known.ROVER
    known.record_rover(tmp_path / 'run.mcap')
    result = fit(
        tmp_path, model=rover, fit=('friction', 'armature', 'masses'), only=('*_wheel', 'base*')
    )
    jumps = [each for each in result.warnings if 'changes in jumps' in each]
    found = by_name(result)
    assert bool(jumps) == (not any(each.identifiable for each in result.parameters))
    assert jumps or found['left_wheel.damping'].low < 0.14 < found['left_wheel.damping'].high
    assert found['left_wheel.damping'].after == pytest.approx(0.14, rel=0.2)
