"""The time from a step until its state arrives at the socket of a page."""

from __future__ import annotations

import statistics
import struct
import time
from contextlib import ExitStack
from importlib.util import find_spec
from urllib.parse import urlsplit

import mujoco

from mujoco_ros_py.plugins import MujocoPlugin
from mujoco_ros_py.session import Session

from .processes import FOLDER
from .rounds import LeftOutError, Rounds
from .viewer import show

_FRAME_S = 1 / 60
_FRAMES = 60
_STATE_AT = 24
"""The offset of the state in a message to the page; the first number is the time."""


class Stamps(MujocoPlugin):
    """Records the time at which each step ended, in seconds of the monotonic clock."""

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Creates the empty record."""
        self.ends: dict[int, float] = {}

    def last_stage_callback(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Records the end of a step, by its number."""
        self.ends[round(data.time / model.opt.timestep)] = time.monotonic()


def measure() -> Rounds:
    """Compares the median time from a step to its arrival with the frame time at 60 Hz."""
    if not find_spec('websockets'):
        raise LeftOutError('needs websockets: pip install mujoco_ros_py[bench]')
    from websockets.sync.client import connect

    with ExitStack() as stack:
        session = stack.enter_context(
            Session(str(FOLDER / 'humanoid.xml'), [Stamps], realtime=1.0)
        )
        address = urlsplit(show(stack, session))
        session.set_paused(False)
        page = stack.enter_context(
            connect(
                f'ws://{address.netloc}{address.path}state?sid=bench',
                origin=f'http://{address.netloc}',
                max_size=None,
                compression=None,
            )
        )
        (stamps,) = session.plugins.values()
        timestep = session.snapshot().model.opt.timestep
        late: list[float] = []
        while True:
            content = page.recv()
            arrival = time.monotonic()
            if isinstance(content, str):
                continue
            page.send('state_ack')
            (moment,) = struct.unpack_from('<d', content, _STATE_AT)
            if (end := stamps.ends.get(round(moment / timestep))) is not None:
                late.append(arrival - end)
            if len(late) == _FRAMES:
                yield statistics.median(late), _FRAME_S
                late.clear()
