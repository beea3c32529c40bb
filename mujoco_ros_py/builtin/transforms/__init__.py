"""Poses of bodies: TF, and the odometry of a floating base."""
