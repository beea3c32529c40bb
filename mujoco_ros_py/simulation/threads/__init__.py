"""Threads that run callbacks: queues, owners of callbacks, time limits and the watchdog."""
