"""Fits a model to recordings of a robot."""

from . import libraries as _libraries  # noqa: F401  (refuses missing libraries)
from .identify import Question, identify
from .measurements import MeasurementOptions, TopicOptions
from .options import SETS, FitOptions, FittedValue, Prior
from .result import Direction, FittedParameter, JudgedSequence, Result, Trace
from .sequences import Commands, Goal, Sequence, Signal, Source

__all__ = [
    'SETS',
    'Commands',
    'Direction',
    'FitOptions',
    'FittedParameter',
    'FittedValue',
    'Goal',
    'JudgedSequence',
    'MeasurementOptions',
    'Prior',
    'Question',
    'Result',
    'Sequence',
    'Signal',
    'Source',
    'TopicOptions',
    'Trace',
    'identify',
]
