"""Looks up joints by the names in a message, in compiled code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ....config import listed
from ....plugins import State
from ....plugins.compiled_code import inlined, same_text

NO_FAULT, UNKNOWN_JOINT, NAMED_TWICE = range(3)
"""The possible faults of a message's names, as indices into `state.faults`."""
_LONGEST_NAME = 64
"""How many bytes of a wrong name are kept for the log."""


def name_fields(names: Sequence[str]) -> dict[str, Any]:
    """Returns the record fields that `find_joints` needs to look up these joints."""
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
    """Returns the last unknown or repeated name, in printable form."""
    text = bytes(state.wrong_names[fault][: int(state.wrong_name_lengths[fault])])
    return listed([text.decode(errors='replace')])


@inlined
def find_joints(state: State, names: Any) -> Any:
    """Looks up the joint of each name; returns the fault of the names, or NO_FAULT.

    A place is an index into the message's names. Sets `state.named` to the number of names, and
    `state.joint_order[place]` to the number of the joint with the name at this place. Sets
    `state.joint_names[k].place` to the place of joint number k, or to -1 if that joint is not
    named.
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
    """Returns the number of the joint with this name, or -1; tries `guess` first."""
    count = len(state.joint_names)
    for ahead in range(count):
        k = (guess + ahead) % count
        joint = state.joint_names[k]
        if same_text(name, joint.text[: joint.length]):
            return k
    return -1


@inlined
def _keep_name(state: State, name: Any, fault: int) -> None:
    """Stores the beginning of a refused name for the log."""
    kept = state.wrong_names[fault]
    length = min(len(name), len(kept))
    state.wrong_name_lengths[fault] = length
    for k in range(length):
        kept[k] = name[k]
