"""The named sensors of the model, each on its own topic."""
