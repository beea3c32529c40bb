"""The node that plugins share, and what they create on it."""
