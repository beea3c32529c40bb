"""Saved states: their layout, checks and bytes, and the transfer of states between models."""
