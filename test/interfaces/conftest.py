"""Fixtures with a ROS domain for tests with nodes, as in the system tests."""

import os

# Without multicast (containers, CI) nodes find each other only after seconds otherwise.
os.environ.setdefault('ROS_AUTOMATIC_DISCOVERY_RANGE', 'LOCALHOST')

from system.conftest import domain

__all__ = ['domain']
