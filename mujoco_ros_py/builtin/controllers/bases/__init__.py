"""Mobile bases: controllers that drive a robot by the velocity of its base."""
