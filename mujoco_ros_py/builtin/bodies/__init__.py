"""Bodies that are moved from outside: pushed by wrenches, or placed as mocap bodies."""
