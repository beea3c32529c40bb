"""The lateness of the server's 1 kHz steps, relative to a C loop that only sleeps.

On a virtual machine both are occasionally late by milliseconds, while other machines use the
processor. Therefore the two run in turn, in short windows.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from .processes import FOLDER, plugins, running, server_command
from .rounds import LeftOutError, Rounds

_STEPS = 400
"""The number of 1 ms steps in a window."""
PRIORITY = 80
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
    if (late[i] > 100000000) due += late[i]; /* drops lost time, like the server */
  }
  for (int i = 0; i < steps; i++) printf("%lld ", (long long)late[i]);
}
"""


def measure() -> Rounds:
    """Compares the p99 lateness of the server and of the C loop.

    Both run in the real-time class if the machine permits it, otherwise in the normal class.
    """
    priority = PRIORITY if permitted(PRIORITY) else 0
    parameters = {
        'modelfile': str(FOLDER / 'pendulum.xml'), 'unpause': False, 'busy_wait': 0.0,
        'thread_priority': priority,
        **plugins(damper={'type': 'benchmarks/Damper'}, runner={'type': 'benchmarks/Runner'}),
    }  # fmt: skip
    with tempfile.TemporaryDirectory() as folder, running(server_command(parameters)) as server:
        in_c = [str(_compiled(Path(folder))), str(_STEPS), str(priority)]
        while True:
            late_s = server.ask(_STEPS / 1e3)[-1]
            late_ns = np.fromstring(subprocess.check_output(in_c, text=True), sep=' ')
            yield late_s, float(np.percentile(late_ns, 99, method='inverted_cdf')) / 1e9


def permitted(priority: int) -> bool:
    """Returns whether this process is allowed to use the priority; does not keep it."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(priority))
    except PermissionError:
        return False
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    return True


def _compiled(folder: Path) -> Path:
    compiler = shutil.which('gcc')
    if compiler is None:
        raise LeftOutError('needs a C compiler: apt install gcc')
    source, program = folder / 'loop.c', folder / 'loop'
    source.write_text(_IN_C)
    subprocess.run([compiler, '-O2', source, '-o', program], check=True)
    return program
