"""Results of identifications, for tests of their outputs."""

from __future__ import annotations

from math import inf

import numpy as np

from mujoco_ros_py.identification.result import (
    Direction,
    FittedParameter,
    Imperfection,
    JudgedSequence,
    Result,
    Trace,
)
from mujoco_ros_py.identification.sequences import Sequence, Signal, Source


def parameter(name, after, half_width=0.1, *, places=None, before=1.0, **others):
    places = (name,) if places is None else places
    return FittedParameter(
        **{
            'name': name,
            'places': places,
            'unit': 'N m s/rad',
            'before': before,
            'after': after,
            'low': after - half_width,
            'high': after + half_width,
            'bounds': (0.0, 10.0),
            'at_bound': False,
            'identifiable': half_width < inf,
            **others,
        }
    )


def delay(name, after, effect, of, half_width=0.0001):
    imperfections = (Imperfection(effect=effect, of=of),)
    return parameter(name, after, half_width, places=(), unit='s', imperfections=imperfections)


def judged(name, *, held_out=False, error_before=12.0, error_after=1.1, signal='elbow'):
    source = Source(quantity='position', name=signal)
    times = np.linspace(0, 5, 400)
    measured = np.sin(times) + np.random.default_rng(1).normal(0, 0.01, times.size)
    sequence = Sequence(
        name=name, begin=0.0, end=5.0, held_out=held_out,
        signals=(Signal(source=source, times=times, values=measured, topic='/joint_states'),),
    )  # fmt: skip
    trace = Trace(
        source=source, times=times, measured=measured,
        before=np.sin(times) * 0.9, after=np.sin(times),
    )  # fmt: skip
    return JudgedSequence(
        sequence=sequence, traces=(trace,), error_before=error_before, error_after=error_after
    )


def fitted(parameters, edits=None, **others):
    values = {each.places[0]: each.after for each in parameters if each.places}
    return Result(
        **{
            'parameters': tuple(parameters),
            'correlation': np.eye(len(parameters)),
            'noise': {Source(quantity='position', name='elbow'): 0.01},
            'sequences': (
                judged('run1.mcap, 0.0 to 5.0 s'),
                judged('run2.mcap', held_out=True, error_after=1.3),
            ),
            'directions': (),
            'warnings': (),
            'edits': values if edits is None else edits,
            'iterations': 12,
            'wall_s': 3.4,
            **others,
        }
    )


def unclear():
    """Returns a result with everything that a report must show."""
    parameters = [
        parameter('elbow.damping', 2.34567, 0.05),
        parameter('elbow.<b>friction', 0.4, inf, at_bound=True),
        delay('delay of commands', 0.0041, 'latency', '/arm/commands'),
        delay('offset of elbow', -0.02, 'offset', {'joint': 'elbow'}),
    ]
    advice = 'Move the elbow slowly and fast.'
    weights = {'elbow.<b>friction': -0.4, 'elbow.damping': 1.0}
    return fitted(
        parameters,
        {'elbow.damping[0]': 2.34567},
        directions=(Direction(weights=weights, advice=advice),),
        warnings=('elbow.<b>friction is at its lower bound',),
        correlation=np.array([[1, 0.9, 0, 0], [0.9, 1, 0, 0.2], [0, 0, 1, 0], [0, 0.2, 0, 1]]),
    )
