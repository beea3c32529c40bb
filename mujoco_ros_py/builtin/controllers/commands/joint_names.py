"""Finds joints by the names in a message, in compiled code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ....config import listed
from ....plugins import State
from ....plugins.compiled_code import inlined, same_text

NO_FAULT, UNKNOWN_JOINT, NAMED_TWICE = range(3)
"""The faults that the names of a message may have, as indices of `state.faults`."""
_LONGEST_NAME = 64
"""The number of bytes of a wrong name that the log shows."""


def name_fields(names: Sequence[str]) -> dict[str, Any]:
    """Returns the fields of a record in which `find_joints` finds these joints."""
    texts = [name.encode() for name in names]
    longest = max(map(len, texts))
    row = [('text', np.uint8, longest), ('length', int), ('place', int)]
    rows = np.zeros(len(texts), np.dtype(row, align=True))
    for each, text in zip(rows, texts, strict=True):
        each['text'][: len(text)], each['length'] = list(text), len(text)
    return {
        'joint_names': rows,
        'joint_order': np.zeros(len(texts), int),
        'named': 0,
        'wrong_names': np.zeros((NAMED_TWICE + 1, _LONGEST_NAME), np.uint8),
        'wrong_name_lengths': np.zeros(NAMED_TWICE + 1, int),
    }


def wrong_name(state: State, fault: int) -> str:
    """Returns the last name that was unknown, or that came twice, in printable form."""
    text = bytes(state.wrong_names[fault][: int(state.wrong_name_lengths[fault])])
    return listed([text.decode(errors='replace')])


@inlined
def find_joints(state: State, names: Any) -> Any:
    """Finds the joint of each name; returns the fault of the names, NO_FAULT without one.

    Then `state.named` is the number of names, `state.joint_order[place]` the number of the joint
    that is named at a place, and `state.joint_names[k].place` the place of joint number k, or -1.
    """
    for k in range(len(state.joint_names)):
        state.joint_names[k].place = -1
    for place in range(len(names)):
        k = _joint_of(state, names[place], place)
        if k < 0:
            _keep_name(state, names[place], UNKNOWN_JOINT)
            return UNKNOWN_JOINT
        if state.joint_names[k].place >= 0:
            _keep_name(state, names[place], NAMED_TWICE)
            return NAMED_TWICE
        state.joint_names[k].place = place
        state.joint_order[place] = k
    state.named = len(names)
    return NO_FAULT


@inlined
def _joint_of(state: State, name: Any, guess: int) -> Any:
    """Returns the number of the joint with this name, or -1; `guess` is tried first."""
    count = len(state.joint_names)
    for ahead in range(count):
        k = (guess + ahead) % count
        joint = state.joint_names[k]
        if same_text(name, joint.text[: joint.length]):
            return k
    return -1


@inlined
def _keep_name(state: State, name: Any, fault: int) -> None:
    """Keeps the beginning of a name that was refused for this fault, for the log."""
    kept = state.wrong_names[fault]
    length = min(len(name), len(kept))
    state.wrong_name_lengths[fault] = length
    for k in range(length):
        kept[k] = name[k]
