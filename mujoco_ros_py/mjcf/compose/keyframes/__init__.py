"""Keys of models that are attached to each other: each has the numbers of all of them."""
