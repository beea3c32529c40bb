"""Programs for people who work with MJCF files: the command line and what it calls."""
