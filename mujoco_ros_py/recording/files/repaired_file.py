"""Copies the readable parts of a damaged recording to a new file, for other MCAP readers."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...errors import RecordingError
from .mcap_scan import McapScan

_LIBRARY = 'mujoco_ros_py'


@dataclass(frozen=True, kw_only=True, slots=True)
class Repair:
    """The result of a repair."""

    messages: int
    """The number of copied messages."""
    problems: tuple[str, ...]
    """A message for each missing or damaged part of the old file."""
    lost: bool
    """Whether anything other than the end of the old file is missing or damaged."""


def repair_file(path: Path, output: Path) -> Repair:
    """Copies messages, attachments and metadata to a new file, with an index and an end mark.

    The old file can be any MCAP file. Raises RecordingError if `path` is not MCAP, and if `output`
    already exists or cannot be written.
    """
    from mcap.writer import Writer

    with closing(McapScan(path)) as scan:
        try:
            stream = output.open('xb')
        except OSError as error:
            raise RecordingError(f'{output} cannot be written: {error.strerror}') from None
        try:
            with stream:
                writer: Any = Writer(stream)  # its methods have no types
                writer.start(scan.profile, _LIBRARY)
                count = _Copy(scan, writer).written()
                writer.finish()
        except BaseException as error:
            output.unlink(missing_ok=True)
            if isinstance(error, OSError):
                raise RecordingError(f'{output} cannot be written: {error.strerror}') from None
            raise
        return Repair(messages=count, problems=tuple(scan.problems), lost=scan.damaged)


class _Copy:
    """Copies the parts of one file to another."""

    def __init__(self, scan: McapScan, writer: Any) -> None:
        self._scan, self._writer = scan, writer
        self._schemas = {0: 0}  # 0: messages without a type
        self._channels: dict[int, int] = {}

    def written(self) -> int:
        """Copies all parts, and returns the number of messages."""
        from mcap.records import Attachment, Metadata

        count, writer = 0, self._writer
        for part in self._scan.parts():
            if isinstance(part, Metadata):
                writer.add_metadata(part.name, dict(part.metadata))
            elif isinstance(part, Attachment):
                writer.add_attachment(
                    part.create_time, part.log_time, part.name, part.media_type, part.data
                )
            elif (channel := self._channel(part.channel_id)) is not None:
                writer.add_message(
                    channel, part.log_time, part.data, part.publish_time, part.sequence
                )
                count += 1
        return count

    def _channel(self, number: int) -> int | None:
        """Returns a channel's number in the new file; None if its description is damaged."""
        known = self._scan.channels.get(number)
        if known is None:
            return None  # already reported by the scan
        if known.schema_id and known.schema_id not in self._scan.schemas:
            self._scan.tell(f'messages of {known.topic} are skipped: their type is damaged')
            return None
        if number not in self._channels:
            self._channels[number] = self._writer.register_channel(
                known.topic, known.message_encoding, self._schema(known.schema_id),
                dict(known.metadata),
            )  # fmt: skip
        return self._channels[number]

    def _schema(self, number: int) -> int:
        if number not in self._schemas:
            known = self._scan.schemas[number]
            self._schemas[number] = self._writer.register_schema(
                known.name, known.encoding, known.data
            )
        return self._schemas[number]
