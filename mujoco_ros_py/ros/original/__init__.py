"""The services and the action of the original server, with its own types, for its clients."""
