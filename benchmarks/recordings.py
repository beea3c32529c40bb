"""A recording of the whole state: what it costs the physics."""

from __future__ import annotations

import tempfile
import time
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path

from mujoco_ros_py.recording import RecordedRun
from mujoco_ros_py.session import Session

from .processes import FOLDER
from .result import LeftOutError, Result

_ROUNDS = 12
_STEPS = 10_000
_DRAIN_S = 0.5
"""The time in which the thread of the recorder writes what is left of a round."""


def measure(name: str, limit: float) -> Result:
    """Returns the steps per second with a recording of each step at 1 kHz, over those without.

    The fastest rounds of both are compared, as other machines of the host make the others slower.
    """
    if find_spec('mcap') is None:
        raise LeftOutError('it needs mcap, zstandard and lz4')
    model = (FOLDER / 'humanoid.xml').read_text().replace('timestep="0.003"', 'timestep="0.001"')
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        path = Path(folder) / 'run.mcap'
        recorder = {'type': 'mujoco_ros_py/Recorder', 'file': str(path)}
        recorded = stack.enter_context(Session(mujoco_xml=model, plugins=[recorder], strict=True))
        bare = stack.enter_context(Session(mujoco_xml=model))
        rates = [(_steps_per_s(recorded), _steps_per_s(bare)) for _ in range(_ROUNDS + 1)]
        recorded.close()
        lost = _left_out(path)
    ours, bare = (max(each) for each in zip(*rates[1:], strict=True))
    measured = f'{ours:.0f} against {bare:.0f} steps/s, {lost} states left out'
    return Result(name=name, ratio=ours / bare, rule='at least', limit=limit, measured=measured)


def _left_out(path: Path) -> int:
    """Returns the number of states that the recorder could not write in time."""
    with RecordedRun(path) as run:
        return sum(int(each['states']) for each in run.events() if each['event'] == 'lost')


def _steps_per_s(session: Session) -> float:
    session.reset()
    start = time.perf_counter()
    session.step(_STEPS)
    rate = _STEPS / (time.perf_counter() - start)
    time.sleep(_DRAIN_S)
    return rate
