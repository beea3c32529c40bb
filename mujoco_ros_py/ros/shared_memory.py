"""What Fast DDS has in shared memory: a file for each port, such as fastdds_port7413."""

from __future__ import annotations

import logging
import re
import time
from contextlib import suppress
from pathlib import Path

_log = logging.getLogger(__name__)
_PORT = re.compile(r'fast(dds|rtps)_port\d+')
_MADE_S = 5.0
"""Far more than the time in s that it takes to make a port."""
_LOOK_S = 0.01
_BEING_MADE = 0, 1
"""The first number of a port that is not ready yet (`boost::interprocess` writes 2 at the end)."""


def remove_half_made_ports(folder: Path = Path('/dev/shm')) -> None:
    """Removes the ports of processes that were killed while they made them.

    Each later process of the same domain would wait for such a port to be ready, for ever and with
    the GIL held. Call it before a node is made. It waits for ports that others make now.
    """
    for path in folder.glob('fast*_port*'):
        with suppress(OSError):  # it is gone, or belongs to somebody else
            while _PORT.fullmatch(path.name) and _is_half_made(path):
                if time.time() - path.stat().st_mtime > _MADE_S:
                    path.unlink()
                    _log.info('removed %s: a process was killed while it made that port', path)
                time.sleep(_LOOK_S)


def _is_half_made(path: Path) -> bool:
    with path.open('rb') as file:
        return int.from_bytes(file.read(4), 'little') in _BEING_MADE
