"""The XML of whatever has a tag, attributes and children, in the form that is asked for."""
