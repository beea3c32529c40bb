"""Estimates the delay between a continuously changing command and the states.

The delay of a window of time is the maximum of the generalized cross-correlation of the
derivatives of command and response, interpolated by a parabola. The weights of the frequencies are
those of the maximum likelihood (Hannan-Thomson) processor in C. Knapp and G. Carter, "The
generalized correlation method for estimation of time delay" (1976), with the coherence of all
windows. This method cannot separate the delay from the phase of the robot's dynamics.
"""

from __future__ import annotations

import numpy as np

from .onsets import Delays
from .series import Array

_PARTS = 4
"""The points of the time grid per period of the states."""
_WINDOW = 4.0
"""The length of a window in units of the longest delay."""
_SHORTEST_WINDOW_S = 2.0
_EXCITED = 0.1
"""Windows in which the command has less energy than this part of the median are skipped."""
_RESOLUTION = 0.1
"""The standard deviation of the error that all delays share, in periods of the states."""
_COHERENT = 0.999
"""The maximum coherence; estimates above it are artefacts of a small number of windows."""
_LEAST_COHERENCE = 0.3
"""The minimum mean coherence, weighted by the command's energy, for an estimate."""
_FEWEST = 3
_MARGIN = 1.5
"""The error of a single delay, as a multiple of the smallest possible error."""


def correlated_delays(
    commands: tuple[Array, Array], states: tuple[Array, Array], longest: float, period: float
) -> Delays:
    """Returns a delay, at most `longest`, for each window of time with changes of the command.

    The arguments are the times in s and the values of commands and states. The result is empty if
    the states do not follow the command.
    """
    step = period / _PARTS
    begin, end = max(commands[0][0], states[0][0]), min(commands[0][-1] + longest, states[0][-1])
    grid = np.arange(begin, end, step)
    held = commands[1][np.maximum(np.searchsorted(commands[0], grid, 'right') - 1, 0)]
    response = np.interp(grid, *states)
    width = max(round(float(np.median(np.diff(commands[0]))) / step), _PARTS)
    command, motion = (each[width:] - each[:-width] for each in (held, response))
    most = round(longest / step)
    size = round(max(_WINDOW * longest, _SHORTEST_WINDOW_S) / step)
    error = _RESOLUTION * period
    if len(command) < most + _FEWEST * size:
        return Delays(values=np.zeros(0), noise=0.0, common=error, least=error)
    rough = _rough_lag(command, motion, most)
    command, motion = command[: len(command) - rough], motion[rough:]
    lags, noise = _windows(command, motion, size, (-rough, most - rough), 0.5 / width)
    return Delays(values=(lags + rough) * step, noise=noise * step, common=error, least=error)


def _rough_lag(command: Array, motion: Array, most: int) -> int:
    """Returns the lag with the largest correlation in the whole recording."""
    length = len(command) + most + 1
    spectrum = np.conj(np.fft.rfft(command, length)) * np.fft.rfft(motion, length)
    return int(np.argmax(np.abs(np.fft.irfft(spectrum, length)[: most + 1])))


def _windows(
    command: Array, motion: Array, size: int, bounds: tuple[int, int], highest: float
) -> tuple[Array, float]:
    """Returns the lag in each window, within bounds, and the deviation of its error, in points.

    `highest` is half of the rate of the commands, in cycles per point. Energy above this frequency
    is ignored: it comes from the steps between commands, which repeat with the period of the
    commands.
    """
    taper = np.hanning(size)
    count = len(command) // size
    pairs = [
        each[: count * size].reshape(count, size) - np.mean(each) for each in (command, motion)
    ]
    energy = np.var(pairs[0], axis=1)
    used = energy > _EXCITED * np.median(energy)
    one, two = (np.fft.rfft(each[used] * taper, axis=1) for each in pairs)
    cross = np.conj(one) * two
    power = np.mean(np.abs(one) ** 2, axis=0)
    mean = np.abs(np.mean(cross, axis=0))
    coherence = mean**2 / np.maximum(power * np.mean(np.abs(two) ** 2, axis=0), 1e-300)
    number = len(one)
    coherence = np.clip((number * coherence - 1.0) / max(number - 1, 1), 0.0, _COHERENT)
    if number < _FEWEST or float(coherence @ power) < _LEAST_COHERENCE * float(np.sum(power)):
        return np.zeros(0), 0.0
    frequencies = np.fft.rfftfreq(size)
    ratio = coherence / (1.0 - coherence) * (frequencies < highest)
    correlation = np.fft.irfft(cross * ratio / np.maximum(mean, 1e-300), size, axis=1)
    sign = np.sign(np.sum(np.real(np.mean(cross, axis=0)) * ratio / np.maximum(mean, 1e-300)))
    lags = np.array([_peak(sign * each, bounds) for each in correlation])
    information = 2.0 * float(np.sum((2.0 * np.pi * frequencies) ** 2 * ratio))
    return lags, _MARGIN / max(information, 1e-12) ** 0.5


def _peak(correlation: Array, bounds: tuple[int, int]) -> float:
    """Returns the lag of the largest correlation within bounds, interpolated by a parabola."""
    half = len(correlation) // 2
    low, high = max(bounds[0], -half + 1), min(bounds[1], half - 2)
    near = np.roll(correlation, half)[half + low - 1 : half + high + 2]
    place = int(np.argmax(near[1:-1])) + 1
    before, peak, after = near[place - 1 : place + 2]
    bend = 2.0 * peak - before - after
    move = 0.5 * (after - before) / bend if bend > 0.0 else 0.0
    return float(low + place - 1 + np.clip(move, -0.5, 0.5))
