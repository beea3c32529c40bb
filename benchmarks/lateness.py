"""Lateness of 1 kHz steps of a server that sleeps, over that of a loop in C that only sleeps.

On a virtual machine both are late by milliseconds now and then, as other machines get its
processor. Therefore they run in short windows in turn, and the result is the median of the ratios
of neighbours.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from .processes import FOLDER, environment, folder, server_command
from .result import LeftOutError, Result

_WINDOWS = 151
_STEPS = 200
"""The number of steps of a window, of 1 ms each."""
_PRIORITY = 80
_IN_C = r"""
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int main(int argc, char** argv) {
  int steps = atoi(argv[1]), priority = atoi(argv[2]);
  int64_t* late = calloc(steps, sizeof(int64_t));
  struct sched_param parameters = {priority};
  prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
  if (priority && sched_setscheduler(0, SCHED_FIFO, &parameters)) return 1;
  int64_t due = now();
  for (int i = 0; i < steps; i++) {
    due += 1000000;
    struct timespec t = {due / 1000000000LL, due % 1000000000LL};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL)) {}
    late[i] = now() - due;
    if (late[i] > 100000000) due += late[i]; /* as the server does: lost time is dropped */
  }
  for (int i = 0; i < steps; i++) printf("%lld ", (long long)late[i]);
}
"""


def measure(name: str, limit: float) -> Result:
    """Returns the p99 of the server over that of the loop in C, in windows of both in turn.

    Both are in the real-time class if the machine permits it, and otherwise in the normal one.
    """
    priority = _PRIORITY if _permitted(_PRIORITY) else 0
    parameters = {
        'modelfile': str(FOLDER / 'pendulum.xml'),
        'MujocoPlugins': {'names': ['damper'], 'damper': {'type': 'benchmarks/Damper'}},
        'busy_wait': 0.0,
        'thread_priority': priority,
    }
    with folder() as prefix:
        program = _compiled(prefix)
        args = server_command(prefix, parameters)[3:]
        command = [sys.executable, '-m', 'benchmarks.lateness', str(program), str(priority), *args]
        told = subprocess.run(command, env=environment(prefix), stdout=subprocess.PIPE, check=True)
    windows = np.array(json.loads(told.stdout))
    server, in_c = np.median(windows, axis=1)
    scheduling = f'SCHED_FIFO {priority}' if priority else 'SCHED_OTHER'
    measured = f'p99 {server / 1e3:.1f} us against {in_c / 1e3:.1f} us ({scheduling})'
    ratio = float(np.median(windows[0] / windows[1]))
    return Result(name=name, ratio=ratio, rule='at most', limit=limit, measured=measured)


def _permitted(priority: int) -> bool:
    """Returns whether this process may have the priority; it does not keep it."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(priority))
    except PermissionError:
        return False
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    return True


def _compiled(prefix: Path) -> Path:
    compiler = shutil.which('gcc')
    if compiler is None:
        raise LeftOutError('gcc is not installed')
    source, program = prefix / 'loop.c', prefix / 'loop'
    source.write_text(_IN_C)
    subprocess.run([compiler, '-O2', source, '-o', program], check=True)
    return program


def _windows(program: str, priority: str, args: list[str]) -> tuple[list[float], list[float]]:
    """Returns the p99 in ns of each window of the real server, and of the loop in C."""
    import rclpy

    from mujoco_ros_py.ros.entities.node_keeper import NodeKeeper
    from mujoco_ros_py.ros.server import Server

    rclpy.init(args=args)
    keeper = NodeKeeper('mujoco_server')
    server = Server(keeper, lambda: None)
    threading.Thread(target=rclpy.spin, args=(keeper.node,), daemon=True).start()
    server.start().result()
    simulation = server.simulation
    simulation.submit(lambda model, data: setattr(model.opt, 'timestep', 1e-3)).result()
    ours, theirs = [], []
    for _ in range(_WINDOWS):
        simulation.set_paused(False).result()
        time.sleep(_STEPS * 1.1e-3)
        simulation.set_paused(True).result()
        ours.append(_p99(simulation.lateness_ns()[-_STEPS:]))
        told = subprocess.check_output([program, str(_STEPS), priority], text=True)
        theirs.append(_p99([int(late) for late in told.split()]))
    return ours, theirs


def _p99(latenesses: ArrayLike) -> float:
    return float(np.percentile(latenesses, 99))


if __name__ == '__main__':
    print(json.dumps(_windows(sys.argv[1], sys.argv[2], sys.argv[3:])), flush=True)
    os._exit(0)  # the node's thread does not end
