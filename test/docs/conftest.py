"""The fixtures of the system tests, which these tests use too."""

import os

# Without multicast (containers, CI), discovery would otherwise take seconds.
os.environ.setdefault('ROS_AUTOMATIC_DISCOVERY_RANGE', 'LOCALHOST')

from system.conftest import domain, start

__all__ = ['domain', 'start']
