"""The recording files: their format, writing, reading (also of damaged files), and repair."""
