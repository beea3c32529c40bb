"""Plugins that record a run, and replay recorded commands."""
