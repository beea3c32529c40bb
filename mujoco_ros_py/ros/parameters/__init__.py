"""The parameters of the server: declared, checked, changed and protected, and what they name."""
