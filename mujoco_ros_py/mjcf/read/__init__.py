"""Models made from what is written in strings, files and zips."""
