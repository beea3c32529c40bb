"""The consecutive files of a recording; old files can be removed."""

from __future__ import annotations

import logging
import os
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ...recording import RecordingFile, numbered_path

_log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True, slots=True)
class SplitLimits:
    """When to start the next file of a recording, and which files to keep; 0: no limit."""

    size: float = 0.0
    """The maximum size of a file in bytes before the next file begins."""
    duration: float = 0.0
    """The maximum simulated time of a file in s before the next file begins."""
    keep: float = 0.0
    """The minimum simulated time in s that the kept files cover; older files are removed."""


class FileSeries:
    """Opens a recording's files, and closes and removes earlier files.

    Only one thread can use a series.
    """

    def __init__(
        self,
        path: Path,
        limits: SplitLimits,
        most_bytes: float,
        open_: Callable[..., RecordingFile],
    ) -> None:
        """Opens the first file, under the first free name: `run.mcap`, `run_2.mcap`...

        `most_bytes` limits the total size of all kept files; `open_(path, most_bytes)` creates a
        file. Raises RecordingError if the file cannot be created.
        """
        self._path, self._limits, self._most_bytes, self._open = path, limits, most_bytes, open_
        self._number = 0
        self._before: deque[tuple[Path, float, int]] = deque()
        """The closed files that are kept: path, duration in s of simulated time, size in bytes."""
        self._spanned_s = 0.0
        self.file = self._opened()
        """The current file."""

    @property
    def due(self) -> bool:
        """Whether the next file should begin."""
        limits = self._limits
        large = 0.0 < limits.size <= self.file.written_bytes
        return large or 0.0 < limits.duration <= self._spanned_s

    def advance(self, span_s: float) -> None:
        """Adds seconds of simulated time to the duration of the current file."""
        self._spanned_s += span_s

    def begin_next(self) -> None:
        """Closes the current file, removes files that are too old, and opens the next file.

        Raises RecordingError if a file cannot be written.
        """
        self.file.close()
        try:
            size = self.file.path.stat().st_size
        except OSError:  # the file was removed, and takes no space
            size = 0
        self._before.append((self.file.path, self._spanned_s, size))
        self._spanned_s = 0.0
        if self._limits.keep:
            self._remove_old()
        self.file = self._opened()

    def _opened(self) -> RecordingFile:
        self._number += 1
        while os.path.lexists(path := numbered_path(self._path, self._number)):
            self._number += 1
        kept = sum(size for _, _, size in self._before)
        return self._open(path, self._most_bytes - kept)

    def _remove_old(self) -> None:
        """Removes the oldest files while the remaining files cover enough time."""
        while sum(span for _, span, _ in self._before) - self._before[0][1] >= self._limits.keep:
            path, *_ = self._before.popleft()
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                _log.warning('%s cannot be removed: %s', path, error)
