"""Sends messages through the compiled decisions of a timeline."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import yaml
from builtin.imperfections.timelines import by_name

import mujoco_ros_py.engine.compiled.pipeline  # noqa: F401  (makes inlined functions known to numba)
from mujoco_ros_py.builtin.imperfections.timeline import Entry, named
from mujoco_ros_py.builtin.imperfections.transit_rows import Pipe, transit_fields
from mujoco_ros_py.builtin.imperfections.transits import decide
from mujoco_ros_py.config import read
from mujoco_ros_py.plugins import new_state, ros_type

MESSAGES = 10_000
PERIOD_S = 0.001
SEED, STREAM = 7, 'bus'
TRANSIT = np.dtype(
    [
        ('time', np.float64),
        ('number', np.int64),
        ('filter', np.int64),
        ('message', np.int64),
        ('copies', np.int64),
        ('delays', np.float64, (8,)),
        ('again', np.int64),
        ('restamp', np.int64),
    ]
)
"""A message as the server passes it to `decide`."""


@numba.njit
def _decide_each(states: Any, transits: Any) -> None:
    for k in range(len(transits)):
        decide(states[0], transits[k])


def entries_of(*texts: str) -> tuple[Entry, ...]:
    """Returns the entries of a timeline in YAML."""
    timeline = by_name([yaml.safe_load(text) for text in texts])
    return named({name: read(Entry, values) for name, values in timeline.items()})


def state_of(
    *texts: str, pipes: int = 1, seed: int = SEED, stream: str = STREAM, topic: str = '/command'
) -> Any:
    """Returns a state in which all entries act on the messages of each topic."""
    entries = entries_of(*texts)
    kind = ros_type('sensor_msgs/msg/JointState')
    made = [
        Pipe(topic=f'{topic}_{k}', published=False, kind=kind, entries=entries)
        for k in range(pipes)
    ]
    return new_state(**transit_fields(entries, made, seed=seed, stream=stream))


def transits_at(times: Any, *, pipe: int = 0, numbers: Any = None, message: int = 0) -> Any:
    """Returns messages of one topic that are published at these times."""
    made = np.zeros(len(times), TRANSIT).view(np.recarray)
    made.time, made.filter, made.message, made.copies = times, pipe, message, 1
    made.number = np.arange(len(times)) if numbers is None else numbers
    return made


def send(state: Any, transits: Any) -> Any:
    """Decides about messages in compiled code, one after the other, and returns them."""
    records = np.asarray(state.base).view(np.dtype((np.void, state.dtype)))
    _decide_each(records, np.asarray(transits).view(TRANSIT))
    return transits


def send_in_python(state: Any, transits: Any) -> Any:
    """Decides about messages without compiling anything, and returns them."""
    for k in range(len(transits)):
        decide(state, transits[k])
    return transits


def sent(*texts: str, messages: int = MESSAGES, **options: Any) -> Any:
    """Returns messages that are published in each period, after the decisions of a timeline."""
    return send(state_of(*texts, **options), transits_at(np.arange(messages) * PERIOD_S))
