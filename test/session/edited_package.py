"""A user's package that a test writes and edits, installed as pip installs it."""

from __future__ import annotations

import itertools
import os
import sys
from pathlib import Path
from types import ModuleType

_numbers = itertools.count()

CONTROLLER = """
from dataclasses import dataclass

from mujoco_ros_py.plugins import Adaptable, MujocoPlugin, compiled, new_state, ranged

from .gains import GAIN


@dataclass(frozen=True)
class Config:
    '''The configuration of the controller.'''

    offset: float = ranged(0.0, live=True)
    '''What is added.'''


class Controller(MujocoPlugin[Config]):
    def control_callback(self, model, data):
        data.ctrl[0] = GAIN + self.config.offset


class Compiled(MujocoPlugin[Config]):
    def load(self, model, data):
        self.state = new_state(offset=self.config.offset)

    @staticmethod
    @compiled
    def control_callback(state, model, data):
        data.ctrl[0] = GAIN + state.offset


class Staying(MujocoPlugin[Config], Adaptable):
    def adapt(self, model, data):
        pass
"""


class EditedPackage:
    """A package with the modules `controller` and `gains`, to which a test can add others."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.name = f'edited_robot_{next(_numbers)}'
        self.write('__init__', '')
        self.write('gains', 'GAIN = 1.0\n')
        self.write('controller', CONTROLLER)
        self.offer(*(f'controller:{each}' for each in ('Controller', 'Compiled', 'Staying')))

    def write(self, module: str, source: str) -> Path:
        """Writes a module without changing the time of its file, as the coarsest clock would."""
        path = self.folder / self.name / f'{module}.py'
        path.parent.mkdir(exist_ok=True)
        before = path.stat().st_mtime_ns if path.exists() else None
        path.write_text(source)
        if before is not None:
            os.utime(path, ns=(before, before))
        return path

    def replace(self, module: str, old: str, new: str) -> Path:
        """Replaces a text in a module."""
        path = self.folder / self.name / f'{module}.py'
        source = path.read_text()
        assert old in source
        return self.write(module, source.replace(old, new))

    def offer(self, *classes: str, group: str = 'plugins') -> None:
        """Adds the entry points of classes, each given as `module:Class`."""
        information = self.folder / f'{self.name}_{next(_numbers)}-1.0.dist-info'
        information.mkdir()
        (information / 'METADATA').write_text(f'Name: {self.name}\nVersion: 1.0\n')
        rows = [f'{self.type(each)} = {self.name}.{each}\n' for each in classes]
        (information / 'entry_points.txt').write_text(f'[mujoco_ros_py.{group}]\n{"".join(rows)}')

    def type(self, name: str) -> str:
        """Returns the type of a class."""
        return f'{self.name}/{name.rpartition(":")[2]}'

    def module(self, name: str) -> ModuleType:
        """Returns a module as it is imported."""
        return sys.modules[f'{self.name}.{name}']

    def modules(self) -> dict[str, ModuleType]:
        """Returns all modules of the package that are imported, by name."""
        return {n: m for n, m in sys.modules.items() if n.partition('.')[0] == self.name}

    def forget(self) -> None:
        """Makes Python import the package from scratch, as in a new process."""
        for name in self.modules():
            del sys.modules[name]
