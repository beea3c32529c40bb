"""What the engine relies on inside numba, a folder, and llvmlite, with its loader apart.

`test/engine/foreign` checks each of these, and tells which one a new version has lost.
"""
