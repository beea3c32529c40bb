"""Commands from topics, which controllers pass on to joints or to actuators."""
