"""Composes models: attaches one to another, copies them, and writes several as one."""
