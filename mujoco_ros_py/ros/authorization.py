"""eval_mode: what would let a contestant cheat needs the admin hash.

Standard services have no room for a secret. So whoever knows it sets the parameter `admin_hash` to
it, which permits the next protected call, once and for a few seconds. The value is compared and
forgotten: it cannot be read back and appears in no parameter event.
"""

from __future__ import annotations

import hmac
import threading
import time

from ..errors import SimulationError

_VALID_S = 10.0


class Authorization:
    """Permits protected calls; all of them where eval_mode is off."""

    def __init__(self, eval_mode: bool, admin_hash: str) -> None:
        self.eval_mode = eval_mode
        self._hash = admin_hash.encode()
        self._until = 0.0
        self._lock = threading.Lock()

    def matches(self, offered: str) -> bool:
        """Whether this is the hash; takes equally long for every wrong one."""
        return hmac.compare_digest(offered.encode(), self._hash)

    def permit(self) -> None:
        """The next protected call may go through."""
        with self._lock:
            self._until = time.monotonic() + _VALID_S

    @property
    def permitted(self) -> bool:
        """Whether a protected call would go through."""
        return not self.eval_mode or time.monotonic() < self._until

    def require(self, what: str) -> None:
        """Uses the permission up. Raises SimulationError where there is none."""
        if not self.eval_mode:
            return
        with self._lock:
            permitted = self.permitted
            self._until = 0.0
        if not permitted:
            raise SimulationError(
                f'{what} needs the admin hash in eval_mode: set the parameter admin_hash to it '
                f'within {_VALID_S:g} s before the call'
            )
