"""Contacts between the things of a model."""
