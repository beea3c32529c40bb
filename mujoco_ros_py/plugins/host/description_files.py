"""Plugin description files: XML in the format of pluginlib, for Python classes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any

from lxml import etree

from ...config import is_plugin_type
from ...config.small_files import read_small_file
from ...errors import PluginError

MAX_BYTES = 2**20
CAMERAS = 'cameras'
"""The condition that the model has cameras, and their images can be rendered."""
JOINT_STATES = 'joint_states'
"""The condition that the server publishes joint states."""
_CONDITIONS = (CAMERAS, JOINT_STATES)
"""The conditions under which the server can load a plugin that is not listed."""


class Base(Enum):
    """The kinds of plugins, by base class; descriptions of all kinds are in the same files."""

    SERVER = 'MujocoPlugin', 'plugins', 'plugin type'
    ENGINE = 'EnginePlugin', 'engine_plugins', 'engine plugin type'

    def __init__(self, name: str, group: str, wording: str) -> None:
        self.base_class = f'mujoco_ros_py::{name}'
        """The name of the base class in description files."""
        self.entry_points = f'mujoco_ros_py.{group}'
        """The entry point group for classes of this kind."""
        self.wording = wording
        """The name of the kind in messages."""


@dataclass(frozen=True, slots=True)
class PluginDescription:
    """Where to find the class of a plugin type; the class is not imported yet."""

    name: str
    """The name of the type in configurations: ``package/Class``."""
    module: str
    """The name of the module to import."""
    qualname: str
    """The name of the class inside the module, dotted for a nested class."""
    description: str
    """A description for users; can be empty."""
    source: str
    """The location of the description, for messages: ``<file>:<line>``, or the entry point."""
    automatic_with: str = ''
    """The condition under which the server loads the plugin without an entry; empty: never."""
    parameter_groups: Mapping[str, str] = field(default_factory=dict)
    """Maps keys of the configuration to the groups of server parameters that fill them."""

    def __post_init__(self) -> None:
        if not is_plugin_type(self.name):
            raise PluginError(
                f'{self.source}: name must have the form package/Class, got {self.name!r}'
            )
        for path in (self.module, self.qualname):
            if not all(part.isidentifier() for part in path.split('.')):
                raise PluginError(
                    f'{self.source}: type must have the form python.module:Class,'
                    f' got {self.module!r}:{self.qualname!r}'
                )


def read_descriptions(
    path: Path, package: str, base: Base = Base.SERVER
) -> list[PluginDescription]:
    """Returns the plugins of one kind from a description file that `package` registers.

    Skips classes with another base class. Raises PluginError with file and line for anything
    invalid.
    """
    root = _root(path)
    if root.tag not in ('library', 'class_libraries'):
        raise _error(path, root, f'root must be library or class_libraries, got {root.tag}')
    libraries = [root] if root.tag == 'library' else _children(path, root, 'library')
    return [
        _description(path, package, library.get('path'), element)
        for library in libraries
        for element in _children(path, library, 'class')
        if _attribute(path, element, 'base_class_type') == base.base_class
    ]


def _root(path: Path) -> Any:
    """Parses the file, and refuses a document type: description files need no entities or DTDs."""
    content = read_small_file(path, MAX_BYTES, PluginError)
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        raise PluginError(f'{path}:{error.lineno}: {error.msg}') from error
    if root.getroottree().docinfo.doctype:
        raise PluginError(f'{path}: a document type (<!DOCTYPE>) is not accepted')
    return root


def _children(path: Path, parent: Any, tag: str) -> Iterator[Any]:
    for child in parent:
        if child.tag != tag:
            raise _error(path, child, f'{parent.tag} must contain only {tag}, got {child.tag}')
        yield child


def _attribute(path: Path, element: Any, name: str) -> str:
    value = element.get(name)
    if not value:
        known = ', '.join(element.keys()) or 'none'
        raise _error(path, element, f'{element.tag} must have the attribute {name}, got: {known}')
    return str(value)


def _description(path: Path, package: str, library: str | None, element: Any) -> PluginDescription:
    """Reads a <class> element.

    If its type does not name a module, the path of the <library> is the module. If it has no name,
    the name is package/Class; pluginlib would use the type, which is not a valid name here.
    """
    type_ = _attribute(path, element, 'type')
    module, colon, qualname = type_.rpartition(':')
    if not colon:
        module, qualname = library or '', type_
    if not module:
        raise _error(path, element, f'type must name its module, python.module:Class, got {type_}')
    return PluginDescription(
        name=element.get('name') or f'{package}/{qualname.rpartition(".")[2]}',
        module=module,
        qualname=qualname,
        description=' '.join((element.findtext('description') or '').split()),
        source=f'{path}:{element.sourceline}',
        automatic_with=_condition(path, element),
        parameter_groups={
            _attribute(path, each, 'key'): _attribute(path, each, 'group')
            for each in element.findall('parameters')
        },
    )


def _condition(path: Path, element: Any) -> str:
    """Returns the condition for loading an unlisted plugin; empty: never."""
    automatic = element.find('automatic')
    if automatic is None:
        return ''
    condition = _attribute(path, automatic, 'with')
    if condition not in _CONDITIONS:
        known = ', '.join(_CONDITIONS)
        raise _error(path, automatic, f'with must be one of {known}, got {condition!r}')
    return condition


def _error(path: Path, element: Any, rule: str) -> PluginError:
    return PluginError(f'{path}:{element.sourceline}: {rule}')
