"""Lateness of 1 kHz steps while another thread of the process computes in Python.

On a virtual machine a bare loop in C that sleeps is already late by milliseconds now and then, as
other machines get its processor. Therefore the result is the median of the windows' p99.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Sequence

import mujoco
import numpy as np
from numpy.typing import ArrayLike

from .processes import FOLDER, burn_the_gil, environment, folder, server_command
from .result import Result

_WINDOWS = 9
_WINDOW_S = 2.0
_PERIOD_NS = 1_000_000
_LAG_NS = 100_000_000


def measure(name: str, limit: float) -> Result:
    """Returns the p99 of the server's steps over that of a Python loop with a Python callback.

    The server spins while it waits. The default, in which it sleeps, is measured and printed too.
    """
    with folder() as prefix:
        parameters = {
            'modelfile': str(FOLDER / 'pendulum.xml'),
            'MujocoPlugins': {'names': ['damper'], 'damper': {'type': 'benchmarks/Damper'}},
        }
        args = server_command(prefix, parameters)[3:]
        command = [sys.executable, '-m', 'benchmarks.jitter']
        env = environment(prefix)
        spinning = ['-p', f'busy_wait:={_PERIOD_NS / 1e9}']
        server, sleeping, python = (
            float(subprocess.run([*command, *kind], env=env, stdout=subprocess.PIPE).stdout)
            for kind in (['server', *args, *spinning], ['server', *args], ['python'])
        )
    measured = (
        f'p99 {server / 1e3:.0f} us (asleep {sleeping / 1e3:.0f}) against {python / 1e3:.0f} us'
    )
    ratio = server / python
    return Result(name=name, ratio=ratio, rule='at most', limit=limit, measured=measured)


def _server(args: list[str]) -> float:
    """Runs the real server in this process, beside a thread that holds the GIL."""
    import rclpy

    from mujoco_ros_py.ros.entities.node_keeper import NodeKeeper
    from mujoco_ros_py.ros.server import Server

    rclpy.init(args=args)
    keeper = NodeKeeper('mujoco_server')
    server = Server(keeper, lambda: None)
    threading.Thread(target=rclpy.spin, args=(keeper.node,), daemon=True).start()
    server.start().result()
    server.simulation.submit(lambda model, data: setattr(model.opt, 'timestep', 1e-3)).result()
    burn_the_gil()
    latenesses = []
    for _ in range(_WINDOWS):
        time.sleep(_WINDOW_S)
        latenesses.append(server.simulation.lateness_ns()[-int(_WINDOW_S * 1e3) :])
    return _p99(latenesses)


def _python() -> float:
    """Runs the loop that a user would write with the bindings alone."""
    model = mujoco.MjModel.from_xml_path(str(FOLDER / 'pendulum.xml'))
    data = mujoco.MjData(model)

    def control(model: mujoco.MjModel, data: mujoco.MjData) -> None:
        data.ctrl[0] = -0.1 * data.qvel[0]

    mujoco.set_mjcb_control(control)
    burn_the_gil()
    due, latenesses = time.monotonic_ns(), []
    for _ in range(_WINDOWS):
        window = []
        end = due + int(_WINDOW_S * 1e9)
        while due < end:
            due += _PERIOD_NS
            time.sleep(max(0, due - time.monotonic_ns()) / 1e9)
            late = time.monotonic_ns() - due
            window.append(late)
            if late > _LAG_NS:  # as the server does: lost time is dropped
                due += late
            mujoco.mj_step(model, data)
        latenesses.append(window)
    return _p99(latenesses)


def _p99(windows: Sequence[ArrayLike]) -> float:
    return float(np.median([np.percentile(window, 99) for window in windows]))


if __name__ == '__main__':
    print(_server(sys.argv[2:]) if sys.argv[1] == 'server' else _python(), flush=True)
    import os

    os._exit(0)  # the burning thread does not end
