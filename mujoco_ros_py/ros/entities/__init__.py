"""The node that plugins share, and the entities that they create on it."""
