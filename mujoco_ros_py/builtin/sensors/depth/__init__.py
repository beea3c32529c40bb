"""Points that a depth camera sees."""
