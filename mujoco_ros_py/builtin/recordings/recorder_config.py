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
    """The file (.mcap) that is written; one that is there already is kept, and a number is added
    to the name. Empty: a file with the name of the plugin and the time, in the working directory.
    """
    topics: tuple[str, ...] = ()
    """The topics that are recorded too; `*` in a name stands for any letters: `/camera/*`."""
    state_rate: float = ranged(0.0, minimum=0.0, maximum=100_000.0, unit='Hz')
    """States per second of simulated time; 0: the state after each step, which `replay --verify`
    needs."""
    save_period: float = ranged(10.0, minimum=0.0, unit='s')
    """The simulated time between two saved states with the parts of plugins, from which a run can
    go on; 0: only at the start and after each reset."""
    chunk_period: float = ranged(1.0, minimum=0.1, maximum=60.0, unit='s')
    """The wall time after which what has come is written to the file: the most that a kill of the
    process loses."""
    compression: Compression = 'lz4'
    """How the file is compressed; `zstd` makes smaller files than `lz4`, and takes twice the time
    of a processor."""
    max_size: float = ranged(4096.0, minimum=1.0, unit='MiB')
    """The largest size of the recording, of all its files, at which it ends."""
    split_size: float = ranged(0.0, minimum=0.0, unit='MiB')
    """The size of a file at which the recording goes on in the next one; 0: at no size."""
    split_duration: float = ranged(0.0, minimum=0.0, unit='s')
    """The simulated time after which the recording goes on in the next file; 0: at no time."""
    keep_last: float = ranged(0.0, minimum=0.0, unit='s')
    """The last simulated time that is kept: older files are removed, and without another limit
    each file is that long; 0: everything is kept."""
    min_free: float = ranged(256.0, minimum=0.0, unit='MiB')
    """The space on the disk that has to stay free; where there is less, the recording ends."""
    buffer: float = ranged(32.0, minimum=1.0, maximum=16_384.0, unit='MiB')
    """The memory in which states wait to be written, and as much for messages of topics; what
    finds no room is left out, and the log says so."""

    @property
    def splits(self) -> SplitLimits:
        """When the next file begins, and which files are kept."""
        duration = self.split_duration or (0.0 if self.split_size else self.keep_last)
        return SplitLimits(size=self.split_size * 2**20, duration=duration, keep=self.keep_last)
