"""Fixtures of the system tests that these tests need as well."""

import os

# Without multicast (containers, CI) nodes find each other only after seconds otherwise.
os.environ.setdefault('ROS_AUTOMATIC_DISCOVERY_RANGE', 'LOCALHOST')

from system.conftest import domain, start

__all__ = ['domain', 'start']
