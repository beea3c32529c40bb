"""Compiled: takes messages that have come in, and hands them to functions that read them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import carray, njit

from ..message_records import INLET, INLETS
from .dispatch import invoke_with, pointer_to
from .system import call_at

_MOST = 64
"""How many messages are taken from one inlet at a time; others wait for the next step."""


def take_messages(address: int, model: int, data: int) -> int:
    """Takes the messages of all inlets, in the order in which the inlets were added."""
    inlets = carray(pointer_to(address), 1, INLETS)[0]
    places = carray(pointer_to(inlets.places), inlets.count, np.int64)
    for index in range(len(places)):
        _take(carray(pointer_to(places[index]), 1, INLET)[0], model, data)
    return 0


@njit(nogil=True)
def _take(inlet: Any, model: int, data: int) -> None:
    """Takes the messages of one inlet, as long as there are any."""
    for _ in range(_MOST):
        if inlet.function == 0:
            return
        code = call_at(inlet.take, inlet.handle, inlet.message, 0, 0)
        if code != 0:
            if code != inlet.nothing:
                inlet.errors += 1
                call_at(inlet.forget_error, 0, 0, 0, 0)
            return
        inlet.taken += 1
        invoke_with(inlet.function, inlet.state, model, data, inlet.message, inlet.reporter, 0)
