import json
import os
import sys
from dataclasses import replace

import pytest
from PIL import Image

from mujoco_ros_py.builtin.controllers.drive.drive_config import Gains
from mujoco_ros_py.command_line import run
from mujoco_ros_py.config.dotted_names import entries
from mujoco_ros_py.errors import ConfigError, SweepError
from mujoco_ros_py.sweep.controller_processes import refused_whole
from mujoco_ros_py.sweep.finished_run import write_finished
from mujoco_ros_py.sweep.full_sweep import check_start
from mujoco_ros_py.sweep.judgement import main
from mujoco_ros_py.sweep.outcome import Outcome, columns_of
from mujoco_ros_py.sweep.run_spec import RunSpec
from mujoco_ros_py.sweep.scenario_file import read_scenarios, runs_of
from mujoco_ros_py.sweep.sweep_folder import SweepFolder
from mujoco_ros_py.sweep.sweep_sources import changes
from mujoco_ros_py.sweep.value_places import model_of, of_place, put_into_plugins
from mujoco_ros_py.testing import serve

from .sweep_states import ROD

SOURCES = {'mujoco': '4.0.0', 'the model': 'aa', 'run.py': 'bb'}
FILE = """
model: rod.xml
plugins:
  - {type: mujoco_ros_py/JointController, name: hold, stiffness: 1.0}
  - {namespace: left, plugins: [{type: mujoco_ros_py/JointController, name: hold}]}
parameters: {joint_states_rate: 50.0}
controller: ["{python}", run.py, "--gain={gain}"]
until: {time: 1.0}
success: time > 0.5
"""
GAIN = 'vary: {gain: [1.5, 2.0]}\n'


@pytest.fixture
def runs(tmp_path):
    """Returns a function that reads a file with additional lines, and returns its runs."""
    (tmp_path / 'rod.xml').write_text(ROD)

    def read(more: str = GAIN, text: str = FILE) -> list[RunSpec]:
        path = tmp_path / 'scenarios.yaml'
        path.write_text(text + more)
        return runs_of(read_scenarios(path), path)

    return read


def test_parameters_that_controllers_declare_as_doubles_are_written_as_doubles(runs):
    [spec] = runs('vary: {gain: [1], points: [[-1, 2]], name: [a1]}\n')
    given = replace(spec, doubles=['gain', 'points']).commands('py')[0]
    assert [word for word in given if ':=' in word] == [
        'use_sim_time:=true', 'gain:=1.0', 'points:=[-1.0, 2.0]', 'name:="a1"',
    ]  # fmt: skip
    assert given[2] == '--gain=1'


def test_what_nodes_say_of_whole_numbers_for_doubles_is_read_from_their_logs(tmp_path):
    (tmp_path / 'controller_0.log').write_text(
        "Trying to set parameter 'gain' to 'array('q', [1])' of type 'INTEGER_ARRAY', expecting"
        " type 'DOUBLE_ARRAY'\n"
        "Trying to set parameter 'name' to '1' of type 'INTEGER', expecting type 'STRING'\n"
    )
    (tmp_path / 'controller_1.log').write_text(
        "  what():  parameter 'points' has invalid type: Wrong parameter type, parameter {points}"
        ' is of type {double_array}, setting it to {integer_array} is not allowed.\n'
    )
    assert refused_whole(tmp_path) == {'gain', 'points'}


def test_controllers_get_the_values_as_words_variables_and_ros_parameters(runs):
    _, spec = runs('vary: {gain: [1.5, 2.0], rod.mass: [3.0]}\n')
    assert spec.commands('py') == [
        ['py', 'run.py', '--gain=2.0', '--ros-args', '-p', 'use_sim_time:=true', '-p', 'gain:=2.0']
    ]
    told = spec.environment()
    assert (told['SWEEP_GAIN'], told['SWEEP_ROD_MASS'], told['SWEEP_RUN']) == ('2.0', '3.0', '1')
    assert json.loads(told['SWEEP_VALUES']) == {'gain': 2.0, 'rod.mass': 3.0}


def test_a_run_is_the_same_after_it_was_written(runs):
    (spec, _) = runs()
    assert RunSpec.from_written(json.loads(json.dumps(spec.as_written()))) == spec


def test_values_go_into_the_model_by_the_names_of_elements(runs):
    (spec,) = runs(
        'vary: {gain: [1], floor.friction: [0.3], geom:rod.mass: [2.5], option.timestep: [0.001]}'
    )
    model = model_of(spec)
    assert model.find('geom', 'floor').friction[0] == 0.3
    assert model.find('geom', 'rod').mass == 2.5
    assert model.option.timestep == 0.001


def test_values_go_to_joints_with_dots_in_their_names(runs, tmp_path):
    (tmp_path / 'arm.xml').write_text(ROD.replace('hinge', 'arm.1'))
    values = 'arm.1.damping: [0.5], plugins.hold.gains.arm.1.p: [7.0], positions.arm.1: [0.2]'
    (spec,) = runs(f'vary: {{gain: [1], {values}}}', FILE.replace('rod.xml', 'arm.xml'))
    assert model_of(spec).find('joint', 'arm.1').damping == 0.5
    assert of_place(spec, 'positions') == {'arm.1': 0.2}
    gains = put_into_plugins(spec)[0]['gains']
    assert entries(Gains, 'gains', gains) == {'arm.1': {'p': 7.0}}


def test_a_joint_that_the_model_does_not_have_is_refused_before_the_first_run(runs, tmp_path):
    file = tmp_path / 'scenarios.yaml'
    (spec,) = runs('vary: {gain: [1], positions.hing: [0.2]}')
    with pytest.raises(ConfigError, match="position of unknown joint 'hing'; known: hinge"):
        check_start(spec, file)
    (spec,) = runs('vary: {gain: [1], velocities.hinge: [[0.2, 0.3]]}')
    with pytest.raises(ConfigError, match="hinge joint 'hinge': it needs 1 values, got 2"):
        check_start(spec, file)


@pytest.mark.parametrize('success', ['time', 'qpos', "joint('hinge').position + 1"])
def test_a_success_that_is_a_number_is_refused_before_the_first_run(runs, tmp_path, success):
    (spec,) = runs('vary: {gain: [1]}', FILE.replace('time > 0.5', success))
    with pytest.raises(ConfigError, match='success must be true or false, got '):
        check_start(spec, tmp_path / 'scenarios.yaml')


@pytest.mark.parametrize(
    'answer', ['0.3', 'None', '(5, "why")', 'run.state.qpos', '(True, "", 1)']
)
def test_a_function_that_does_not_return_whether_a_run_has_passed_is_refused(
    runs, tmp_path, capsys, monkeypatch, answer
):
    module = f'judge_{len(answer)}'
    (tmp_path / f'{module}.py').write_text(f'def judge(run):\n    return {answer}\n')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, 'path', [*sys.path])
    (spec,) = runs('vary: {gain: [1]}')
    with serve(ROD, recording_s=0) as server:
        write_finished(tmp_path, spec, server.model, server.state, {})
    assert main(str(tmp_path), f'{module}:judge') == 2
    told = capsys.readouterr().out
    assert told.startswith(f'{module}:judge must return a bool, or a pair of')


def test_values_go_into_plugins_also_of_groups(runs):
    (spec,) = runs('vary: {gain: [1], plugins.hold.stiffness: [7.0], plugins.left/hold.a.b: [3]}')
    hold, group = put_into_plugins(spec)
    assert hold['stiffness'] == 7.0
    assert group['plugins'][0]['a'] == {'b': 3}


@pytest.mark.parametrize(
    ('more', 'message'),
    [
        ('', "controller: unknown value 'gain'; known: python"),
        (
            'vary: {gain: [1], plugins.grab.a: [1]}',
            "unknown plugin 'grab'; known: hold, left/hold",
        ),
        ('vary: {gain: [1], parameters.relatime: [1]}', "did you mean 'realtime'"),
        ('vary: {gain: [1], "a b": [1]}', 'the name of a value must be a word'),
        (GAIN + 'measures: {m: "tim > "}', 'measures.m is not an expression'),
        (GAIN + 'check_period: 0.0', 'check_period must be greater than 0'),
        (GAIN + 'retry: 1', "unknown parameter 'retry' (did you mean 'retries'?)"),
        (GAIN + 'keep: some', 'keep must be one of failures, all, nothing'),
    ],
)
def test_what_is_wrong_with_a_file_is_told_with_its_place(runs, more, message):
    with pytest.raises(ConfigError) as error:
        runs(more)
    assert message in str(error.value)
    assert 'scenarios.yaml' in str(error.value)


@pytest.mark.parametrize(
    ('old', 'new', 'message'),
    [
        ('rod.xml', 'rad.xml', 'no such file'),
        ('joint_states_rate', 'joint_state_rate', "did you mean 'joint_states_rate'"),
        ('joint_states_rate: 50.0', 'num_steps: 5', 'parameters.num_steps must not be given'),
        ('time > 0.5', '{function: judge}', 'function must be module:function'),
        ('time > 0.5', '{test: "none.py::test"}', 'none.py: no such file'),
        ('time > 0.5', '{}', 'exactly one of function and test must be given'),
        ('{time: 1.0}', '{time: -1.0}', 'until.time must be greater than 0'),
        ('{time: 1.0}', '{}', 'until.time must be given'),
    ],
)
def test_other_mistakes_are_told_too(runs, old, new, message):
    with pytest.raises(ConfigError) as error:
        runs(text=FILE.replace(old, new))
    assert message in str(error.value)


@pytest.mark.parametrize(
    ('name', 'message'),
    [
        ('flor.friction', "unknown element 'flor'"),
        ('floor.frictio', "no element 'floor' (geom) has 'frictio'"),
        ('rod.pos', 'is ambiguous; use one of: body:rod.pos, geom:rod.pos'),
        ('floor.size', 'size must be'),
    ],
)
def test_a_name_that_is_no_element_of_the_model_is_told(runs, name, message):
    (spec,) = runs(f'vary: {{gain: [1], {name}: [[1, 2, 3, 4]]}}')
    with pytest.raises(ConfigError) as error:
        model_of(spec)
    assert message in str(error.value)


def test_the_command_tells_what_cannot_be_done_by_its_exit_status(runs, tmp_path, capsys):
    runs()
    assert run(['sweep', str(tmp_path / 'scenarios.yaml'), '--list']) == 0
    assert capsys.readouterr().out == '0000 gain=1.5\n0001 gain=2\n'
    assert run(['sweep', str(tmp_path / 'none.yaml')]) == 2
    assert run(['sweep']) == 2
    assert run(['sweep', '--repeat', str(tmp_path)]) == 2
    assert 'each kept run has this file' in capsys.readouterr().err


def test_a_folder_is_gone_on_with_and_keeps_what_a_kill_has_left(runs, tmp_path):
    specs, place = runs(), tmp_path / 'out'
    folder = SweepFolder(place, specs, SOURCES, resume=False)
    folder.add(specs[0], Outcome(number=0, verdict='failed'), {'server.log': b'told'})
    folder.close()
    with (place / 'outcomes.jsonl').open('a') as journal:
        journal.write('{"number": 1, "verd')  # the sweep was killed while it wrote this line

    with pytest.raises(SweepError, match='use --resume to continue it'):
        SweepFolder(place, specs, SOURCES, resume=False)
    again = SweepFolder(place, specs, SOURCES, resume=True)
    assert again.outcomes == {0: Outcome(number=0, verdict='failed')}
    again.add(specs[1], Outcome(number=1, verdict='passed'), {})
    again.close()
    assert (place / 'runs/0000/server.log').read_bytes() == b'told'
    assert [json.loads(line)['number'] for line in (place / 'outcomes.jsonl').open()] == [0, 1]
    with pytest.raises(SweepError, match='of other scenarios'):
        SweepFolder(place, specs[:1], SOURCES, resume=True)
    now = {**SOURCES, 'mujoco': '4.0.1', 'run.py': 'dd', 'new.py': 'ee'}
    told = r'older runs; changed since then: mujoco \(4.0.0, now 4.0.1\), run.py, new.py; use -o'
    with pytest.raises(SweepError, match=told):
        SweepFolder(place, specs, now, resume=True)
    about = place / 'sweep.json'
    about.write_text(about.read_text()[:10])
    with pytest.raises(SweepError, match=r'sweep.json is not complete; remove .*, or use -o'):
        SweepFolder(place, specs, SOURCES, resume=True)


JUDGED = FILE.replace('time > 0.5', '{test: "judge.py::test_it"}')


@pytest.mark.parametrize('changed', ['rod.xml', 'rod.png', 'run.py', 'judge.py', None])
def test_the_sources_of_a_sweep_have_all_that_its_outcomes_depend_on(runs, tmp_path, changed):
    texture = '<asset><texture file="rod.png" type="2d" name="t"/></asset><worldbody>'
    (tmp_path / 'rod.xml').write_text(ROD.replace('<worldbody>', texture))
    Image.new('RGB', (4, 4)).save(tmp_path / 'rod.png')
    for name in ('run.py', 'judge.py'):
        (tmp_path / name).write_text('')
    file = tmp_path / 'scenarios.yaml'
    spec, _ = runs(text=JUDGED)
    before = check_start(spec, file)
    if changed == 'rod.xml':
        (tmp_path / changed).write_text((tmp_path / changed).read_text().replace('"1"', '"2"'))
    elif changed == 'rod.png':
        Image.new('RGB', (4, 4), 'red').save(tmp_path / 'rod.png')
        os.utime(tmp_path / 'rod.png', (0, 0))  # MuJoCo notices changes by the time of a file
    elif changed:
        (tmp_path / changed).write_text('import sys')
    told = {'rod.xml': 'the model', 'rod.png': 'the model'}.get(changed, f'{tmp_path}/{changed}')
    assert changes(before, check_start(spec, file)) == ([told] if changed else [])
    assert {'mujoco', 'mujoco_ros_py', 'Python'} < set(before)


def test_a_column_has_one_type():
    columns = columns_of(
        [
            Outcome(number=1, verdict='passed', values={'a': 1, 'b': 'word', 'c': [1, 2]}),
            Outcome(number=0, verdict='passed', values={'a': 0.5, 'b': 2}, measures={'m': 1.0}),
        ]
    )
    assert columns['number'] == [0, 1]
    assert columns['value.a'] == [0.5, 1.0]
    assert columns['value.b'] == ['2', '"word"']
    assert columns['value.c'] == [None, '[1, 2]']
    assert columns['measure.m'] == [1.0, None]
