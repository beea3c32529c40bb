"""Statistical bounds that a correct result violates in at most one of a million runs."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np

CHANCE = 1e-6
"""The probability that a correct implementation with other seeds violates a bound."""


def deviations(of: int = 1) -> float:
    """Returns the number of standard deviations that normal numbers exceed only by chance."""
    return NormalDist().inv_cdf(1 - CHANCE / 2 / of)


def check_mean(values: Any, mean: float, deviation: float) -> None:
    """Checks the mean of independent values with a known standard deviation."""
    bound = deviations() * deviation / math.sqrt(len(values))
    assert abs(np.mean(values) - mean) < bound


def check_variance(values: Any, mean: float, variance: float) -> None:
    """Checks the sum of the squares of independent normal values, which has a chi2 distribution.

    The quantiles are from Wilson and Hilferty.
    """
    freedom = len(values)
    chi2 = np.sum((np.asarray(values) - mean) ** 2) / variance
    spread = deviations() * math.sqrt(2 / 9 / freedom)
    middle = 1 - 2 / 9 / freedom
    assert (middle - spread) ** 3 < chi2 / freedom < (middle + spread) ** 3


def check_normal(values: Any, mean: float, deviation: float) -> None:
    """Checks that independent values are normally distributed (Kolmogorov's bound)."""
    ordered = np.sort((np.asarray(values) - mean) / deviation)
    below = np.array([NormalDist().cdf(value) for value in ordered])
    count = len(ordered)
    ranks = np.arange(count + 1) / count
    distance = max(np.max(below - ranks[:-1]), np.max(ranks[1:] - below))
    assert distance < math.sqrt(math.log(2 / CHANCE) / 2 / count)


def check_distribution(values: Any, mean: float, deviation: float) -> None:
    """Checks mean, variance and shape of independent normal values."""
    check_mean(values, mean, deviation)
    check_variance(values, mean, deviation**2)
    check_normal(values, mean, deviation)


def check_correlation(one: Any, other: Any, expected: float = 0.0, *, of: int = 1) -> None:
    """Checks the correlation of independent pairs of normal numbers (Fisher's transformation).

    `of` is the number of correlations that a test checks.
    """
    found = np.corrcoef(one, other)[0, 1]
    bound = deviations(of) / math.sqrt(len(one) - 3)
    assert abs(math.atanh(found) - math.atanh(expected)) < bound


def check_white(values: Any, lags: int = 20) -> None:
    """Checks that values are uncorrelated with their successors."""
    for lag in range(1, lags + 1):
        check_correlation(values[lag:], values[:-lag], of=lags)
