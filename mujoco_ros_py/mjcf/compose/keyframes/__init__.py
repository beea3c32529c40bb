"""Merges the keys of attached models, so that each key covers the state of the whole model."""
