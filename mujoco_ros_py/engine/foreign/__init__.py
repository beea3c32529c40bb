"""The internals of numba (in its folder) and of llvmlite that the engine relies on.

`test/engine/foreign` checks each of these, and reports any that a new version has removed.
"""
