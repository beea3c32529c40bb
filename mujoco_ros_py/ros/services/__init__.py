"""The services of the server, whose responses may be sent later."""
