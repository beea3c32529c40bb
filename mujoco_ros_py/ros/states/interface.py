"""Offers the services for states if their types are installed."""

from __future__ import annotations

import logging

from ...plugins.missing_messages import missing_messages
from ...simulation import SavedState
from ..services.offered import OfferedServices

try:
    from .states import offer_keyframes, offer_messages, offer_named_states
    from .values import offer_options, offer_values

    THERE = True
except ImportError:  # mujoco_ros_py_interfaces is missing, or too old to have these types
    THERE = False

_log = logging.getLogger(__name__)


def offer_states(offered: OfferedServices, begin: SavedState | None = None) -> None:
    """Offers the services until the node ends; if their types are missing, only logs this.

    `begin` is a saved state that the server starts from instead of the model's initial state.
    """
    if not THERE:
        effect = 'there are no services of states, keyframes, values and options'
        _log.info('%s', missing_messages('mujoco_ros_py_interfaces', effect))
        return
    offer_named_states(offered, begin)
    offer_messages(offered)
    offer_keyframes(offered)
    offer_values(offered)
    offer_options(offered)
