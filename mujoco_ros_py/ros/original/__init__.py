"""The services and the action of the original server, with its types, for its clients."""
