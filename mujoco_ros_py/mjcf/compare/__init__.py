"""Whether two elements say the same, and what they say differently."""
