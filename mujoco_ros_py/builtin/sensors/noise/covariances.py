"""Compiled: covariances of messages that follow from the noise."""

from __future__ import annotations

from typing import Any

from ....plugins.compiled_code import inlined


@inlined
def variance(noise: Any) -> Any:
    """Returns the variance of what is independent in each measurement: white noise and rounding.

    Rounding to steps of a precision adds its square over 12, as a uniform distribution has.
    """
    if noise.on == 0:
        return 0.0
    return noise.stddev * noise.stddev + noise.precision * noise.precision / 12


@inlined
def set_variances(covariance: Any, noises: Any) -> None:
    """Writes the variances of three axes into a covariance of nine numbers, row by row."""
    for axis in range(3):
        covariance[4 * axis] = variance(noises[axis])


@inlined
def set_covariance(covariance: Any, given: bool, numbers: Any, noises: Any) -> None:
    """Writes the nine numbers that are given, or the variances of three axes."""
    if given:
        for k in range(9):
            covariance[k] = numbers[k]
    else:
        set_variances(covariance, noises)
