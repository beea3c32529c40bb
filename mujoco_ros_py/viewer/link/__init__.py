"""What a server and the process of its viewer tell each other, and how; both import it."""
