"""What the engine relies on inside other people's libraries, one file for each library.

`test/engine/foreign` looks for each of these things, and says which one a new version has lost.
"""
