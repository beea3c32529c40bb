"""A sweep of short runs: what it costs over the same servers, started by hand."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

from .processes import FOLDER, environment, server_command
from .result import LeftOutError, Result

_RUNS, _AT_ONCE = 50, 2
_TIME_S = 1.0
_TIMESTEP_S = 0.001
_LIBRARIES = 'ray', 'pyarrow', 'plotly', 'rich'


def measure(name: str, limit: float) -> Result:
    """Returns the wall time of a sweep of 50 runs, over that of 50 servers two at a time.

    Both make the same steps as fast as they can, and the sweep's time has all in it: the start of
    Ray, the judgement of each run, and the report.
    """
    if any(find_spec(each) is None for each in _LIBRARIES):
        raise LeftOutError(f'it needs {", ".join(_LIBRARIES)}')
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        env = environment(folder)
        _by_hand(folder, env, _AT_ONCE)  # so that both find their code compiled
        start = time.perf_counter()
        _by_hand(folder, env, _RUNS)
        bare_s = time.perf_counter() - start
        start = time.perf_counter()
        _swept(folder, env)
        sweep_s = time.perf_counter() - start
    return Result(
        name=name,
        ratio=sweep_s / bare_s,
        rule='at most',
        limit=limit,
        measured=f'{sweep_s:.1f} s against {bare_s:.1f} s for {_RUNS} runs',
    )


def _by_hand(folder: Path, env: dict[str, str], count: int) -> None:
    """Runs servers, each of which ends by itself after its steps."""
    command = server_command(
        folder,
        {
            'modelfile': str(FOLDER / 'pendulum.xml'),
            'realtime': -1.0,
            'render_offscreen': False,
            'MujocoPlugins': '[]',  # so that no server looks for a list of them
            'num_steps': round(_TIME_S / _TIMESTEP_S),
        },
    )

    def run(number: int) -> None:
        own = {**env, 'ROS_DOMAIN_ID': str(90 + number % _AT_ONCE)}
        subprocess.run(command, env=own, check=True, capture_output=True)

    with ThreadPoolExecutor(_AT_ONCE) as threads:
        list(threads.map(run, range(count)))


def _swept(folder: Path, env: dict[str, str]) -> None:
    scenarios = {
        'model': str(FOLDER / 'pendulum.xml'),
        'vary': {'number': [*range(_RUNS)]},
        'until': {'time': _TIME_S},
        'success': 'time > 0.5',
        'keep': 'nothing',
    }
    file = folder / 'scenarios.yaml'
    file.write_text(json.dumps(scenarios))  # JSON is YAML
    words = '-m', 'mujoco_ros_py', 'sweep', str(file), '--jobs', str(_AT_ONCE)
    subprocess.run(
        [sys.executable, *words], env={**os.environ, **env}, check=True, capture_output=True
    )
