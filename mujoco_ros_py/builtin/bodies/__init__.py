"""Plugins that apply external wrenches to bodies, and plugins that move mocap bodies."""
