"""Converts models to MuJoCo's MjSpec and back."""
