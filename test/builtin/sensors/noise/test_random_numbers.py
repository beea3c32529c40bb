"""The generator compared with its authors' known answers, and the normality of the numbers."""

from __future__ import annotations

import numpy as np
import pytest
from builtin.sensors.noise.chance import check_correlation, check_distribution, check_white
from builtin.sensors.noise.sampling import SAMPLES, normals, philox_words

pytestmark = pytest.mark.slow

KNOWN = [
    (
        '00000000 00000000 00000000 00000000', '00000000 00000000',
        '6627e8d5 e169c58d bc57ac4c 9b00dbd8',
    ),
    (
        'ffffffff ffffffff ffffffff ffffffff', 'ffffffff ffffffff',
        '408f276d 41c83b0e a20bc7c6 6d5451fd',
    ),
    (
        '243f6a88 85a308d3 13198a2e 03707344', 'a4093822 299f31d0',
        'd16cfe09 94fdcceb 5001e420 24126ea1',
    ),
]  # fmt: skip
"""Counter, key and answer of philox4x32-10 in the file kat_vectors of Random123."""
KEY = -0x0123456789ABCDEF
VARIED = ['keys', 'counters', 'lanes', 'purposes']


def words(text: str) -> list[int]:
    return [int(word, 16) for word in text.split()]


def joined(low: int, high: int) -> np.uint64:
    return np.uint64(high << 32 | low)


@pytest.mark.parametrize(('counter', 'key', 'answer'), KNOWN)
def test_the_generator_gives_the_known_answers(counter, key, answer):
    c, k, a = words(counter), words(key), words(answer)
    lane, purpose = np.uint64(c[2]), np.uint64(c[3])
    told = philox_words(joined(*k), joined(c[0], c[1]), lane, purpose)
    assert told == (joined(a[0], a[1]), joined(a[2], a[3]))


def varied(*names: str) -> np.ndarray:
    """Returns normal numbers for counting values of the named arguments, with others constant."""
    counting, still = np.arange(SAMPLES), np.full(SAMPLES, 3)
    arguments = {name: counting if name in names else still for name in VARIED}
    return normals(*(arguments[name] + (KEY if name == 'keys' else 0) for name in VARIED))


@pytest.mark.parametrize('name', VARIED)
def test_numbers_are_normal_and_white_whatever_counts_up(name):
    values = varied(name)
    check_distribution(values, 0.0, 1.0)
    check_white(values)
    check_white(values**2)


def test_numbers_of_different_ways_of_counting_are_independent():
    ways = [varied(name)[100:] for name in VARIED] + [varied('counters', 'lanes')[100:]]
    pairs = [(one, other) for k, one in enumerate(ways) for other in ways[:k]]
    for one, other in pairs:
        check_correlation(one, other, of=len(pairs))


def test_no_number_is_infinite_or_very_rare():
    values = varied('counters')
    assert np.all(np.isfinite(values))
    assert np.max(np.abs(values)) < 6.5
