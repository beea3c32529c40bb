"""The internals of numba (in its folder) and of llvmlite that the engine relies on.

`test/engine/foreign` checks each of these, and reports which of them a new version has lost.
"""
