"""The page for browsers: what its process runs, and who may see it."""
