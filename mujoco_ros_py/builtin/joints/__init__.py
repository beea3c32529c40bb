"""Plugins that publish the states of joints."""
