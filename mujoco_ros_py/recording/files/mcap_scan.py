"""Reads the records of an MCAP file, also if the file is cut off or damaged."""

from __future__ import annotations

import io
import mmap
import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

from ...errors import RecordingError
from .mcap_library import check_mcap

_MAGIC = b'\x89MCAP0\r\n'
_HEAD = struct.Struct('<BQ')
_CHUNK_HEAD = struct.Struct('<QQQII')
_CHUNK_HEAD_SIZE = _CHUNK_HEAD.size + 16
_SIZE = struct.Struct('<Q')
_INDEX_HEAD = struct.Struct('<HI')
_INDEX_ENTRY = 16
"""The size in bytes of a message's entry in the index of a chunk."""
_HEADER, _FOOTER, _SCHEMA, _CHANNEL, _MESSAGE = 0x01, 0x02, 0x03, 0x04, 0x05
_CHUNK, _MESSAGE_INDEX = 0x06, 0x07
_ATTACHMENT, _STATISTICS, _METADATA, _LAST_OPCODE = 0x09, 0x0B, 0x0C, 0x0F
_MOST_CHUNK_BYTES = 2**30


@dataclass(frozen=True, kw_only=True, slots=True)
class FoundRecord:
    """The position of a record in the file; its content is not read yet."""

    opcode: int
    start: int
    """The offset of the first byte after the record's head."""
    length: int


class McapScan:
    """Reads the records of a file in order; skips damaged parts and lists them in `problems`."""

    def __init__(self, path: Path) -> None:
        """Finds the records, without reading their contents.

        Raises RecordingError if the file is missing or is not MCAP, or if libraries are missing.
        """
        check_mcap()
        self.path = path
        self.problems: list[str] = []
        """A message for each part that cannot be read."""
        self.damaged = False
        """Whether anything besides the end of the file is missing or damaged."""
        self.channels: dict[int, Any] = {}
        """The channels found so far, by number, as objects of the library."""
        self.schemas: dict[int, Any] = {}
        """The message types found so far, by number."""
        try:
            self._file: BinaryIO = open(path, 'rb')  # noqa: SIM115
        except OSError as error:
            raise RecordingError(f'{path} cannot be read: {error.strerror}') from None
        begin = self._file.read(len(_MAGIC))
        if begin != _MAGIC:
            self.close()
            why = 'its first bytes are wrong' if begin else 'it is empty'
            raise RecordingError(f'{path} is not an MCAP file: {why}')
        self.records = list(self._find())
        for record in self.records:
            if record.opcode in (_SCHEMA, _CHANNEL):
                self._note(self._parsed(record))
        self._compare_counts()

    @property
    def profile(self) -> str:
        """The profile of the file, for example `ros2`; empty if the header is damaged."""
        first = self.records[0] if self.records else None
        header = self._parsed(first) if first and first.opcode == _HEADER else None
        return '' if header is None else str(header.profile)

    @property
    def complete(self) -> bool:
        """Whether the file was closed by its writer, and so has all its records."""
        return bool(self.records) and self.records[-1].opcode == _FOOTER

    def chunks(self) -> list[FoundRecord]:
        """Returns the chunks, in file order."""
        return [record for record in self.records if record.opcode == _CHUNK]

    def message_records(self) -> list[FoundRecord]:
        """Returns the chunks, and the messages outside of chunks, in file order.

        The preset `fastwrite` of rosbag2 writes no chunks.
        """
        return [record for record in self.records if record.opcode in (_CHUNK, _MESSAGE)]

    def counts(self) -> Iterator[tuple[FoundRecord, dict[int, int] | None]]:
        """Yields each chunk with its message counts by channel, without reading the chunk.

        The counts come from the index records after the chunk; None if these are incomplete.
        Messages outside of chunks are also yielded, with None.
        """
        chunk: FoundRecord | None = None
        indexes: list[FoundRecord] = []
        for record in self.records:
            if record.opcode == _MESSAGE_INDEX:
                indexes.append(record)
                continue
            if chunk is not None:
                yield chunk, self._counted(indexes)
            chunk = record if record.opcode in (_CHUNK, _MESSAGE) else None
            indexes = []
        if chunk is not None:
            yield chunk, None  # the file may end between two indexes

    def messages(self, chunk: FoundRecord) -> list[Any]:
        """Returns the messages of a chunk, or a message outside of chunks.

        A damaged chunk has no messages and adds a problem.
        """
        from mcap.records import Channel, Message, Schema
        from mcap.stream_reader import breakup_chunk

        parsed = self._parsed(chunk)
        if parsed is None or chunk.opcode == _MESSAGE:
            return [] if parsed is None else [parsed]
        try:
            records = breakup_chunk(_unpacked(parsed), validate_crc=True)
        except Exception as error:
            self.tell(f'the chunk at byte {chunk.start} is damaged: {error}')
            return []
        for record in records:
            if isinstance(record, (Channel, Schema)):
                self._note(record)
        messages = [record for record in records if isinstance(record, Message)]
        for channel in {message.channel_id for message in messages} - self.channels.keys():
            self.tell(
                f'the messages of channel {channel} are skipped, because the part of the file that'
                ' describes it is damaged'
            )
        return messages

    def parts(self) -> Iterator[Any]:
        """Yields attached files, descriptions and messages, in file order."""
        for record in self.records:
            if record.opcode == _CHUNK:
                yield from self.messages(record)
            elif record.opcode in (_ATTACHMENT, _METADATA):
                yield from filter(None, [self._parsed(record)])

    def attachments(self) -> Iterator[Any]:
        """Yields the attached files, as objects of the library."""
        return self._all(_ATTACHMENT)

    def descriptions(self) -> dict[str, dict[str, str]]:
        """Maps each metadata record of the recording to its keys and string values."""
        return {each.name: dict(each.metadata) for each in self._all(_METADATA)}

    def tell(self, problem: str) -> None:
        """Adds a message about damage to `problems`, unless it is already there."""
        self.damaged = True
        if problem not in self.problems:
            self.problems.append(problem)

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def _all(self, opcode: int) -> Iterator[Any]:
        """Yields the undamaged records of a kind."""
        parsed = (self._parsed(record) for record in self.records if record.opcode == opcode)
        return (each for each in parsed if each is not None)

    def _find(self) -> Iterator[FoundRecord]:
        """Yields the records up to the end; skips from a damaged record to the next chunk."""
        end, place = os.fstat(self._file.fileno()).st_size, len(_MAGIC)
        while place + _HEAD.size <= end:
            record = self._record(place, end)
            if record is None:
                place = self._after_damage(place, end)
                continue
            yield record
            if record.opcode == _FOOTER:
                return
            place = record.start + record.length
        self.problems.append(f'the file ends at byte {end} without an end mark: it was not closed')

    def _compare_counts(self) -> None:
        """Reports missing records, by comparison with the counts at the end of the file."""
        counted = [self._parsed(each) for each in self.records if each.opcode == _STATISTICS]
        for name, opcode in (
            ('chunk', _CHUNK), ('attachment', _ATTACHMENT), ('metadata', _METADATA),
        ):  # fmt: skip
            found = sum(record.opcode == opcode for record in self.records)
            for each in counted:
                if each is not None and (wanted := getattr(each, f'{name}_count')) != found:
                    self.tell(f'the file has {found} of {wanted} records of the kind {name}')

    def _record(self, place: int, end: int) -> FoundRecord | None:
        """Returns the record at an offset of the file; None if there is no valid record."""
        self._file.seek(place)
        opcode, length = _HEAD.unpack(self._file.read(_HEAD.size))
        start = place + _HEAD.size
        if not 0 < opcode <= _LAST_OPCODE or length > end - start:
            return None
        if opcode == _CHUNK and _chunk_size(self._file.read(_CHUNK_HEAD_SIZE)) != length:
            return None
        return FoundRecord(opcode=opcode, start=start, length=length)

    def _after_damage(self, place: int, end: int) -> int:
        """Reports a damaged record; returns the offset of the next chunk, or of the end."""
        with mmap.mmap(self._file.fileno(), 0, prot=mmap.PROT_READ) as content:
            found = place
            while (found := content.find(bytes([_CHUNK]), found + 1)) >= 0:
                if end - found > _HEAD.size and self._record(found, end) is not None:
                    self.tell(f'the file is damaged from byte {place} to byte {found} of {end}')
                    return found
        self.tell(f'the file is damaged or cut off at byte {place} of {end}')
        return end

    def _counted(self, indexes: list[FoundRecord]) -> dict[int, int] | None:
        """Returns the message counts by channel in index records; None if they are damaged."""
        counts: dict[int, int] = {}
        for index in indexes:
            self._file.seek(index.start)
            head = self._file.read(min(index.length, _INDEX_HEAD.size))
            if len(head) < _INDEX_HEAD.size:
                return None
            channel, size = _INDEX_HEAD.unpack(head)
            if channel in counts or size + len(head) != index.length or size % _INDEX_ENTRY:
                return None
            counts[channel] = size // _INDEX_ENTRY
        return counts or None

    def _parsed(self, record: FoundRecord) -> Any:
        from mcap import records
        from mcap.data_stream import ReadDataStream

        kinds: dict[int, Any] = {
            _HEADER: records.Header,
            _SCHEMA: records.Schema,
            _CHANNEL: records.Channel,
            _CHUNK: records.Chunk,
            _ATTACHMENT: records.Attachment,
            _STATISTICS: records.Statistics,
            _METADATA: records.Metadata,
        }
        self._file.seek(record.start)
        content = self._file.read(record.length)
        try:
            stream = ReadDataStream(io.BytesIO(content))
            if record.opcode == _MESSAGE:  # the length of its data is not in the record
                return records.Message.read(stream, record.length)
            return kinds[record.opcode].read(stream)
        except Exception as error:
            self.tell(f'the record at byte {record.start} is damaged: {error}')
            return None

    def _note(self, record: Any) -> None:
        if record is None:
            return
        known = self.channels if hasattr(record, 'topic') else self.schemas
        known.setdefault(record.id, record)


def _chunk_size(head: bytes) -> int | None:
    """Returns the record length of a chunk with this head; None if the bytes are not a head."""
    if len(head) < _CHUNK_HEAD.size:
        return None
    name: int = _CHUNK_HEAD.unpack_from(head)[-1]
    end = _CHUNK_HEAD.size + name + _SIZE.size
    if end > len(head):
        return None
    size: int = _SIZE.unpack_from(head, end - _SIZE.size)[0]
    return end + size


def _unpacked(chunk: Any) -> Any:
    """Returns the chunk, decompressed within its declared size.

    The library itself decompresses without a limit: a few bytes could become gigabytes. Raises
    ValueError if the chunk is too large, or if its size differs from the declared size.
    """
    import zstandard
    from lz4.frame import LZ4FrameDecompressor

    size = chunk.uncompressed_size
    if size > _MOST_CHUNK_BYTES:
        raise ValueError(f'its declared size of {size} bytes is too large')
    if chunk.compression == 'zstd':
        with zstandard.ZstdDecompressor().stream_reader(chunk.data) as reader:
            content = reader.read(size + 1)
    elif chunk.compression == 'lz4':
        content = LZ4FrameDecompressor().decompress(chunk.data, size + 1)
    else:
        return chunk
    if len(content) != size:
        more = 'more' if len(content) > size else f'{len(content)}'
        raise ValueError(f'it declares {size} bytes, but has {more}')
    return replace(chunk, compression='', data=content)
