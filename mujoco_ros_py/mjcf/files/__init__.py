"""The files that models name: their contents, their names and their export."""
