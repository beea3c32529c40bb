"""The elements of models: their places, their names, their defaults and their classes."""
