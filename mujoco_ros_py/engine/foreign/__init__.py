"""The internals of other libraries that the engine relies on, one file for each library.

`test/engine/foreign` checks each of these, and tells which one a new version has lost.
"""
