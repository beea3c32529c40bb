"""Robot descriptions (URDF) for other programs."""
