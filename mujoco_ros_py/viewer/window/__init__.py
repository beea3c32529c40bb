"""The process of the window on this machine."""
