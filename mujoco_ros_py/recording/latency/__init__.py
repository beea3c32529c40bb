"""Estimates the delay between commands and their effect from a recording of a robot."""

from ..files.message_times import TIMES
from .estimate import Estimate, Question, estimate_latency
from .fits import DISTRIBUTIONS

__all__ = ['DISTRIBUTIONS', 'TIMES', 'Estimate', 'Question', 'estimate_latency']
