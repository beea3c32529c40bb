"""Sensors that measure distances along rays: laser scanners, lidars, range finders."""
