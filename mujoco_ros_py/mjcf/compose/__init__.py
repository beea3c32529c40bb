"""Models made of several: attached to each other, copied, and written as one."""
