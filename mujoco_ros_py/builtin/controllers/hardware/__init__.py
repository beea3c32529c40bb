"""Hardware for ros2_control, with the controller manager in another process."""
