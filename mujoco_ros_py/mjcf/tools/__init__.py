"""Programs for working with MJCF files: the command line, and the functions that it calls."""
