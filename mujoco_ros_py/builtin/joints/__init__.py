"""Joints of the model: what is published of them."""
