"""Point clouds from depth cameras."""
