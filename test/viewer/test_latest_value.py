"""One process writes values, and another reads the newest complete value."""

import mmap
import threading

from mujoco_ros_py.viewer.link.latest_value import LatestValue


def pair(capacity):
    memory = mmap.mmap(-1, LatestValue.size(capacity))
    return LatestValue(memory, 0, capacity), LatestValue(memory, 0, capacity)


def test_a_value_is_read_once():
    writer, reader = pair(10)
    assert reader.read() is None
    assert writer.write(b'hello')
    assert reader.read() == b'hello'
    assert reader.read() is None


def test_the_newest_value_counts():
    writer, reader = pair(10)
    for text in (b'one', b'two', b''):
        writer.write(text)
    assert reader.read() == b''


def test_a_value_that_is_too_long_changes_nothing():
    writer, reader = pair(4)
    writer.write(b'1234')
    assert not writer.write(b'12345')
    assert reader.read() == b'1234'


def test_a_reader_never_gets_a_mixture_of_two_values():
    writer, reader = pair(20_000)
    over = threading.Event()

    def write():
        for number in range(3_000):
            writer.write(bytes([number % 256]) * 20_000)
        over.set()

    thread = threading.Thread(target=write)
    thread.start()
    while not over.is_set():
        value = reader.read()
        assert value is None or value == value[:1] * 20_000
    thread.join()
    assert reader.read() is not None or value is not None
