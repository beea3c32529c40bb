"""The layout of a state, saved states, their bytes, and what another model takes over."""
