"""Sensors that consist of several parts, such as inertial measurement units."""
