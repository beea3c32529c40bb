"""Poses of bodies on TF, and odometry of a floating base."""
