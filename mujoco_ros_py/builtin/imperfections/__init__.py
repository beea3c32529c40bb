"""Imperfections of a robot: late and lost messages, faulty encoders, sensors and actuators."""
