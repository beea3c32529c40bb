"""The parts that a recording consists of: sections, topics, messages, events."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import mujoco

from ..errors import RecordingError
from .ros_bytes import read_text
from .state_rows import HEAD, INPUTS, OWN, Numbers, RowShape

ROWS, SAVED, EVENTS = 'rows', 'saved', 'events'
"""The roles of the channels of this package."""
ROLE = 'mujoco_ros_py'
"""The key of the role in the metadata of a channel; topics that were chosen have none."""
RECORDER = 'mujoco_ros_py/Recorder'
"""The type of the plugin that records, which is among the plugins of a section."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Section:
    """A part of a recording with one model, from a start, a reset or a change to the next."""

    number: int
    reason: str
    """The reason why the section begins: `load`, `reset`, `restore` or `model`."""
    time: float
    """The simulated time at which the section begins, in s."""
    model: str
    """The name of the attached file with the model of the section."""
    shape: RowShape
    rate_hz: float
    """The states per second of simulated time; 0: one after each step."""
    plugins: tuple[Mapping[str, Any], ...]
    """The plugins that ran: name, type, configuration and which callbacks they have."""

    def put(self, model: mujoco.MjModel, data: mujoco.MjData, row: Numbers) -> None:
        """Writes the state of a row into the data, without computing poses and forces.

        Raises RecordingError for a row or a model of another shape.
        """
        shape = self.shape
        if row.shape != (shape.width,) or shape.own != mujoco.mj_stateSize(model, OWN):
            raise RecordingError(
                f'a row of section {self.number} has {shape.width} numbers, {shape.own} of which a'
                f' step computes; got a row of shape {row.shape}, and a model with'
                f' {mujoco.mj_stateSize(model, OWN)}'
            )
        inputs = HEAD + shape.own
        mujoco.mj_setState(model, data, row[HEAD:inputs], OWN)
        mujoco.mj_setState(model, data, row[inputs : inputs + shape.inputs], INPUTS)


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordedTopic:
    """A topic that was recorded, with one of its types."""

    name: str
    kind: str
    """The type, such as `sensor_msgs/msg/JointState`; empty if the file does not tell it."""
    qos: str
    """The quality of service of its publishers, in the form that rosbag2 reads."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordedMessage:
    """A serialized message of a topic."""

    topic: RecordedTopic
    data: bytes
    wall_time_ns: int
    """The wall time at which the message was recorded, in ns since 1970."""
    time_ns: int
    """The simulated time at which the message was recorded, in ns."""


def model_name(content: bytes) -> str:
    """Returns the name under which a compiled model is attached, which has its checksum."""
    return f'model-{zlib.crc32(content):08x}-{len(content)}.mjb'


def read_event(message: bytes) -> Mapping[str, Any]:
    """Returns what a message tells. Raises RecordingError and ValueError for a damaged one."""
    event = json.loads(read_text(message))
    if not isinstance(event, dict):
        raise RecordingError(f'an event must be a JSON object, got {event!r}')
    return event


def read_section(event: Mapping[str, Any]) -> Section:
    """Returns the section that an event begins. Raises KeyError, TypeError and ValueError."""
    shape = event['shape']
    return Section(
        number=int(event['number']),
        reason=str(event['reason']),
        time=float(event['time']),
        model=str(event['model']),
        shape=RowShape(
            own=int(shape['own']), inputs=int(shape['inputs']), passive=int(shape['passive'])
        ),
        rate_hz=float(event['rate_hz']),
        plugins=tuple(event['plugins']),
    )
