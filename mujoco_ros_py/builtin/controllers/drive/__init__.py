"""The drive of joints: turns commands into the controls of whatever actuators the model has."""
