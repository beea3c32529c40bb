"""Writes elements as XML in a given form."""
