"""Checks for the libraries of identifications, when the package is imported."""

from __future__ import annotations

from importlib import import_module

from ..errors import ConfigError

_LIBRARIES = 'mujoco.sysid', 'scipy.optimize', 'plotly'


class MissingLibraryError(ConfigError, ModuleNotFoundError):
    """A library is not installed."""


def check_libraries() -> None:
    """Raises MissingLibraryError, with the command to install them, if libraries are missing."""
    for name in _LIBRARIES:
        try:
            import_module(name)
        except ModuleNotFoundError as error:
            raise MissingLibraryError(
                f'identification needs the library {error.name or name}:'
                " pip install 'mujoco_ros_py[identify]'"
            ) from None


check_libraries()
