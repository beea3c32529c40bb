"""Judges a run by a function: `python -m mujoco_ros_py.sweep.judgement FOLDER MODULE:FUNCTION`."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from ..config.wording import shown, unknown
from ..errors import ConfigError
from .finished_run import read_finished

_PASSED, _NOT_PASSED, _IMPOSSIBLE = 0, 1, 2


def main(folder: str, function: str) -> int:
    """Calls the function; returns 0 if the run has passed, 1 if not, 2 if it cannot be judged.

    The function returns a bool, or a pair (bool, reason). An AssertionError fails the run, with
    its message as the reason.
    """
    sys.path.insert(0, os.getcwd())
    module, _, name = function.partition(':')
    try:
        found = import_module(module)
        judge: Any = getattr(found, name, None)
        if not callable(judge):
            known = [each for each, value in vars(found).items() if callable(value)]
            raise ConfigError(unknown(f'function of {module}', name, known))
    except (ImportError, ConfigError) as error:
        print(error)
        return _IMPOSSIBLE
    try:
        answer = judge(read_finished(Path(folder)))
    except AssertionError as error:
        print(f'{function}: {error or "an assertion has failed"}')
        return _NOT_PASSED
    passed, reason = answer if isinstance(answer, tuple) and len(answer) == 2 else (answer, '')
    if not isinstance(passed, bool | np.bool_):
        wanted = 'a bool, or a pair of a bool and a reason'
        print(f'{function} must return {wanted}, got {shown(answer)}')
        return _IMPOSSIBLE
    if passed:
        return _PASSED
    print(reason or f'{function} has returned {passed!r}')
    return _NOT_PASSED


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
