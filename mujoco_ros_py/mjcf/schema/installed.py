"""The schema of the installed MuJoCo: its table, corrected by what MuJoCo prints."""

from functools import cache

import mujoco

from .reading import read_table
from .specs import ElementSpec
from .tables import table_for, version_of


@cache
def root() -> ElementSpec:
    """The element `mujoco`."""
    return read_table(table_for(version_of(mujoco.__version__)).read_text())
