"""Writes a recording as MCAP, within limits for its size and the free disk space."""

from __future__ import annotations

import shutil
import time
from pathlib import Path
from typing import Any, BinaryIO, Literal

from ...errors import RecordingError
from .mcap_library import check_mcap
from .recorded_parts import ROLE
from .ros_bytes import MessageType

Compression = Literal['zstd', 'lz4', 'none']
_CHUNK_BYTES = 2**20
_SPACE_PERIOD_S = 1.0
_SUMMARY_BYTES, _INDEX_SHARE = 2**14, 50
"""The space reserved for the index at the end of the file: 16 KiB plus 1/50 of the file's size."""


class RecordingFile:
    """Writes an MCAP file; use it from one thread.

    After `flush`, the messages so far stay in the file even if the process is killed.
    """

    def __init__(
        self,
        path: Path,
        *,
        compression: Compression = 'zstd',
        most_bytes: float = float('inf'),
        least_free_bytes: float = 0.0,
    ) -> None:
        """Creates the file, which must not exist yet.

        Raises RecordingError if the file cannot be created, or the mcap library is missing.
        """
        check_mcap()
        from mcap.writer import CompressionType, Writer

        kinds = {
            'zstd': CompressionType.ZSTD,
            'lz4': CompressionType.LZ4,
            'none': CompressionType.NONE,
        }
        self.path = path
        self._most_bytes, self._least_free_bytes = most_bytes, least_free_bytes
        self._checked_at = float('-inf')
        self._flushed_bytes = self._pending_bytes = 0
        self._channels: dict[tuple[str, str], int] = {}
        self._schemas: dict[str, int] = {}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._stream: BinaryIO = open(path, 'xb', buffering=2**16)  # noqa: SIM115
        except OSError as error:
            raise RecordingError(f'{path} cannot be written: {error}') from None
        self._writer: Any = Writer(
            self._stream, chunk_size=_CHUNK_BYTES, compression=kinds[compression]
        )
        self._writer.start('ros2', 'mujoco_ros_py')
        self.flush()

    @property
    def written_bytes(self) -> int:
        """The size of the file so far, without the unfinished chunk."""
        return self._stream.tell()

    def channel(self, topic: str, kind: MessageType, role: str = '', qos: str = '') -> int:
        """Returns the channel of a topic with this type; creates it on first use.

        `role` says what this package stores in the channel; it is empty for a ROS topic. `qos`
        describes the QoS of the topic's publishers, as YAML for rosbag2.
        """
        known = self._channels.get((topic, kind.name))
        if known is not None:
            return known
        if kind.name not in self._schemas:
            self._schemas[kind.name] = self._writer.register_schema(
                kind.name, 'ros2msg', kind.definition.encode()
            )
        metadata = {'offered_qos_profiles': qos, **({ROLE: role} if role else {})}
        number: int = self._writer.register_channel(
            topic, 'cdr', self._schemas[kind.name], metadata
        )
        self._channels[topic, kind.name] = number
        return number

    def add(self, channel: int, message: bytes, log_time_ns: int, publish_time_ns: int) -> None:
        """Adds a serialized message.

        `log_time_ns` is the wall time at which the message was recorded, and `publish_time_ns` is
        its simulated time. Raises RecordingError when a limit is reached or the disk fails.
        """
        self._check(len(message))
        with _Reported(self.path):
            self._writer.add_message(channel, log_time_ns, message, max(0, publish_time_ns))

    def attach(self, name: str, media_type: str, content: bytes) -> None:
        """Attaches a file to the recording. Raises RecordingError if writing fails."""
        self._check(len(content))
        now = time.time_ns()
        with _Reported(self.path):
            self._writer.add_attachment(now, now, name, media_type, content)

    def describe(self, name: str, values: dict[str, str]) -> None:
        """Adds a metadata record (keys and string values). Raises RecordingError if this fails."""
        with _Reported(self.path):
            self._writer.add_metadata(name, values)

    def flush(self) -> None:
        """Ends the unfinished chunk, and passes all bytes to the operating system."""
        with _Reported(self.path):
            self._writer.flush()

    def close(self) -> None:
        """Writes the index and closes the file. Raises RecordingError if the disk fails."""
        if self._stream.closed:
            return
        with _Reported(self.path):
            try:
                self._writer.finish()
            finally:
                self._stream.close()

    def _check(self, more: int) -> None:
        """Raises RecordingError if `more` bytes would exceed a limit."""
        written = self.written_bytes
        if written != self._flushed_bytes:
            self._flushed_bytes, self._pending_bytes = written, 0
        self._pending_bytes += more
        index = _SUMMARY_BYTES + written // _INDEX_SHARE
        if written + self._pending_bytes + index > self._most_bytes:
            raise RecordingError(
                f'{self.path} has reached its maximum size, {_mib(self._most_bytes)} (max_size)'
            )
        now = time.monotonic()
        if now < self._checked_at + _SPACE_PERIOD_S and more < _CHUNK_BYTES:
            return
        self._checked_at = now
        free = shutil.disk_usage(self.path.parent).free
        if free - more < self._least_free_bytes:
            raise RecordingError(
                f'the disk of {self.path} has {_mib(free)} of free space, but'
                f' {_mib(self._least_free_bytes)} must stay free (min_free)'
            )


class _Reported:
    """Converts OSError to RecordingError with the name of the file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, OSError):
            raise RecordingError(f'{self._path} cannot be written: {error}') from error


def numbered_path(path: Path, number: int) -> Path:
    """Returns the path of a file in a series: `run.mcap`, `run_2.mcap`, `run_3.mcap`..."""
    return path if number == 1 else path.with_stem(f'{path.stem}_{number}')


def _mib(count: float) -> str:
    return f'{count / 2**20:.6g} MiB'
