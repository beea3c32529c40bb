"""How long a test waits for what must come."""

DEADLINE_S = 300.0
"""The only limit of time in the tests: whatever reaches it hangs, however busy the machine is."""
