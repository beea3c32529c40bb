"""Images of the model's cameras, and the cameras' TF frames."""
