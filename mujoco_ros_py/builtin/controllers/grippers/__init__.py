"""Grippers: controllers that move fingers to a position by an action, and report stalls."""
