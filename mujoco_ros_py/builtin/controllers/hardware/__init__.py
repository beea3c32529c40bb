"""Simulated hardware for ros2_control, whose controller manager runs in another process."""
