"""The services of the server, and how responses are sent later."""
