"""Markers that show a model and its state in RViz and Foxglove, without a URDF."""
