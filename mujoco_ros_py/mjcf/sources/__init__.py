"""The text that a model was read from, and how it is edited as the model is."""
