"""Joint trajectories: splines through points, the goals of the action, and their tolerances."""
