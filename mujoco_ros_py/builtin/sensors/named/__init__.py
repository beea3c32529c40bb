"""The named sensors of the model, each on a topic of its own."""
