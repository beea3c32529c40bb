"""Files that models name: their content, their names, and how they are exported."""
