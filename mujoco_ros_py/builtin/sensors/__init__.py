"""Sensors: what a robot measures, as the messages that a real one sends."""
