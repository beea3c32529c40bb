"""A domain for the tests with nodes, as the system tests have it."""

import os

# Without multicast (containers, CI) nodes find each other only after seconds otherwise.
os.environ.setdefault('ROS_AUTOMATIC_DISCOVERY_RANGE', 'LOCALHOST')

from system.conftest import domain

__all__ = ['domain']
