"""A recording that is read: its models, sections, states, saved states and messages."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

import mujoco

from ..errors import RecordingError, SimulationError
from ..simulation import SavedState, read_state
from .mcap_scan import FoundRecord, McapScan
from .ros_bytes import read_bytes, read_text
from .state_rows import HEAD, INPUTS, OWN, Numbers, RowBlock, RowShape, read_rows

ROWS, SAVED, EVENTS = 'rows', 'saved', 'events'
"""The roles of the channels of this package."""
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
class RecordedMessage:
    """A serialized message of a topic."""

    topic: str
    kind: str
    """The type, such as `sensor_msgs/msg/JointState`."""
    qos: str
    """The quality of service of its publishers, in the form that rosbag2 reads."""
    data: bytes
    wall_time_ns: int
    """The wall time at which the message was recorded, in ns since 1970."""
    time_ns: int
    """The simulated time at which the message was recorded, in ns."""


class RecordedRun:
    """Reads a recording. What is cut off or damaged is left out, and told in `problems`.

    A file is read chunk by chunk, so memory does not depend on its length. Use it in a `with`
    block::

        with RecordedRun('run.mcap') as run:
            for block in run.rows():
                print(run.sections[block.section].time, block.rows.shape)
    """

    def __init__(self, path: str | Path) -> None:
        """Opens the file. Raises RecordingError for one that is no recording."""
        self.path = Path(path)
        self._scan = McapScan(self.path)
        self.about: Mapping[str, Mapping[str, str]] = self._scan.descriptions()
        """Texts by name of the description: `versions`, `parameters`."""
        self.sections: dict[int, Section] = {}
        """The sections that have been read so far, by number."""
        self._models: dict[str, mujoco.MjModel] = {}
        self._events: tuple[Mapping[str, Any], ...] = ()

    @property
    def problems(self) -> list[str]:
        """A sentence for each part that could not be read so far."""
        return self._scan.problems

    @property
    def complete(self) -> bool:
        """Whether the file has its end; one that a kill has ended has none."""
        return self._scan.complete

    @property
    def chunks(self) -> list[FoundRecord]:
        """The parts of the file that are read as a whole, in their order."""
        return self._scan.chunks()

    def rows(self) -> Iterator[RowBlock]:
        """Yields the blocks of states, in the order of the file."""
        for _, message in self._of_roles({ROWS}):
            if (block := self._tried(read_rows, message)) is not None:
                yield block

    def saved_states(self) -> Iterator[SavedState]:
        """Yields the saved states with the parts of plugins, in the order of the file."""
        for _, message in self._of_roles({SAVED}):
            if (saved := self._tried(read_state, bytes(message))) is not None:
                yield saved

    def everything(
        self, chunks: list[FoundRecord] | None = None
    ) -> Iterator[RowBlock | SavedState]:
        """Yields blocks of states and saved states, in the order of the file.

        Those of `chunks` are read, by default all.
        """
        readers: Mapping[str, Any] = {ROWS: read_rows, SAVED: lambda m: read_state(bytes(m))}
        for role, message in self._of_roles({ROWS, SAVED}, chunks):
            if (read := self._tried(readers[role], message)) is not None:
                yield read

    def messages(self) -> Iterator[RecordedMessage]:
        """Yields the messages of the topics that were chosen, in the order of the file."""
        for chunk in self.chunks:
            for message in self._scan.messages(chunk):
                channel = self._scan.channels.get(message.channel_id)
                if channel is None or channel.metadata.get('mujoco_ros_py'):
                    continue
                schema = self._scan.schemas.get(channel.schema_id)
                yield RecordedMessage(
                    topic=channel.topic,
                    kind='' if schema is None else schema.name,
                    qos=channel.metadata.get('offered_qos_profiles', ''),
                    data=message.data,
                    wall_time_ns=message.log_time,
                    time_ns=message.publish_time,
                )

    def events(self) -> Iterator[Mapping[str, Any]]:
        """Yields what has happened: the begins of sections, lost states, limits that ended it."""
        for _ in self._of_roles(set()):
            pass
        yield from self._events

    def model(self, section: Section) -> mujoco.MjModel:
        """Returns the model of a section.

        Raises RecordingError if it is not in the file, or if this MuJoCo cannot read it.
        """
        if section.model not in self._models:
            content = next(
                (each.data for each in self._scan.attachments() if each.name == section.model),
                None,
            )
            if content is None:
                raise RecordingError(f'{self.path} has no model {section.model}: it is cut off')
            self._models[section.model] = self._loaded(section.model, content)
        return self._models[section.model]

    def close(self) -> None:
        """Closes the file."""
        self._scan.close()

    def __enter__(self) -> RecordedRun:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _loaded(self, name: str, content: bytes) -> mujoco.MjModel:
        written = self.about.get('versions', {}).get('mujoco', 'an unknown version')
        if written != mujoco.__version__:
            raise RecordingError(
                f'{self.path}: its model was written by MuJoCo {written}, and this is'
                f' {mujoco.__version__}, which reads only its own'
            )
        if name != model_name(content):
            raise RecordingError(f'{self.path}: its model {name} is damaged')
        try:
            return mujoco.MjModel.from_binary_path(name, {name: content})
        except (ValueError, mujoco.FatalError) as error:
            raise RecordingError(f'{self.path}: its model cannot be loaded: {error}') from None

    def _of_roles(
        self, roles: set[str], chunks: list[FoundRecord] | None = None
    ) -> Iterator[tuple[str, memoryview]]:
        """Yields the messages of this package with these roles; reads the sections on the way."""
        events: list[Mapping[str, Any]] = []
        for chunk in self.chunks if chunks is None else chunks:
            for message in self._scan.messages(chunk):
                channel = self._scan.channels.get(message.channel_id)
                role = '' if channel is None else channel.metadata.get('mujoco_ros_py', '')
                if role == EVENTS:
                    if (event := self._tried(_event, message.data)) is not None:
                        events.append(event)
                        self._note(event)
                elif role in roles:
                    content = self._tried(read_bytes, message.data)
                    if content is not None:
                        yield role, content
        self._events = tuple(events)

    def _note(self, event: Mapping[str, Any]) -> None:
        if event.get('event') == 'section':
            section = self._tried(_section, event)
            if section is not None:
                self.sections[section.number] = section

    def _tried(self, read: Any, content: Any) -> Any:
        """Returns what `read` makes of the content; None, and a problem, if it is damaged."""
        try:
            return read(content)
        except (RecordingError, SimulationError, ValueError, KeyError, TypeError) as error:
            problem = f'a part of the recording is left out: {error}'
            if problem not in self.problems:
                self.problems.append(problem)
            return None


def model_name(content: bytes) -> str:
    """Returns the name under which a compiled model is attached, which has its checksum."""
    return f'model-{zlib.crc32(content):08x}-{len(content)}.mjb'


def _event(message: bytes) -> Mapping[str, Any]:
    event = json.loads(read_text(message))
    if not isinstance(event, dict):
        raise RecordingError(f'an event must be a JSON object, got {event!r}')
    return event


def _section(event: Mapping[str, Any]) -> Section:
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
