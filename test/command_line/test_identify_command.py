"""The command identify writes a fitted model, and its exit code tells whether the model fits."""

from __future__ import annotations

import json

import mujoco
import pytest

from mujoco_ros_py.command_line import run

known = pytest.importorskip('known_robot', reason='mcap or rosbags is not installed')
pytest.importorskip('mujoco.sysid', reason='mujoco[sysid] is not installed')


@pytest.fixture(scope='module')
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp('known')
    known.record(made / 'run.mcap', length=12.0)
    known.write_model(made / 'robot.xml')
    return made


def words(folder, *others):
    return ['identify', str(folder / 'run.mcap'), '--model', str(folder / 'robot.xml'), *others]


def test_the_twin_has_the_values_of_the_robot(folder, capsys):
    parameters = folder / 'parameters.yaml'
    parameters.write_text('only: [shoulder, elbow, lower]')
    given = ['--parameters', str(parameters), '--fit', 'friction', 'armature', 'masses', 'delays']
    twin = folder / 'twin'
    assert run(words(folder, *given, '--max-error', '1', '-o', str(twin))) == 0
    printed = capsys.readouterr().out
    assert 'shoulder.damping' in printed
    assert 'error of 1 held-out sequences: ' in printed
    model = mujoco.MjModel.from_xml_path(str(twin / 'robot.xml'))
    assert model.dof_armature == pytest.approx([0.1, 0.03], rel=0.02)
    assert '<!-- the upper link -->' in (twin / 'robot.xml').read_text()
    assert 'latency: 0.00' in (twin / 'imperfections.yaml').read_text()
    result = json.loads((twin / 'result.json').read_text())
    assert {each['name'] for each in result['parameters']} >= set(known.NAMES)
    assert run(words(folder, *given, '-o', str(twin))) == 2
    assert '--force' in capsys.readouterr().err


def test_a_model_that_does_not_fit_has_the_exit_code_1(folder, capsys):
    given = ['--fit', 'armature', '--max-error', '0.01', '-o', str(folder / 'poor')]
    assert run(words(folder, *given)) == 1
    assert '--max-error is 0.01 %' in capsys.readouterr().err


@pytest.mark.parametrize(
    ('given', 'reason'),
    [
        (['--fit', 'frictions'], "unknown set 'frictions' (did you mean 'friction'?)"),
        (['--fit', 'friction', '--plugins', 'none.yaml'], 'none.yaml'),
        (['--parameters', 'none.yaml'], 'none.yaml'),
        (['--fit', 'friction', '--end', '-3'], 'end'),
    ],
)
def test_bad_input_is_named(folder, capsys, given, reason):
    assert run(words(folder, *given, '-o', str(folder / 'bad'))) == 2
    assert reason in capsys.readouterr().err
    assert not (folder / 'bad').exists()
