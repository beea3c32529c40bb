"""Refuses the package of another checkout, in each Python process of the benchmarks.

Python imports this module at its start, as the folder is on PYTHONPATH. Without it the working
directory, or the checkout that is installed, might come before the checkout that is measured.
"""

import os
import sys
from importlib.machinery import PathFinder

_PACKAGE = 'mujoco_ros_py'
_FILE = os.path.join(__file__.rsplit(os.sep, 3)[0], _PACKAGE, '__init__.py')


class _Guard:
    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        if name == _PACKAGE:
            found = PathFinder.find_spec(name)
            if found is None or found.origin != _FILE:
                raise ImportError(f'{_FILE} must be imported, not {found and found.origin}')


sys.meta_path.insert(0, _Guard)
