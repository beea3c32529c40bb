"""The plugin that follows a running robot, and reports where it leaves the model."""
