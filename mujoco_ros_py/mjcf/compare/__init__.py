"""Compares two elements: whether they have the same content, and where they differ."""
