"""Tools for MJCF files: the command line, and the functions behind it."""
