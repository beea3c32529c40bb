"""The services of states, keyframes, values and options, with types of this project."""
