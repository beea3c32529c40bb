from __future__ import annotations

import pytest

from .faults import BUSY_WARNINGS, log_entries
from .harness import PENDULUM, Process, refusal_at_start, wait_until

pytestmark = pytest.mark.slow


def warnings(process: Process) -> list[str]:
    """Returns the warnings so far, without those of a busy machine."""
    entries = log_entries(process, 'WARN')
    return [each for each in entries if not any(text in each for text in BUSY_WARNINGS)]


@pytest.mark.parametrize(
    ('parameters', 'said'),
    [
        ({'realtime': float('nan')}, 'realtime must be finite (-1 or at least 0.01), got nan'),
        ({'unpause': 'maybe'}, "unpause must be true or false, got 'maybe'"),
        ({'mujoco_xml': 3}, 'mujoco_xml must be a string (in quotes, because YAML reads'),
        (
            {'report_interval': 2**63},
            'report_interval must be 0 or at least 0.1 and at most 86400',
        ),
        ({'num_steps': 2**63}, 'num_steps must be a whole number, got 9.22'),
        ({'MujocoPlugins': 'arm'}, 'MujocoPlugins must be a list of structs, or a struct whose'),
        ({'modelfile': 'package://no_such_pkg/arm.xml'}, "no package 'no_such_pkg'"),
    ],
    ids=lambda value: '' if isinstance(value, str) else '='.join(map(str, *value.items())),
)
def test_a_bad_value_at_the_start_is_one_clear_line_and_exit_code_2(
    tmp_path, domain, parameters, said
):
    line = refusal_at_start(tmp_path, domain, parameters)

    assert '\n' not in line
    assert said in line


def test_parameters_that_ros_cannot_parse_are_one_clear_line_too(tmp_path, domain):
    said = refusal_at_start(tmp_path, domain, {'modelfile': ['a list of', 2, 'types']})

    assert 'parameters.yaml' in said


def test_a_native_list_of_structs_of_mixed_types_is_refused_with_what_to_write(tmp_path, domain):
    structs = [{'type': 'a/First', 'gain': 1.5}, {'type': 'a/Second', 'gain': 2}]

    said = refusal_at_start(tmp_path, domain, {'MujocoPlugins': structs})

    assert 'parameters.yaml' in said
    assert 'write it as a block of text' in said


def test_numbers_may_be_written_as_either_type_and_unknown_parameters_are_reported(start):
    process, client = start({'mujoco_xml': PENDULUM, 'realtime': 2, 'realtiem': 2.0})

    assert client.get_parameter('realtime').double_value == 2.0
    (warning,) = warnings(process)
    assert "unknown parameter 'realtiem' (did you mean 'realtime'?)" in warning


def test_without_a_model_the_server_warns_once_and_simulates_an_empty_world(start):
    process, client = start({})

    (warning,) = warnings(process)
    assert 'neither modelfile nor mujoco_xml is set: simulating an empty world' in warning
    assert 'loaded an empty world: 1 bodies, 0 joints, 0 actuators' in process.output
    wait_until(lambda: int(client.diagnostics()['simulation'][2]['steps']) > 0, 'steps')
    assert client.trigger('reset').success


def test_with_the_file_of_a_model_there_is_nothing_to_warn_of(start, tmp_path):
    (tmp_path / 'pendulum.xml').write_text(PENDULUM)

    process, _ = start({'modelfile': str(tmp_path / 'pendulum.xml')})

    assert warnings(process) == []
