"""Settings and workarounds for Fast DDS; with other middleware, these functions do nothing."""

from __future__ import annotations

import logging
import os
import re
import time
from contextlib import suppress
from pathlib import Path

from rclpy.utilities import get_rmw_implementation_identifier

_log = logging.getLogger(__name__)
_PROFILES, _PROFILES_OF_2 = 'FASTDDS_DEFAULT_PROFILES_FILE', 'FASTRTPS_DEFAULT_PROFILES_FILE'
"""The variables that name a profile file in Fast DDS 3 (Kilted) and in version 2 (Jazzy)."""
_CONFIGURED = _PROFILES, _PROFILES_OF_2, 'FASTDDS_BUILTIN_TRANSPORTS'
"""The variables with which users configure the transports of Fast DDS."""
_PORT = re.compile(r'fast(dds|rtps)_port\d+')
_MADE_S = 5.0
"""An incomplete port older than this, in seconds, is removed; creating one takes far less."""
_LOOK_S = 0.01
_BEING_MADE = 0, 1
"""The first 32-bit number of an incomplete port; `boost::interprocess` finally writes 2."""


def uses_fast_dds() -> bool:
    """Returns whether the middleware of this process is Fast DDS; does not need a node."""
    return str(get_rmw_implementation_identifier()).startswith('rmw_fastrtps')


def make_room_for_images() -> None:
    """Gives Fast DDS enough shared memory for images, unless the user has configured it."""
    if uses_fast_dds() and not any(name in os.environ for name in _CONFIGURED):
        # Fast DDS 3 warns if the variable of version 2 is set; only version 2 has this library.
        of_2 = '/libfastrtps.so' in Path('/proc/self/maps').read_text()
        profiles = Path(__file__).with_name('fastdds.xml')
        os.environ[_PROFILES_OF_2 if of_2 else _PROFILES] = str(profiles)


def remove_half_made_ports(folder: Path = Path('/dev/shm')) -> None:
    """Removes the ports of processes that were killed while creating them.

    A port is a file in shared memory, such as fastdds_port7413. Each later process of the same
    domain would wait for an incomplete port forever, with the GIL held. Call this function before
    creating a node. It waits until other processes have completed the ports they are creating.
    """
    if not uses_fast_dds():
        return
    for path in folder.glob('fast*_port*'):
        with suppress(OSError):  # the file is gone, or belongs to another user
            while _PORT.fullmatch(path.name) and _is_half_made(path):
                if time.time() - path.stat().st_mtime > _MADE_S:
                    path.unlink()
                    _log.info('removed %s: a process was killed while creating this port', path)
                time.sleep(_LOOK_S)


def _is_half_made(path: Path) -> bool:
    with path.open('rb') as file:
        return int.from_bytes(file.read(4), 'little') in _BEING_MADE
