"""Changes of a running world: how long the physics stops, and how long the caller waits."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import mujoco

from mujoco_ros_py.session import Session

from .processes import FOLDER
from .rounds import Rounds
from .world_plugins import StepGaps

_WINDOW_S = 0.1
_SETTLED_S = 0.01
"""The time for the session to free the replaced model after its answer, in s."""
_CUBE = """
<mujoco model="cube">
  <worldbody><body><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body></worldbody>
</mujoco>
"""
_PLACE = [3.0, 0.0, 1.0]


def measure_stall() -> Rounds:
    """Compares the longest gap between 1 ms steps during a spawn and during a reset."""
    with Session(_humanoid(), [StepGaps], realtime=1.0, unpause=True) as session:
        gaps: Any = session.plugins['step_gaps']

        def longest_s(change: Callable[[], object]) -> float:
            gaps.begin()
            start = time.perf_counter()
            change()
            time.sleep(max(0.0, _WINDOW_S - (time.perf_counter() - start)))
            return int(gaps.state.longest) / 1e9

        while True:
            at_reset = longest_s(session.reset)
            at_spawn = longest_s(lambda: session.spawn(_CUBE, 'cube', position=_PLACE))
            session.delete('cube')
            yield at_spawn, at_reset


def measure_spawn() -> Rounds:
    """Compares the time of a spawn, from call to answer, with `MjSpec.recompile` of the model."""
    spec = _humanoid()
    model = spec.compile()
    data = mujoco.MjData(model)
    with Session(_humanoid()) as session:
        while True:
            start = time.perf_counter()
            session.spawn(_CUBE, 'cube', position=_PLACE)
            spawned = time.perf_counter()
            session.delete('cube')
            time.sleep(_SETTLED_S)
            begun = time.perf_counter()
            cube = _add_cube(spec)
            model, data = spec.recompile(model, data)
            yield spawned - start, time.perf_counter() - begun
            spec.delete(cube)
            model, data = spec.recompile(model, data)
            time.sleep(_SETTLED_S)


def _humanoid() -> mujoco.MjSpec:
    spec = mujoco.MjSpec.from_file(str(FOLDER / 'humanoid.xml'))
    spec.option.timestep = 1e-3
    return spec


def _add_cube(spec: mujoco.MjSpec) -> mujoco.MjsBody:
    cube = spec.worldbody.add_body(name='cube', pos=_PLACE)
    cube.add_freejoint()
    cube.add_geom(type=mujoco.mjtGeom.mjGEOM_BOX, size=[0.1, 0.1, 0.1])
    return cube
