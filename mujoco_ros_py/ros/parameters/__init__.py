"""The parameters of the server: declaration, checks, changes, protection, and session content."""
