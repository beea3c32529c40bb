"""Single steps of a robot's test, relative to a bare mj_step loop with the same reads."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import mujoco

from mujoco_ros_py.testing import serve

from .callback import time_of
from .processes import FOLDER
from .rounds import Rounds

_STEPS = 1000
_MODELS = FOLDER.parent / 'examples' / 'arm.xml', FOLDER / 'humanoid.xml'
"""Models of robots. A pendulum is too small: its step takes less time than reading its joint."""


def measure() -> Rounds:
    """Compares steps per second, writing a control and reading a joint at each step."""
    with ExitStack() as stack:
        cases = {path.stem: _sides(path, stack.enter_context(serve(path))) for path in _MODELS}
        while True:
            yield {
                case: (_STEPS / time_of(ours), _STEPS / time_of(bare))
                for case, (ours, bare) in cases.items()
            }


def _sides(path: Path, server: Any) -> tuple[Callable[[], None], Callable[[], None]]:
    """Returns two functions: steps through the server, and the same steps without a server."""
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    actuator, joint = model.actuator(0).name, model.joint(model.njnt - 1).name

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

    return ours, bare
