"""Hardware as ros2_control has it, for a controller manager in another process."""
