"""Cameras of the model: their images, and the TF frames that these are in."""
