"""A ROS 2 simulation server for MuJoCo: plugins, services and a compiled physics loop."""

__version__ = '1.0.0'
