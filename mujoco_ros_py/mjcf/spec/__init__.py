"""Models as MuJoCo's MjSpec, and back."""
