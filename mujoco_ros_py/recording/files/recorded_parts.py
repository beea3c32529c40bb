"""The parts of a recording: sections, topics, messages and events."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import mujoco

from ...config.wording import shown
from ...errors import RecordingError
from .ros_bytes import read_text
from .state_rows import HEAD, INPUTS, OWN, Numbers, RowShape, row_shape

ROWS, SAVED, EVENTS = 'rows', 'saved', 'events'
"""The roles of the channels of this package."""
ROLE = 'mujoco_ros_py'
"""The key of the role in a channel's metadata; channels of ROS topics lack this key."""
RECORDER = 'mujoco_ros_py/Recorder'
"""The type of the recording plugin, which is also listed in a section's plugins."""
_MOST_SECTIONS, _MOST_NUMBERS, _MOST_LOST = 2**32 - 1, 2**27, 2**63
_LONGEST_S, _MOST_HZ, _DEEPEST = 1e15, 1e15, 100
_OF_PLUGIN = {
    **dict.fromkeys(('name', 'type', 'class', 'namespace', 'prefix'), str),
    'config': dict,
    'callbacks': list,
}
_WORDS: dict[type, str] = {str: 'a string', dict: 'an object', list: 'a list'}


@dataclass(frozen=True, kw_only=True, slots=True)
class Section:
    """A part of a recording between two loads, resets, restores or changes of the model."""

    number: int
    reason: str
    """The reason for the new section: `load`, `reset`, `restore` or `model`."""
    time: float
    """The simulated time in seconds at the start of the section."""
    model: str
    """The name of the attached file with the section's model."""
    shape: RowShape
    rate_hz: float
    """The states per second of simulated time; 0 for a state after each step."""
    plugins: tuple[Mapping[str, Any], ...]
    """The running plugins: name, type, configuration and the names of their callbacks."""
    ros_offset: float = 0.0
    """The ROS time minus the simulated time, in s; 0 unless `time_after_reset` is `continue`."""

    def put(self, model: mujoco.MjModel, data: mujoco.MjData, row: Numbers) -> None:
        """Writes the state of a row to `data`, without computing poses and forces.

        Raises RecordingError if the row or the model does not fit the section's shape.
        """
        shape = self.shape
        wanted = row_shape(model, passive=shape.passive != 0, actuators=shape.actuators != 0)
        if row.shape != (shape.width,) or shape != wanted:
            raise RecordingError(
                f'section {self.number} has rows with {shape}, got a row of shape {row.shape} and'
                f' a model with {wanted}'
            )
        inputs = HEAD + shape.own
        mujoco.mj_setState(model, data, row[HEAD:inputs], OWN)
        mujoco.mj_setState(model, data, row[inputs : inputs + shape.inputs], INPUTS)


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordedTopic:
    """A recorded topic and its message type."""

    name: str
    kind: str
    """The type, for example `sensor_msgs/msg/JointState`; empty if the file does not name the
    type."""
    qos: str
    """The publishers' quality of service, in the format of rosbag2."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordedMessage:
    """A serialized message of a topic."""

    topic: RecordedTopic
    data: bytes
    wall_time_ns: int
    """The wall time at which the message was recorded, in ns since 1970."""
    time_ns: int
    """The ROS time at which the message was recorded, in ns; see `Section.ros_offset`."""


def model_name(content: bytes) -> str:
    """Returns the attachment name of a compiled model, with its checksum and size."""
    return f'model-{zlib.crc32(content):08x}-{len(content)}.mjb'


def read_event(message: bytes) -> Mapping[str, Any]:
    """Returns the event of a message. Raises RecordingError for a damaged message."""
    try:
        event = json.loads(read_text(message))
    except (ValueError, RecursionError) as error:
        raise RecordingError(f'an event is not JSON: {error}') from None
    if not isinstance(event, dict):
        raise RecordingError(f'an event must be a JSON object, got {shown(event)}')
    if event.get('event') == 'lost':
        for name in ('states', 'messages'):
            _number(event, name, 0, _MOST_LOST, whole=True)
    return event


def read_section(event: Mapping[str, object]) -> Section:
    """Returns the section that starts with an event.

    Raises RecordingError if a field is missing, has a wrong type or is out of range.
    """
    shape, plugins = _typed(event, 'shape', dict), _typed(event, 'plugins', list)
    for place, plugin in enumerate(plugins):
        _check_plugin(plugin, f'plugins[{place}]')
    return Section(
        number=int(_number(event, 'number', 0, _MOST_SECTIONS, whole=True)),
        reason=_typed(event, 'reason', str),
        time=_number(event, 'time', -_LONGEST_S, _LONGEST_S),
        model=_typed(event, 'model', str),
        shape=RowShape(
            **{
                name: int(_number({'actuators': 0, **shape}, name, 0, _MOST_NUMBERS, whole=True))
                for name in ('own', 'inputs', 'passive', 'actuators')
            }
        ),
        rate_hz=_number(event, 'rate_hz', 0, _MOST_HZ),
        plugins=tuple(plugins),
        ros_offset=_number({'ros_offset': 0.0, **event}, 'ros_offset', -_LONGEST_S, _LONGEST_S),
    )


def _check_plugin(plugin: object, where: str) -> None:
    if not isinstance(plugin, dict):
        raise RecordingError(f'{where} must be an object, got {shown(plugin)}')
    for name, kind in _OF_PLUGIN.items():
        _typed(plugin, name, kind, f'{where}.')
    for callback in plugin['callbacks']:
        if not isinstance(callback, str):
            raise RecordingError(f'{where}.callbacks must be strings, got {shown(callback)}')
    if _is_deeper(plugin['config'], _DEEPEST):
        raise RecordingError(f'{where}.config must have at most {_DEEPEST} levels')


def _is_deeper(value: object, levels: int) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return not levels or any(_is_deeper(each, levels - 1) for each in inner)


def _typed(struct: Mapping[str, object], name: str, kind: type, where: str = '') -> Any:
    value = struct.get(name)
    if not isinstance(value, kind):
        raise RecordingError(f'{where}{name} must be {_WORDS[kind]}, got {shown(value)}')
    return value


def _number(
    struct: Mapping[str, object], name: str, low: float, high: float, *, whole: bool = False
) -> float:
    value = struct.get(name)
    kind = int if whole else int | float
    if isinstance(value, bool) or not isinstance(value, kind) or not low <= value <= high:
        word = 'a whole number' if whole else 'a number'
        raise RecordingError(f'{name} must be {word} from {low:g} to {high:g}, got {shown(value)}')
    return value
