"""A folder on the path, with packages whose names are unique among the tests."""

from __future__ import annotations

import itertools
import os
import sys
import time
from pathlib import Path
from types import ModuleType

from mujoco_ros_py.user_modules import import_user_module

_numbers = itertools.count()


class Site:
    """A folder with packages that a test writes and edits."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.package = self.new_package()

    def new_package(self) -> str:
        """Returns the name of another package, which is empty."""
        name = f'edited_{next(_numbers)}'
        self.write(f'{name}/__init__', '')
        return name

    def write(self, path: str, source: str) -> Path:
        """Writes a file as an editor does that keeps its time and, if need be, its size."""
        file = self.folder / f'{path}.py'
        file.parent.mkdir(parents=True, exist_ok=True)
        before = file.stat().st_mtime_ns if file.exists() else time.time_ns()
        file.write_text(source)
        os.utime(file, ns=(before, before))
        return file

    def edit(self, module: str, source: str) -> Path:
        """Writes a module of the package."""
        return self.write(f'{self.package}/{module}', source)

    def enter(self, module: str) -> ModuleType:
        """Imports a module of the package as the module of a plugin."""
        return import_user_module(f'{self.package}.{module}')

    def now(self, module: str = '') -> ModuleType | None:
        """Returns a module of the package, or the package, as it is imported."""
        return sys.modules.get('.'.join(filter(None, (self.package, module))))
