"""Applies the <mujoco> element of a URDF, which holds MJCF that URDF cannot express."""

from __future__ import annotations

from posixpath import basename, join
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from ..errors import MjcfError
from ..mjcf import RootElement, from_xml_string
from .files import RobotFiles
from .robot import Robot
from .tag import Tag

_NO_PACKAGE = 'package:///'
_TAG, _COMPILER = 'mujoco', 'compiler'
_FOLDERS = {'mesh': ('meshdir', 'assetdir'), 'texture': ('texturedir', 'assetdir')}


class MujocoExtension:
    """The <mujoco> elements of a robot; without them, the methods change nothing."""

    def __init__(self, robot: Robot) -> None:
        self._tags = list(robot.tag.all(_TAG))
        compilers = [each for tag in self._tags for each in tag.all(_COMPILER)]
        self._compiler = {key: text for each in compilers for key, text in each.attributes.items()}

    def files(self, kind: str, name: str) -> list[str]:
        """Returns the candidate names of a file; `kind` is mesh or texture.

        The first candidate is in the folder set by the <compiler> element. The last is the name
        as written, because many robots repeat the folder in the name.
        """
        if name.startswith(_NO_PACKAGE):
            return [name, *self.files(kind, name.removeprefix(_NO_PACKAGE))]
        if '://' in name:
            return [name]
        stripped = self._compiler.get('strippath') == 'true'
        path = basename(name.replace('\\', '/')) if stripped else name
        folder = next((self._compiler[key] for key in _FOLDERS[kind] if key in self._compiler), '')
        return list(dict.fromkeys([join(folder, path), name]))

    def add_to(self, model: RootElement, files: RobotFiles) -> None:
        """Adds the MJCF to the model. Raises UrdfError for invalid or conflicting MJCF."""
        for tag in self._tags:
            others = (each for each in tag.children if each.name != _COMPILER)
            text = f'<mujoco>{"".join(map(_written, others))}</mujoco>'
            try:
                for each in tag.all(_COMPILER):
                    model.compiler.set_attributes(**_settings(each))
                other = from_xml_string(text, model_dir=files.folder, resolve_references=False)
                model.include_copy(other)
            except (ValueError, AttributeError) as error:
                reason = error.reason if isinstance(error, MjcfError) else ''
                raise tag.error(reason or error) from None


def _settings(compiler: Tag) -> dict[str, Any]:
    """Returns the attributes of a compiler element, except for angles and file folders."""
    folders = {key for keys in _FOLDERS.values() for key in keys}
    left_out = {'angle', 'strippath', *folders}
    return {key: text for key, text in compiler.attributes.items() if key not in left_out}


def _written(tag: Tag) -> str:
    """Returns an element as XML text."""
    attributes = ''.join(f' {key}={quoteattr(text)}' for key, text in tag.attributes.items())
    inside = ''.join(map(_written, tag.children)) or escape(tag.text.strip())
    return f'<{tag.name}{attributes}>{inside}</{tag.name}>'
