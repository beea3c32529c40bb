"""The time of a sweep of short runs, relative to the same servers started by hand."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

from .callback import time_of
from .domains import ENDING_WITH_US, free_domains
from .processes import FOLDER, server_command
from .rounds import LeftOutError, Rounds

_RUNS = 2
"""The number of runs in a round, all in parallel."""
_SWEEP = 50
"""The assumed number of runs in a sweep; the start-up time of Ray is divided by it."""
_TIME_S = 1.0
_TIMESTEP_S = 0.001
_LIBRARIES = 'ray', 'pyarrow', 'plotly', 'rich'


def measure() -> Rounds:
    """Compares the wall time of sweep runs and of plain servers, two at a time.

    Both make the same steps at full speed. The time of the sweep includes a share of Ray's
    start-up time and the evaluation of each run, but not the report.
    """
    if any(find_spec(each) is None for each in _LIBRARIES):
        raise LeftOutError('needs ray: pip install mujoco_ros_py[bench]')
    from mujoco_ros_py.sweep.ray_workers import ray_workers
    from mujoco_ros_py.sweep.scenario_file import read_scenarios, runs_of

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / 'scenarios.yaml'
        file.write_text(json.dumps(_SCENARIOS))  # JSON is YAML
        runs = runs_of(read_scenarios(file), file)
        begin = time.perf_counter()
        with ray_workers(jobs=_RUNS) as workers:
            start_s = (time.perf_counter() - begin) * _RUNS / _SWEEP

            def sweep() -> None:
                for _, outcome, _ in workers.outcomes(runs, lambda: None):
                    assert outcome.passed, outcome.reason

            while True:
                yield time_of(sweep) + start_s, time_of(_by_hand)


_SCENARIOS = {
    'model': str(FOLDER / 'pendulum.xml'),
    'vary': {'number': [*range(_RUNS)]},
    'until': {'time': _TIME_S},
    'success': 'time > 0.5',
    'keep': 'nothing',
}


def _by_hand() -> None:
    """Runs servers that exit by themselves after their steps."""
    command = server_command({
        'modelfile': str(FOLDER / 'pendulum.xml'), 'realtime': -1.0, 'render_offscreen': False,
        'MujocoPlugins': '[]',  # keeps servers from looking for a parameter server
        'num_steps': round(_TIME_S / _TIMESTEP_S),
    })  # fmt: skip

    def run(domain: str) -> None:
        own = {**os.environ, 'ROS_DOMAIN_ID': domain}
        subprocess.run([*ENDING_WITH_US, *command], env=own, check=True, capture_output=True)

    with free_domains(_RUNS) as domains, ThreadPoolExecutor(_RUNS) as threads:
        list(threads.map(run, domains))
