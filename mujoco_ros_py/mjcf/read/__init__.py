"""Reads models from strings, files and zip files."""
