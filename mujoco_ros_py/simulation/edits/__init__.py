"""Changes of a model and its state by name, between two steps."""
