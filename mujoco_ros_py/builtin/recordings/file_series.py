"""The files of a recording, one after the other, of which the old ones may be removed."""

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
    """When the next file of a recording begins, and which files are kept; 0: no limit."""

    size: float = 0.0
    """The size of a file in bytes at which the next one begins."""
    duration: float = 0.0
    """The simulated time in s after which the next file begins."""
    keep: float = 0.0
    """The simulated time in s that the files together have at least; older ones are removed."""


class FileSeries:
    """Opens the files of a recording, and closes and removes those before; one thread uses it."""

    def __init__(
        self,
        path: Path,
        limits: SplitLimits,
        most_bytes: float,
        open_: Callable[..., RecordingFile],
    ) -> None:
        """Opens the first file, with the first name that is free: `run.mcap`, `run_2.mcap`...

        `most_bytes` is the limit of all files that are kept, and `open_(path, most_bytes)` makes
        a file. Raises RecordingError if it cannot be made.
        """
        self._path, self._limits, self._most_bytes, self._open = path, limits, most_bytes, open_
        self._number = 0
        self._before: deque[tuple[Path, float, int]] = deque()
        """Path, simulated time in s and size of the files that are closed and kept."""
        self._spanned_s = 0.0
        self.file = self._opened()
        """The file that is written now."""

    @property
    def due(self) -> bool:
        """Whether the next file should begin."""
        limits = self._limits
        large = 0.0 < limits.size <= self.file.written_bytes
        return large or 0.0 < limits.duration <= self._spanned_s

    def advance(self, span_s: float) -> None:
        """Tells that the file has so many more seconds of simulated time."""
        self._spanned_s += span_s

    def begin_next(self) -> None:
        """Closes the file, removes those that are too old, and opens the next one.

        Raises RecordingError if a file cannot be written.
        """
        self.file.close()
        try:
            size = self.file.path.stat().st_size
        except OSError:  # somebody has removed it, and it takes no room any more
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
        """Removes the oldest files as long as the others have enough of the time."""
        while sum(span for _, span, _ in self._before) - self._before[0][1] >= self._limits.keep:
            path, *_ = self._before.popleft()
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                _log.warning('%s cannot be removed: %s', path, error)
