"""The text that a model was read from, and its edits that follow the changes of the model."""
