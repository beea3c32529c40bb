"""The standard services of simulators and their action, in the version that is installed."""
