import json

import pytest

from mujoco_ros_py.errors import ConfigError, SweepError
from mujoco_ros_py.sweep.outcome import Outcome
from mujoco_ros_py.sweep.result_table import columns_of
from mujoco_ros_py.sweep.run_spec import RunSpec
from mujoco_ros_py.sweep.scenario_file import read_scenarios, runs_of
from mujoco_ros_py.sweep.sweep_command import run
from mujoco_ros_py.sweep.sweep_folder import SweepFolder
from mujoco_ros_py.sweep.value_places import model_of, put_into_plugins

from .sweep_states import ROD

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
    """Returns a function that reads a file, with what is added to it, and returns its runs."""
    (tmp_path / 'rod.xml').write_text(ROD)

    def read(more: str = GAIN, text: str = FILE) -> list[RunSpec]:
        path = tmp_path / 'scenarios.yaml'
        path.write_text(text + more)
        return runs_of(read_scenarios(path), path)

    return read


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
        (GAIN + 'measures: {m: "tim > "}', 'measures.m is no expression'),
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
        ('time > 0.5', '{}', 'function or test must be given'),
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
        ('rod.pos', 'may mean several elements; name one of: body:rod.pos, geom:rod.pos'),
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
    assert run([str(tmp_path / 'scenarios.yaml'), '--list']) == 0
    assert capsys.readouterr().out == '0000 gain=1.5\n0001 gain=2\n'
    assert run([str(tmp_path / 'none.yaml')]) == 2
    assert run([]) == 2
    assert run(['--repeat', str(tmp_path)]) == 2
    assert 'a kept run has it' in capsys.readouterr().err


def test_a_folder_is_gone_on_with_and_keeps_what_a_kill_has_left(runs, tmp_path):
    specs, place = runs(), tmp_path / 'out'
    folder = SweepFolder(place, specs, resume=False)
    folder.add(specs[0], Outcome(number=0, verdict='failed'), {'server.log': b'told'})
    folder.close()
    with (place / 'outcomes.jsonl').open('a') as journal:
        journal.write('{"number": 1, "verd')  # a kill while it was written

    with pytest.raises(SweepError, match='--resume goes on with it'):
        SweepFolder(place, specs, resume=False)
    again = SweepFolder(place, specs, resume=True)
    assert again.outcomes == {0: Outcome(number=0, verdict='failed')}
    again.add(specs[1], Outcome(number=1, verdict='passed'), {})
    again.close()
    assert (place / 'runs/0000/server.log').read_bytes() == b'told'
    assert [json.loads(line)['number'] for line in (place / 'outcomes.jsonl').open()] == [0, 1]
    with pytest.raises(SweepError, match='of other scenarios'):
        SweepFolder(place, specs[:1], resume=True)


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
