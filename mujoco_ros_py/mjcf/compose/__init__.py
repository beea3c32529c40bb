"""Composes models: attaches them to each other, copies them, and writes several as one."""
