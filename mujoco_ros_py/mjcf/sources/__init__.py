"""Edits the text that a model was read from, to follow changes of the model."""
