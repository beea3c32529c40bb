"""Models: where they come from, their compilation in a process of its own, and their checks."""
