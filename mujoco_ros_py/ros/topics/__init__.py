"""The topics that the server publishes by itself."""
