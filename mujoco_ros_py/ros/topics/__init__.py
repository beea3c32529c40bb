"""What the server publishes by itself."""
