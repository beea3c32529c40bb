"""The cost of a compiled control callback, over one set by `mujoco.set_mjcb_control`."""

from __future__ import annotations

import time
from collections.abc import Callable

import mujoco

from mujoco_ros_py.engine import CallbackTable, Point, compile_callback
from mujoco_ros_py.simulation import NoPlugins, Simulation

from .pairs import fastest
from .plugins import Damper
from .processes import FOLDER
from .result import Result

_STEPS = 20_000
_ROUNDS = 11
_COPIES = 1000
"""The number of callbacks: one would be lost in the noise of a step."""


class _Copies(NoPlugins):
    """Adds the same callback many times."""

    def __init__(self, count: int) -> None:
        self._count = count

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> CallbackTable:
        """Adds all the callbacks."""
        function = Damper.__dict__['control_callback'].function
        callback = compile_callback(Point.CONTROL, function, None)
        return CallbackTable([callback] * self._count)


def measure(name: str, limit: float) -> Result:
    """Measures both as the difference between steps with callbacks and steps without."""
    model = mujoco.MjModel.from_xml_path(str(FOLDER / 'pendulum.xml'))
    compiled = _compiled(model) / _COPIES
    python = _python(model)
    measured = f'{compiled * 1e9:.1f} ns against {python * 1e9:.0f} ns'
    ratio = compiled / python
    return Result(name=name, ratio=ratio, rule='at most', limit=limit, measured=measured)


def _compiled(model: mujoco.MjModel) -> float:
    simulation = Simulation(paused=True)
    simulation.start()

    def steps_with(copies: int) -> Callable[[], float]:
        def run() -> float:
            simulation.load(model, _Copies(copies)).result()
            return time_of(lambda: simulation.step(_STEPS).result())

        return run

    try:
        return difference(_STEPS, _ROUNDS, steps_with(_COPIES), steps_with(0))
    finally:
        simulation.close()


def _python(model: mujoco.MjModel) -> float:
    def control(model: mujoco.MjModel, data: mujoco.MjData) -> None:
        data.ctrl[0] = -0.1 * data.qvel[0]

    def steps_with(callback: Callable[..., None] | None) -> Callable[[], float]:
        def run() -> float:
            mujoco.set_mjcb_control(callback)
            data = mujoco.MjData(model)
            return time_of(lambda: mujoco.mj_step(model, data, _STEPS))

        return run

    try:
        return difference(_STEPS, _ROUNDS, steps_with(control), steps_with(None))
    finally:
        mujoco.set_mjcb_control(None)


def difference(
    steps: int, rounds: int, more: Callable[[], float], less: Callable[[], float]
) -> float:
    """Returns the seconds per step between the fastest rounds of both, which are made in turn."""
    slower, faster = fastest([(more(), less()) for _ in range(rounds)])
    return (slower - faster) / steps


def time_of(function: Callable[[], object]) -> float:
    """Returns the seconds that a call takes."""
    start = time.perf_counter()
    function()
    return time.perf_counter() - start
