"""Estimates the delay between commands and their effect from a recording of a robot."""

from .estimate import Estimate, Question, estimate_latency
from .fits import DISTRIBUTIONS
from .series import TIMES

__all__ = ['DISTRIBUTIONS', 'TIMES', 'Estimate', 'Question', 'estimate_latency']
