"""Reads a recording: its models, sections, states, saved states and messages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping
from pathlib import Path
from typing import Any

import mujoco

from ...errors import RecordingError, SimulationError
from ...simulation import SavedState, read_state
from .mcap_scan import FoundRecord, McapScan
from .recorded_parts import (
    EVENTS,
    ROLE,
    ROWS,
    SAVED,
    RecordedMessage,
    RecordedTopic,
    Section,
    model_name,
    read_event,
    read_section,
)
from .ros_bytes import read_bytes
from .state_rows import RowBlock, read_rows

_READERS: Mapping[str, Callable[[bytes], Any]] = {
    ROWS: lambda message: read_rows(read_bytes(message)),
    SAVED: lambda message: read_state(bytes(read_bytes(message))),
    EVENTS: read_event,
}
"""The function that decodes the messages of each role."""


class RecordedRun:
    """Reads a recording. Skips missing or damaged parts, and lists them in `problems`.

    The file is read chunk by chunk, so memory use does not grow with its length. Use it in a
    `with` block::

        with RecordedRun('run.mcap') as run:
            for block in run.rows():
                print(run.sections[block.section].time, block.rows.shape)
    """

    def __init__(self, path: str | Path) -> None:
        """Opens the file. Raises RecordingError if it cannot be read or is not MCAP."""
        self.path = Path(path)
        self._scan = McapScan(self.path)
        self.about: Mapping[str, Mapping[str, str]] = self._scan.descriptions()
        """The metadata, by name (`versions`, `parameters`, ...): keys and string values."""
        self.sections: dict[int, Section] = {}
        """The sections read so far, by number; filled while states or events are read."""
        self._models: dict[str, mujoco.MjModel] = {}

    @property
    def problems(self) -> list[str]:
        """A message for each part that could not be read so far."""
        return self._scan.problems

    @property
    def complete(self) -> bool:
        """Whether the file was closed; false if its writer was killed."""
        return self._scan.complete

    @property
    def chunks(self) -> list[FoundRecord]:
        """The chunks of the file, which are the units of reading, in file order."""
        return self._scan.chunks()

    def rows(self) -> Iterator[RowBlock]:
        """Returns an iterator over the blocks of states, in file order."""
        return self._parts({ROWS})

    def saved_states(self) -> Iterator[SavedState]:
        """Returns an iterator over the saved states, in file order."""
        return self._parts({SAVED})

    def everything(
        self, chunks: list[FoundRecord] | None = None
    ) -> Iterator[RowBlock | SavedState | Mapping[str, Any]]:
        """Returns an iterator over states, saved states and events, in file order.

        Reads `chunks`, by default all chunks.
        """
        return self._parts({ROWS, SAVED, EVENTS}, chunks)

    def topics(self) -> dict[RecordedTopic, int]:
        """Returns the recorded topics, each with its number of messages.

        The counts come from the index of the file. Only chunks without an index are read, for
        example the last chunk of a file that was not closed.
        """
        counts: Counter[RecordedTopic] = Counter()
        for chunk, indexed in self._scan.counts():
            if indexed is None or not indexed.keys() <= self._scan.channels.keys():
                messages = self._scan.messages(chunk)
                indexed = Counter(message.channel_id for message in messages)
            for channel, count in indexed.items():
                if count and (topic := self._topic(channel)) is not None:
                    counts[topic] += count
        return dict(counts)

    def messages(self, section: int | None = None) -> Iterator[RecordedMessage]:
        """Yields the messages of the recorded topics, in file order.

        `section` is the number of the section to read; by default, all sections are read.
        """
        present = None
        for chunk in self._scan.message_records():
            for message in self._scan.messages(chunk):
                if section is not None and self._role(message.channel_id) == EVENTS:
                    event = self._tried(read_event, message.data, chunk)
                    if event and event.get('event') == 'section' and self._noted(event, chunk):
                        present = event['number']
                topic = self._topic(message.channel_id)
                if topic is not None and section in (None, present):
                    yield RecordedMessage(
                        topic=topic,
                        data=message.data,
                        wall_time_ns=message.log_time,
                        time_ns=message.publish_time,
                    )

    def events(self) -> Iterator[Mapping[str, Any]]:
        """Returns an iterator over the events: starts of sections, and dropped states."""
        return self._parts({EVENTS})

    def model(self, section: Section) -> mujoco.MjModel:
        """Returns the model of a section.

        Raises RecordingError if the file lacks the model, or this MuJoCo version cannot read it.
        """
        name = section.model
        if name not in self._models:
            content = self.model_content(section)
            try:
                self._models[name] = mujoco.MjModel.from_binary_path(name, {name: content})
            except (ValueError, mujoco.FatalError) as error:
                raise RecordingError(f'{self.path}: its model cannot be loaded: {error}') from None
        return self._models[name]

    def model_content(self, section: Section) -> bytes:
        """Returns the model of a section as the content of an MJB file.

        Raises RecordingError if the file lacks the model, or this MuJoCo version cannot read it.
        """
        written = self.about.get('versions', {}).get('mujoco', 'an unknown version')
        if written != mujoco.__version__:
            raise RecordingError(
                f'{self.path}: its model was written by MuJoCo {written}, but MuJoCo'
                f' {mujoco.__version__} reads only models of its own version'
            )
        for attached in self._scan.attachments():
            if attached.name == section.model:
                content: bytes = attached.data
                if section.model != model_name(content):
                    raise RecordingError(f'{self.path}: its model {section.model} is damaged')
                return content
        raise RecordingError(f'{self.path} has no model {section.model}: the file is cut off')

    def tell(self, problem: str) -> None:
        """Adds a message to `problems`, unless it is already there."""
        self._scan.tell(problem)

    def close(self) -> None:
        """Closes the file."""
        self._scan.close()

    def __enter__(self) -> RecordedRun:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _parts(
        self, roles: Container[str], chunks: list[FoundRecord] | None = None
    ) -> Iterator[Any]:
        """Yields the contents of the channels with these roles; stores all sections it passes."""
        for chunk in self.chunks if chunks is None else chunks:
            for message in self._scan.messages(chunk):
                role = self._role(message.channel_id)
                if role is None or (role != EVENTS and role not in roles):
                    continue
                part = self._tried(_READERS[role], message.data, chunk)
                if part is None or (role == EVENTS and not self._noted(part, chunk)):
                    continue
                if role in roles:
                    yield part

    def _role(self, channel: int) -> str | None:
        """Returns a channel's role; empty for topics, None for an unknown channel."""
        known = self._scan.channels.get(channel)
        return None if known is None else str(known.metadata.get(ROLE, ''))

    def _topic(self, channel: int) -> RecordedTopic | None:
        """Returns a channel's topic; None for this package's channels and unknown channels."""
        if self._role(channel) != '':
            return None
        known = self._scan.channels[channel]
        schema = self._scan.schemas.get(known.schema_id)
        return RecordedTopic(
            name=known.topic,
            kind='' if schema is None else schema.name,
            qos=known.metadata.get('offered_qos_profiles', ''),
        )

    def _noted(self, event: Mapping[str, object], chunk: FoundRecord) -> bool:
        """Stores the section if the event starts one; returns False if the section is damaged."""
        if event.get('event') != 'section':
            return True
        section = self._tried(read_section, event, chunk)
        if section is not None:
            self.sections.setdefault(section.number, section)  # chunks can be read twice
        return section is not None

    def _tried(self, read: Any, content: Any, chunk: FoundRecord) -> Any:
        """Returns `read(content)`; adds a problem and returns None if the content is damaged."""
        try:
            return read(content)
        except (RecordingError, SimulationError) as error:
            self.tell(f'a part of the chunk at byte {chunk.start} is skipped: {error}')
            return None
