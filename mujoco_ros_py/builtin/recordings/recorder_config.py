"""The configuration of the Recorder plugin."""

from __future__ import annotations

from dataclasses import dataclass

from ...config import ranged
from ...recording import Compression
from .file_series import SplitLimits


@dataclass(frozen=True, kw_only=True, slots=True)
class RecorderConfig:
    """The configuration of the Recorder plugin."""

    file: str = ''
    """The file to write (.mcap). An existing file is kept, and the new file gets a number in its
    name. If empty, a file in the working directory, named after the plugin and the time."""
    topics: tuple[str, ...] = ()
    """Additional topics to record; `*` matches any characters: `/camera/*`."""
    state_rate: float = ranged(0.0, minimum=0.0, maximum=100_000.0, unit='Hz')
    """States per second of simulated time; 0: the state after every step, as `replay --verify`
    requires."""
    save_period: float = ranged(10.0, minimum=0.0, unit='s')
    """The simulated time between saved states, which include plugin states and allow continuing a
    run; 0: only at the start and after each reset."""
    chunk_period: float = ranged(1.0, minimum=0.1, maximum=60.0, unit='s')
    """The wall time between writes to the file; this is the most that is lost if the process is
    killed."""
    compression: Compression = 'lz4'
    """The compression of the file; `zstd` makes smaller files than `lz4`, and takes twice the CPU
    time."""
    max_size: float = ranged(4096.0, minimum=1.0, unit='MiB')
    """The maximum total size of the recording's files; recording stops there."""
    split_size: float = ranged(0.0, minimum=0.0, unit='MiB')
    """The size at which the recording continues in a new file; 0: no limit."""
    split_duration: float = ranged(0.0, minimum=0.0, unit='s')
    """The simulated time after which the recording continues in a new file; 0: no limit."""
    keep_last: float = ranged(0.0, minimum=0.0, unit='s')
    """Keep only this much simulated time at the end, and remove older files; if no other limit
    splits the recording, each file covers this time; 0: keep everything."""
    min_free: float = ranged(256.0, minimum=0.0, unit='MiB')
    """The disk space to keep free; recording stops if less is left."""
    buffer: float = ranged(32.0, minimum=1.0, maximum=16_384.0, unit='MiB')
    """The memory for states waiting to be written, and the same again for topic messages; if it is
    full, data is dropped with a warning."""

    @property
    def splits(self) -> SplitLimits:
        """When to start the next file, and which files to keep."""
        duration = self.split_duration or (0.0 if self.split_size else self.keep_last)
        return SplitLimits(size=self.split_size * 2**20, duration=duration, keep=self.keep_last)
