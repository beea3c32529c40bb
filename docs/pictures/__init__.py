"""The pictures of the documentation; a function generates each picture."""
