"""Elements: their place in a model, their names, their defaults, and a class for each tag."""
