"""Grippers: controllers that offer an action to move the fingers, and report stalls."""
