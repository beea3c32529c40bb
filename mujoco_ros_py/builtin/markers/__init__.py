"""What RViz and Foxglove draw of a model and of its state, without a URDF."""
