"""Sensors that combine several parts, such as inertial measurement units."""
