"""The records of an MCAP file, also of one that is cut off or damaged."""

from __future__ import annotations

import io
import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from ..errors import RecordingError
from .mcap_library import check_mcap

_MAGIC = b'\x89MCAP0\r\n'
_HEAD = struct.Struct('<BQ')
_CHUNK_HEAD = struct.Struct('<QQQ')
_SCHEMA, _CHANNEL, _MESSAGE, _CHUNK, _ATTACHMENT, _METADATA = 0x03, 0x04, 0x05, 0x06, 0x09, 0x0C
_FOOTER, _LAST_OPCODE = 0x02, 0x0F
_MOST_CHUNK_BYTES = 2**30


@dataclass(frozen=True, kw_only=True, slots=True)
class FoundRecord:
    """A record in the file, which has not been read yet."""

    opcode: int
    start: int
    """The place of the first byte after the head of the record."""
    length: int


class McapScan:
    """Reads the records of a file one after the other; what is damaged is told, and left out."""

    def __init__(self, path: Path) -> None:
        """Finds the records, without reading them.

        Raises RecordingError for a file that is not there or is no MCAP, and without the library.
        """
        check_mcap()
        self.path = path
        self.problems: list[str] = []
        """A sentence for each part that cannot be read."""
        self.channels: dict[int, Any] = {}
        """The channels that have been found so far, as the library describes them, by number."""
        self.schemas: dict[int, Any] = {}
        """The types of messages that have been found so far, by number."""
        try:
            self._file: BinaryIO = open(path, 'rb')  # noqa: SIM115
        except OSError as error:
            raise RecordingError(f'{path} cannot be read: {error.strerror}') from None
        if self._file.read(len(_MAGIC)) != _MAGIC:
            self.close()
            raise RecordingError(f'{path} is no MCAP file: it does not begin as one')
        self.records = list(self._find())
        for record in self.records:
            if record.opcode in (_SCHEMA, _CHANNEL):
                self._note(self._parsed(record))

    @property
    def complete(self) -> bool:
        """Whether the file was closed by who wrote it, and has all its records."""
        return bool(self.records) and self.records[-1].opcode == _FOOTER

    def chunks(self) -> list[FoundRecord]:
        """Returns the chunks, in the order of the file."""
        return [record for record in self.records if record.opcode == _CHUNK]

    def messages(self, chunk: FoundRecord) -> list[Any]:
        """Returns the messages of a chunk; none, and a problem, if it is damaged."""
        from mcap.records import Channel, Message, Schema
        from mcap.stream_reader import breakup_chunk

        parsed = self._parsed(chunk)
        if parsed is None:
            return []
        try:
            if parsed.uncompressed_size > _MOST_CHUNK_BYTES:
                raise ValueError(f'it would have {parsed.uncompressed_size} bytes')
            records = breakup_chunk(parsed, validate_crc=True)
        except Exception as error:
            self._tell(f'the chunk at byte {chunk.start} is damaged: {error}')
            return []
        for record in records:
            if isinstance(record, (Channel, Schema)):
                self._note(record)
        return [record for record in records if isinstance(record, Message)]

    def attachments(self) -> Iterator[Any]:
        """Yields the attached files, as the library describes them."""
        for record in self.records:
            if record.opcode == _ATTACHMENT and (parsed := self._parsed(record)) is not None:
                yield parsed

    def descriptions(self) -> dict[str, dict[str, str]]:
        """Returns the texts that describe the recording, by the name of the description."""
        parsed = [self._parsed(each) for each in self.records if each.opcode == _METADATA]
        return {each.name: dict(each.metadata) for each in parsed if each is not None}

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def _find(self) -> Iterator[FoundRecord]:
        end, place = os.fstat(self._file.fileno()).st_size, len(_MAGIC)
        while place + _HEAD.size <= end:
            self._file.seek(place)
            opcode, length = _HEAD.unpack(self._file.read(_HEAD.size))
            start = place + _HEAD.size
            if not 0 < opcode <= _LAST_OPCODE or length > end - start:
                known = 0 < opcode <= _LAST_OPCODE
                what = 'is cut off' if known else 'is damaged'
                self._tell(f'the file {what} at byte {place} of {end}')
                return
            yield FoundRecord(opcode=opcode, start=start, length=length)
            if opcode == _FOOTER:
                return
            place = start + length
        self._tell(f'the file ends at byte {end} without an end mark: it was not closed')

    def _parsed(self, record: FoundRecord) -> Any:
        from mcap import records
        from mcap.data_stream import ReadDataStream

        kinds: dict[int, Any] = {
            _SCHEMA: records.Schema,
            _CHANNEL: records.Channel,
            _CHUNK: records.Chunk,
            _ATTACHMENT: records.Attachment,
            _METADATA: records.Metadata,
        }
        self._file.seek(record.start)
        content = self._file.read(record.length)
        try:
            return kinds[record.opcode].read(ReadDataStream(io.BytesIO(content)))
        except Exception as error:
            self._tell(f'the record at byte {record.start} is damaged: {error}')
            return None

    def _note(self, record: Any) -> None:
        if record is None:
            return
        known = self.channels if hasattr(record, 'topic') else self.schemas
        known.setdefault(record.id, record)

    def _tell(self, problem: str) -> None:
        if problem not in self.problems:
            self.problems.append(problem)
