"""Prevents all Python processes of the benchmarks from importing another checkout's package.

Python imports this module at startup, because its folder is on PYTHONPATH. Without it, the package
in the working directory or the installed package could take precedence over the measured one.
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
