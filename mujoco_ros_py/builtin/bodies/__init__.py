"""Plugins that act on bodies from outside: wrenches and the poses of mocap bodies."""
