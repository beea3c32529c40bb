"""The files themselves: their form, writing, reading as far as they go, and repair."""
