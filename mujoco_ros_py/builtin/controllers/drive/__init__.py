"""Drives joints: converts commands to controls, for any kind of actuator in the model."""
