"""The page for browsers: its process, and its access control."""
