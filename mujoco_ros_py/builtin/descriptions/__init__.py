"""What tells other programs how a robot is made and looks."""
