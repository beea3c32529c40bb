"""Mobile bases: controllers that follow velocity commands for the base of a robot."""
