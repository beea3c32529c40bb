"""Goals of actions: compiled code pursues one goal at a time, and reports its end."""
