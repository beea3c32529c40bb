"""The connection between a server and its viewer process; both import this package."""
