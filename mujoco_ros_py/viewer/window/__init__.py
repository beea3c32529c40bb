"""The window on this machine: what its process runs."""
