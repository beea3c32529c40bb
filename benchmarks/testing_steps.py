"""Single steps of a robot's test, over those of a bare loop of mj_step with the same reads."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from pathlib import Path

import mujoco

from mujoco_ros_py.testing import serve

from .processes import FOLDER
from .result import Result

_ROUNDS = 15
_STEPS = 1000
_MODELS = {
    'arm': FOLDER.parent / 'examples' / 'arm.xml',
    'humanoid': FOLDER / 'humanoid.xml',
    'pendulum': FOLDER / 'pendulum.xml',
}
_COUNTED = 'arm', 'humanoid'
"""The models of the row: robots. A step of the pendulum takes less time than reading its joint."""


def measure(name: str, limit: float) -> Result:
    """Measures steps per second with a control and a joint, of a server in the process."""
    ratios = {model: _ratio(path) for model, path in _MODELS.items()}
    told = ', '.join(f'{model} {ratio:.2f}' for model, ratio in ratios.items())
    least = min(ratios[model] for model in _COUNTED)
    return Result(name=name, ratio=least, rule='at least', limit=limit, measured=told)


def _ratio(path: Path) -> float:
    """Returns the median of the ratios of rounds in turn, over the same steps."""
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    actuator, joint = model.actuator(0).name, model.joint(model.njnt - 1).name

    with serve(path) as server:

        def ours() -> None:
            server.reset()
            for _ in range(_STEPS):
                state = server.step(ctrl={actuator: 0.1})
                read = state.joint(joint)
                _ = read.position, read.velocity, state.time

        def bare() -> None:
            mujoco.mj_resetData(model, data)
            for _ in range(_STEPS):
                data.actuator(actuator).ctrl[0] = 0.1
                mujoco.mj_step(model, data)
                read = data.joint(joint)
                _ = float(read.qpos[0]), float(read.qvel[0]), data.time

        _time(ours)
        rounds = [(_time(ours), _time(bare)) for _ in range(_ROUNDS)]
    return statistics.median(theirs / own for own, theirs in rounds)


def _time(function: Callable[[], None]) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start
