"""The standard services of simulators and their action, with the types that are installed."""
