"""Fits a model to recordings of a robot."""
