"""The files of models: their contents, names and export."""
