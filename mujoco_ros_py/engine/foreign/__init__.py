"""What the engine relies on inside numba and llvmlite: a file or a folder for each.

`test/engine/foreign` checks each of these, and tells which one a new version has lost.
"""
