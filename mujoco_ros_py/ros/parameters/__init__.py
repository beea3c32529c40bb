"""The parameters of the server: declaration, checks, changes, protection, and what they name."""
