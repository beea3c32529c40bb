"""Joint trajectories: splines through points, action goals, and tolerances."""
