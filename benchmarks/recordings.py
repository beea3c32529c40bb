"""The cost for the physics of recording the whole state."""

from __future__ import annotations

import tempfile
import time
from contextlib import ExitStack
from importlib.util import find_spec

from mujoco_ros_py.session import Session

from .callback import time_of
from .processes import FOLDER
from .rounds import LeftOutError, Rounds

_STEPS = 5000
_DRAIN_S = 0.3
"""The time for the recorder's thread to write the rest of a round, in s."""


def measure() -> Rounds:
    """Compares steps per second with and without recording each step, at 1 kHz."""
    if find_spec('mcap') is None:
        raise LeftOutError('needs mcap, zstandard and lz4: pip install mujoco_ros_py[bench]')
    model = (FOLDER / 'humanoid.xml').read_text().replace('timestep="0.003"', 'timestep="0.001"')
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        recorder = {'type': 'mujoco_ros_py/Recorder', 'file': f'{folder}/run.mcap'}
        recorded = stack.enter_context(Session(mujoco_xml=model, plugins=[recorder], strict=True))
        bare = stack.enter_context(Session(mujoco_xml=model))
        while True:
            yield _steps_per_s(recorded), _steps_per_s(bare)


def _steps_per_s(session: Session) -> float:
    session.reset()
    seconds = time_of(lambda: session.step(_STEPS))
    time.sleep(_DRAIN_S)
    return _STEPS / seconds
