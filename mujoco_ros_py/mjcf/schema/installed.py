"""The schema of the installed MuJoCo: its table, corrected by what MuJoCo prints."""

import warnings
from functools import cache

import mujoco

from .correction import correct
from .printed import printed_schema
from .specs import ElementSpec
from .table_reader import read_table
from .tables import table_for, version_of, version_written


class SchemaWarning(UserWarning):
    """The warning that MuJoCo is newer than its table; new attributes are taken as strings."""


@cache
def root() -> ElementSpec:
    """Returns the element `mujoco`, which must not be changed.

    Warns if MuJoCo is newer than the table.
    """
    return installed_schema(table_for(version_of(mujoco.__version__)).read_text())


def installed_schema(table: str) -> ElementSpec:
    """Returns the tree of a table, corrected unless the table is that of the installed version."""
    spec = read_table(table)
    if version_written(table) != mujoco.__version__:
        added = correct(spec, printed_schema())
        if added:
            _warn(version_written(table), added)
    return spec


def _warn(version: str, added: list[str]) -> None:
    text = f'MuJoCo {mujoco.__version__} is newer than its schema, of {version}; taken as strings'
    warnings.warn(f'{text}: {", ".join(added)}', SchemaWarning, stacklevel=4)
