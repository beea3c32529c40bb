"""Goals of actions: compiled code pursues one at a time, and tells when it has ended."""
