"""What records a run."""
