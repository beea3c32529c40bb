"""The cost of a compiled control callback, relative to `mujoco.set_mjcb_control`."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing

import mujoco

from mujoco_ros_py.engine import CallbackTable, Point, compile_callback
from mujoco_ros_py.simulation import NoPlugins, Simulation

from .plugins import Damper
from .processes import FOLDER
from .rounds import Rounds

_STEPS = 20_000
_COPIES = 1000
"""The number of callbacks; the cost of one would be lost in the noise of a step."""


class _Copies(NoPlugins):
    """Loads many copies of the same callback."""

    def __init__(self, count: int) -> None:
        self._count = count

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> CallbackTable:
        """Returns a table of all copies."""
        callback = compile_callback(Point.CONTROL, Damper.control_callback.function, None)
        return CallbackTable([callback] * self._count)


def measure() -> Rounds:
    """Measures both as the difference between steps with and without callbacks."""
    model = mujoco.MjModel.from_xml_path(str(FOLDER / 'pendulum.xml'))
    with closing(Simulation(paused=True)) as simulation:
        simulation.start()

        def steps_s(copies: int) -> float:
            simulation.load(model, _Copies(copies)).result()
            return time_of(lambda: simulation.step(_STEPS).result())

        while True:
            compiled_s = (steps_s(_COPIES) - steps_s(0)) / _COPIES
            python_s = steps_with_s(model, _control) - steps_with_s(model, None)
            yield compiled_s / _STEPS, python_s / _STEPS


def _control(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    data.ctrl[0] = -0.1 * data.qvel[0]


def steps_with_s(
    model: mujoco.MjModel, callback: Callable[..., None] | None, steps: int = _STEPS
) -> float:
    """Returns the duration of `steps` steps with a Python control callback, in s."""
    data = mujoco.MjData(model)
    mujoco.set_mjcb_control(callback)
    try:
        return time_of(lambda: mujoco.mj_step(model, data, steps))
    finally:
        mujoco.set_mjcb_control(None)


def time_of(function: Callable[[], object]) -> float:
    """Returns the duration of a call, in s."""
    start = time.perf_counter()
    function()
    return time.perf_counter() - start
