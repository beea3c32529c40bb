import numpy as np
import pytest
from builtin_interfaces.msg import Time

from mujoco_ros_py.engine.messages import message_layout, set_time


@pytest.mark.parametrize(
    ('time_s', 'sec', 'nanosec'),
    [
        (0.0, 0, 0),
        (1.5, 1, 500_000_000),
        (0.9999999996, 1, 0),
        (-0.25, -1, 750_000_000),
        (1e300, 2**31 - 1, 0),
        (-float('inf'), -(2**31), 0),
        (float('nan'), 0, 0),
    ],
)
def test_a_time_is_split_to_the_nanosecond_and_clipped(time_s, sec, nanosec):
    stamp = np.zeros((), message_layout(Time))
    set_time(stamp, time_s)
    assert (stamp['sec'], stamp['nanosec']) == (sec, nanosec)


def test_many_stamps_are_set_at_once():
    stamps = np.zeros(3, message_layout(Time))
    set_time(stamps, 2.25)
    assert stamps.tolist() == [(2, 250_000_000)] * 3
