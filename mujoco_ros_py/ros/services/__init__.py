"""The services of the server, and the sending of responses that come later."""
