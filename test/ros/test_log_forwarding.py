from __future__ import annotations

import inspect
import logging
from contextlib import contextmanager

import pytest
from rcl_interfaces.msg import Log
from system.harness import wait_until

from mujoco_ros_py.ros.main import forwarded_logs

_log = logging.getLogger('mujoco_ros_py.trial')


@contextmanager
def forwarded(node):
    """Yields the entries of /rosout that come from this file."""
    entries: list[Log] = []
    listener = node.create_subscription(Log, '/rosout', entries.append, 100)
    wait_until(lambda: node.count_publishers('/rosout'), 'the publisher of the log')
    with forwarded_logs(node.get_logger()):
        wait_until(lambda: _log.info('is anybody there?') or entries, 'the first entry')
        yield entries
    node.destroy_subscription(listener)


def entry(entries, text) -> Log:
    return wait_until(
        lambda: next((each for each in entries if each.msg.startswith(text)), None), text
    )


@pytest.mark.parametrize(
    ('level', 'severity'),
    [
        (logging.INFO, Log.INFO),
        (logging.WARNING, Log.WARN),
        (logging.ERROR, Log.ERROR),
        (logging.CRITICAL, Log.FATAL),
        (logging.WARNING + 5, Log.WARN),
        (logging.CRITICAL + 50, Log.FATAL),
    ],
)
def test_an_entry_has_the_severity_and_the_place_where_it_was_logged(new_node, level, severity):
    frame = inspect.currentframe()
    with forwarded(new_node('logging')) as entries:
        line = frame.f_lineno + 1
        _log.log(level, 'said %d times', 3)
        found = entry(entries, 'said 3 times')
    assert (found.level, found.name) == (severity, 'logging')
    assert (found.function, found.file, found.line) == (frame.f_code.co_name, __file__, line)


def test_an_entry_below_the_level_of_the_logger_is_left_out(new_node):
    with forwarded(new_node('logging')) as entries:
        _log.debug('a detail')
        _log.info('what comes after it')
        entry(entries, 'what comes after it')
    assert 'a detail' not in [each.msg for each in entries]


def test_an_error_comes_with_its_traceback(new_node):
    with forwarded(new_node('logging')) as entries:
        try:
            raise ValueError('too large')
        except ValueError:
            _log.exception('it failed')
        found = entry(entries, 'it failed')
    assert found.msg.startswith('it failed\nTraceback (most recent call last):\n')
    assert found.msg.endswith('ValueError: too large')


def test_afterwards_the_log_goes_where_it_went_before(new_node, caplog):
    root = logging.getLogger('mujoco_ros_py')
    before = root.level, root.propagate, list(root.handlers)
    with forwarded(new_node('logging')):
        pass
    assert (root.level, root.propagate, root.handlers) == before
    _log.warning('of no node')
    assert 'of no node' in caplog.text
