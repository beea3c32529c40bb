"""Protects evaluation runs (`eval_mode`): requests that help to cheat need the admin hash.

Standard services have no field for a secret, so clients set it as the parameter `admin_hash`. Set
together with other parameters, it permits that request. Set alone, it permits the next protected
request; followed by the name of a service, it permits the next request of that service. The value
is compared and discarded: it cannot be read back and appears in no parameter event.
"""

from __future__ import annotations

import hashlib
import hmac
import threading
import time

from ...errors import ConfigError, SimulationError

PROTECTED = (
    'set_pause',
    'step',
    'reset',
    'reload',
    'load_initial_joint_states',
    'shutdown',
    'get_body_state',
    'set_body_state',
    'reset_body_qpos',
    'get_geom_properties',
    'set_geom_properties',
    'get_eq_constraint_parameters',
    'set_eq_constraint_parameters',
    'get_gravity',
    'set_gravity',
    'set_mocap_state',
    'get_camera_options',
    'set_camera_options',
    'set_rt_factor',
    'reload_model',
    'save_state',
    'restore_state',
    'list_states',
    'delete_state',
    'get_state',
    'set_state',
    'list_keyframes',
    'reset_to_keyframe',
    'get_values',
    'set_values',
    'get_options',
    'set_options',
)
"""The services and actions that need a permission in eval_mode. `set_pause` needs a permission
only to pause."""
STANDARD = (
    'get_entities',
    'get_entities_states',
    'get_entity_state',
    'get_entity_info',
    'get_entity_bounds',
    'set_entity_state',
    'set_entity_info',
    'spawn_entity',
    'spawn_entities',
    'delete_entity',
    'get_spawnables',
    'get_named_poses',
    'get_named_pose_bounds',
    'set_simulation_state',
    'reset_simulation',
    'step_simulation',
    'simulate_steps',
    'load_world',
    'unload_world',
    'get_current_world',
    'get_available_worlds',
)
"""The standard services, and the standard action, that need a permission in eval_mode.
`set_simulation_state` needs no permission to set the simulation running."""
_ALL = (*PROTECTED, *STANDARD)
_VALID_S = 10.0
_GUESSES = 100_000
"""The PBKDF2 rounds that each guess of the hash costs an attacker."""


class Authorization:
    """Permits protected requests; without eval_mode, it permits all requests."""

    def __init__(self, eval_mode: bool, admin_hash: str) -> None:
        self.eval_mode = eval_mode
        self._hash = admin_hash.encode()
        self._until = 0.0
        self._service: str | None = None
        """The service that the permission is for; None if any service may use it."""
        self._lock = threading.Lock()

    def noise_secret(self) -> bytes:
        """Returns 32 bytes that only a holder of the hash can compute; empty without eval_mode.

        Anyone can compare the published noise with the noise that a guessed hash would produce.
        Therefore the computation takes some tens of milliseconds, which slows down guessing.
        """
        if not self.eval_mode:
            return b''
        return hashlib.pbkdf2_hmac('sha256', self._hash, b'noise of sensors', _GUESSES)

    def admit(self, offered: str | None, parameters: str) -> None:
        """Admits a request to set parameters, which may include `admin_hash`.

        `offered` is the value of `admin_hash`, or None if the request does not include it.
        `parameters` are the names of the other parameters, or ''. Raises ConfigError for a wrong
        hash, and SimulationError if a hash is missing.
        """
        if offered is None:
            if parameters:
                self.require(f'setting {parameters}')
            return
        service = self._service_of(offered)
        if not parameters:
            self._permit(service)
            return
        self._used(None)  # an earlier permission ends, although the hash permits this request
        if service is not None:
            raise ConfigError(
                f'to set {parameters}, admin_hash must be the hash alone, without {service!r}'
            )

    def require(self, what: str, service: str | None = None, offered: str | None = None) -> None:
        """Uses up the current permission. Raises SimulationError if this service has none.

        A permission for one service is reserved for it: other requests are refused in the
        meantime. `offered` is the content of the request's field for the hash, or None if the
        request has no such field; a hash in the field permits the request without using up a
        permission.
        """
        if not self.eval_mode:
            return
        if offered:
            if not self._matches(offered):
                raise SimulationError(f'{what} is refused: admin_hash does not match')
            return
        if not self._used(service):
            raise SimulationError(
                f'{what} needs the admin hash in eval_mode: set the parameter admin_hash to it '
                + (
                    f"(or to '<hash> {service}') within {_VALID_S:g} s before the call"
                    if service
                    else 'in the same atomic request'
                )
                + ('' if offered is None else ', or give it in the request')
            )

    def _used(self, service: str | None) -> bool:
        """Uses up a permission; returns whether this service had one."""
        with self._lock:
            permitted = time.monotonic() < self._until and self._service in (None, service)
            if permitted or self._service is None:
                self._until = 0.0
            return permitted

    def _permit(self, service: str | None) -> None:
        with self._lock:
            self._until, self._service = time.monotonic() + _VALID_S, service

    def _service_of(self, offered: str) -> str | None:
        """Returns the service whose name follows the hash; None if only the hash is given.

        Raises ConfigError for a wrong hash. The check takes the same time for every hash, so its
        duration reveals nothing.
        """
        if not self.eval_mode:
            raise ConfigError('admin_hash is not needed: eval_mode is false')
        first, _, name = offered.rpartition(' ')
        alone, together = self._matches(offered), self._matches(first)
        if alone or (together and name in _ALL):
            return None if alone else name
        raise ConfigError(
            f"admin_hash names the unknown service '{name}'; known: {', '.join(_ALL)}"
            if together
            else 'admin_hash does not match'
        )

    def _matches(self, offered: str) -> bool:
        return hmac.compare_digest(offered.encode(errors='replace'), self._hash)
