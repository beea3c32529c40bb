"""Models: their sources, their compilation in a separate process, and their checks."""
