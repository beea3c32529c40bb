"""Merges the keys of attached models; each written key covers the state of the whole model."""
