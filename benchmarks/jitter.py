"""The lateness of 1 kHz steps while another thread of the process computes in Python."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterable

import mujoco
import numpy as np

from .asked_plugins import burn
from .processes import FOLDER, answer, plugins, running, server_command
from .rounds import Rounds

_WINDOW_S = 1.0
_PERIOD_NS = 1_000_000
_LAG_NS = 100_000_000
_MODEL = FOLDER / 'pendulum.xml'


def measure() -> Rounds:
    """Compares the p99 lateness of a server with that of a loop with a Python callback."""
    parameters = {
        'modelfile': str(_MODEL), 'unpause': False, 'busy_wait': _PERIOD_NS / 1e9,
        **plugins(damper={'type': 'benchmarks/Damper'}, burner={'type': 'benchmarks/Burner'}),
    }  # fmt: skip
    loop = [sys.executable, '-m', 'benchmarks.jitter']
    with running(server_command(parameters)) as server, running(loop) as python:
        while True:
            yield server.ask(_WINDOW_S)[-1], python.ask(_WINDOW_S)[-1]


def _late_s(seconds: float) -> Iterable[float]:
    """Returns the p99 lateness of a loop that a user would write with MuJoCo's bindings."""
    model = mujoco.MjModel.from_xml_path(str(_MODEL))
    data = mujoco.MjData(model)

    def control(model: mujoco.MjModel, data: mujoco.MjData) -> None:
        data.ctrl[0] = -0.1 * data.qvel[0]

    mujoco.set_mjcb_control(control)
    threading.Thread(target=burn, args=(seconds,)).start()
    due, latenesses = time.monotonic_ns(), []
    end = due + int(seconds * 1e9)
    while due < end:
        due += _PERIOD_NS
        time.sleep(max(0, due - time.monotonic_ns()) / 1e9)
        late = time.monotonic_ns() - due
        latenesses.append(late)
        if late > _LAG_NS:  # drops lost time, like the server
            due += late
        mujoco.mj_step(model, data)
    mujoco.set_mjcb_control(None)
    return (float(np.percentile(latenesses, 99)) / 1e9,)


if __name__ == '__main__':
    answer(_late_s)
