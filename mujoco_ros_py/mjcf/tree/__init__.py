"""The elements of models: their places, names, defaults and classes."""
