"""Controllers that forward commands from topics to joints or actuators."""
