"""The schema of the installed MuJoCo: its table, corrected with MuJoCo's printed schema."""

import warnings
from collections.abc import Iterable, Mapping
from functools import cache
from typing import TypeVar

import mujoco

from .printed import Printed, complete, printed_schema
from .specs import AttributeSpec, ElementSpec
from .table_reader import read_table
from .tables import table_for, version_of, version_written

_T = TypeVar('_T')

_Found = dict[ElementSpec, dict[Printed, str]]
"""The printed elements of each spec with their paths; a spec shared through `see` is printed
several times."""


class SchemaWarning(UserWarning):
    """Warns that MuJoCo is newer than the schema table; new attributes become strings."""


@cache
def root() -> ElementSpec:
    """Returns the spec of <mujoco>, which must not be modified.

    Warns if MuJoCo is newer than the table.
    """
    return installed_schema(table_for(version_of(mujoco.__version__)).read_text())


def installed_schema(table: str) -> ElementSpec:
    """Returns the schema in a table.

    If the table is for another version, corrects it with the schema that MuJoCo prints.
    """
    spec = read_table(table)
    if version_written(table) != mujoco.__version__:
        added = _correct(spec, printed_schema())
        if added:
            _warn(version_written(table), added)
    return spec


def _warn(version: str, added: list[str]) -> None:
    text = (
        f'MuJoCo {mujoco.__version__} is newer than the schema ({version}), which therefore treats'
        ' these additions as strings'
    )
    warnings.warn(f'{text}: {", ".join(added)}', SchemaWarning, stacklevel=4)


def _correct(root: ElementSpec, printed: Printed) -> list[str]:
    """Makes a tree match the printed schema; returns the added elements and attributes."""
    found: _Found = {}
    _collect(root, complete(printed), '', found)
    added = [name for spec, places in found.items() for name in _add(spec, places)]
    for spec, places in found.items():
        _drop(spec, places)
    return added


def _collect(spec: ElementSpec, printed: Printed, path: str, found: _Found) -> None:
    places = found.setdefault(spec, {})
    if printed in places:
        return
    places[printed] = path
    for tag, child in printed.children.items():
        if tag in spec.children:
            _collect(spec.children[tag], child, f'{path}/{tag}'.lstrip('/'), found)


def _add(spec: ElementSpec, places: dict[Printed, str]) -> list[str]:
    added = []
    for printed, path in places.items():
        for name in _missing(printed.attributes or (), spec.attributes):
            spec.attributes[name] = AttributeSpec(name, 'string')
            added.append(f'{path}@{name}')
        for tag in _missing(printed.children, spec.children):
            spec.children[tag] = _new(printed.children[tag])
            added.append(f'{path}/{tag}'.lstrip('/'))
    return added


def _missing(names: Iterable[str], known: Mapping[str, object]) -> list[str]:
    return [name for name in names if name not in known]


def _new(printed: Printed) -> ElementSpec:
    children = {tag: _new(child) for tag, child in printed.children.items()}
    attributes = {name: AttributeSpec(name, 'string') for name in printed.attributes or ()}
    repeated = printed.mark in '*R'
    return ElementSpec(printed.tag, None, repeated, not repeated, attributes, children)


def _drop(spec: ElementSpec, places: dict[Printed, str]) -> None:
    if None not in [printed.attributes for printed in places]:
        printed_names = {name for printed in places for name in printed.attributes or ()}
        _keep(spec.attributes, printed_names)
    _keep(spec.children, {tag for printed in places for tag in printed.children})


def _keep(known: dict[str, _T], names: set[str]) -> None:
    for name in known.keys() - names:
        del known[name]
