"""Whatever a model does, the server runs on, answers and keeps to its limits.

`HOSTILE_MODELS=1000` tries so many of each kind by reload, `HOSTILE_STARTS=1000` at the start; see
docs/development/tests.md.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .harness import PENDULUM, Client, Process, server_process
from .hostile_models import damaged, hostile

pytestmark = pytest.mark.nightly

COUNT = int(os.environ.get('HOSTILE_MODELS', '50'))
STARTS = int(os.environ.get('HOSTILE_STARTS', max(2, COUNT // 50)))
MIB = 2**20
MEMORY_MIB = 512
TIME_S = 4.0
LIMITS = {'model_memory_limit': MEMORY_MIB, 'model_time_limit': TIME_S}
OUTCOMES = {
    'took longer': 'limit of time',
    'model_memory_limit is': 'limit of memory',
    'its process died': 'died',
}
Make = Callable[[int, Path], Path]


def outcome(success: bool, message: str) -> str:
    """What became of a model."""
    if success:
        return 'accepted'
    return next((told for sign, told in OUTCOMES.items() if sign in message), 'refused')


def peak_memory(process: Process) -> int:
    """In bytes."""
    status = Path(f'/proc/{process.pid}/status').read_text()
    return next(
        1024 * int(line.split()[1]) for line in status.splitlines() if line.startswith('VmHWM')
    )


def reload(client: Client, **parameters: Any) -> tuple[bool, str]:
    assert client.set_parameters(**parameters)[0].successful
    answer = client.trigger('reload')
    return answer.success, answer.message


@pytest.mark.parametrize('make', [hostile, damaged])
def test_a_server_outlives_the_reloads_of_hostile_models(start, tmp_path, make: Make, request):
    process, client = start({**LIMITS, 'modelfile': _file(tmp_path, PENDULUM)})
    before, outcomes, longest = peak_memory(process), Counter(), 0.0
    for seed in range(COUNT):
        model, begin = make(seed, tmp_path), time.monotonic()
        success, message = reload(client, modelfile=str(model))
        longest = max(longest, time.monotonic() - begin)
        outcomes[outcome(success, message)] += 1
        assert process.running(), f'{model}:\n{process.output}'
        assert success or message.strip(), model
        if success:  # what a damaged model does when it runs on is its own matter
            assert reload(client, modelfile=_file(tmp_path, PENDULUM))[0]
        model.unlink()
    assert reload(client, modelfile=_file(tmp_path, PENDULUM))[0]
    assert client.diagnostics()['simulation'][0] == b'\x00'
    growth = (peak_memory(process) - before) / MIB
    assert growth < 2 * MEMORY_MIB
    told = f'{dict(outcomes)}, longest answer {longest:.1f} s, memory grew by {growth:.0f} MiB'
    request.node.user_properties.append(('figure', told))


@pytest.mark.parametrize('make', [hostile, damaged])
def test_a_start_with_a_hostile_model_is_a_message_and_an_exit_code(domain, tmp_path, make: Make):
    for seed in range(STARTS):
        model = make(seed, tmp_path)
        process = server_process(
            tmp_path, domain, {**LIMITS, 'modelfile': str(model), 'num_steps': 1}
        )
        try:
            code = process.wait()
        finally:
            process.kill()
        assert code in (0, 2), f'{model}: exit code {code}\n{process.output}'
        assert code == 0 or 'mujoco_server: ' in process.output, process.output


def _file(folder: Path, text: str) -> str:
    path = folder / 'good.xml'
    path.write_text(text)
    return str(path)
