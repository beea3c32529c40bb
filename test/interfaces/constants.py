"""Prints constants of types, and the only default value of a field, as JSON."""

import json
import sys
from importlib import import_module
from pathlib import Path

from simulation_interfaces.srv import StepSimulation


def found(name):
    package, kind, path = name.split('/')
    place = import_module(f'{package}.{kind}')
    for part in path.split('.'):
        place = getattr(place, part)
    return place


wanted = [line.split() for line in Path(sys.argv[1]).read_text().splitlines()]
values = {
    name: [f'{key}={getattr(found(name), key)}' for key, _ in (c.split('=') for c in constants)]
    for name, *constants in wanted
}
print(json.dumps([values, StepSimulation.Request().steps]))
