"""The internals of numba that the engine relies on, which are too many for one file.

`numba_internals` is for code that compiles, `numba_registry` for taking back what was registered.
"""
