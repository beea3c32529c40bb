"""Selects the robot to describe, and produces its description."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mujoco
from lxml import etree

from ...cache_folder import cache_folder
from ...config import unknown
from ...errors import PluginError
from ...urdf import to_urdf
from ..transforms.subtrees import own_bodies
from ..transforms.tf_topics import body_name

Xml = Any
"""An lxml element, whose class has no public name."""
_WORLD = 'world'
_SHOWN_BY_RVIZ = '.stl', '.obj', '.dae'
_READ_BY_RVIZ = 'package://', 'file://', 'http://', 'https://'


@dataclass(frozen=True, kw_only=True, slots=True)
class DescribedRobot:
    """A robot of a model, described by its original URDF or by a URDF written from the model."""

    model: mujoco.MjModel
    prefix: str
    """The prefix of the robot's element names in the model."""
    root: str
    """The name of the robot's root body in the model."""
    came: str = ''
    """The URDF that the robot was read from; if empty, the description is written from the
    model."""

    def text(self, mesh_folder: Path) -> str:
        """Returns the URDF. Raises OSError if the mesh folder cannot be written."""
        if self.came:
            return self.came
        if self.model.nmesh:
            mesh_folder.mkdir(parents=True, exist_ok=True)
        return to_urdf(
            self.model,
            root=self.root,
            body_prefix=self.prefix,
            joint_prefix=self.prefix,
            mesh_uri=_mesh_uri,
            mesh_folder=str(mesh_folder),
        )


def described_robot(model: mujoco.MjModel, prefix: str, body: str, urdf: str) -> DescribedRobot:
    """Returns the robot at a body; if `body` is empty, the group's robot or else the whole model.

    `urdf` is the text that the robot was read from. It is the description if `body` is empty or
    the URDF's root link; otherwise the description is written from the model. Raises PluginError
    if the body does not exist, or if the root is ambiguous.
    """
    names = [body_name(model, each) for each in range(model.nbody)]
    if urdf and body in ('', root_link(urdf)):
        return DescribedRobot(model=model, prefix=prefix, root=f'{prefix}{body}', came=urdf)
    root = body if body == _WORLD else f'{prefix}{body}'
    if not body:
        root = _top(model, names, prefix) if prefix else _WORLD
    elif root not in names:
        raise PluginError(f'body: {unknown("body", root, names)}')
    return DescribedRobot(model=model, prefix=prefix, root=root)


def root_link(urdf: str) -> str:
    """Returns the root link of a URDF; empty for a text without links."""
    robot = parsed(urdf)
    children = {child.get('link') for child in robot.iterfind('joint/child')}
    roots = (link.get('name', '') for link in robot.iterfind('link'))
    return next((name for name in roots if name not in children), '')


def parsed(urdf: str) -> Xml:
    """Parses a URDF, ignoring the encoding that its text declares; returns the root element."""
    parser = etree.XMLParser(encoding='utf-8', resolve_entities=False, no_network=True)
    return etree.fromstring(urdf.encode(errors='surrogateescape'), parser)


def default_mesh_folder() -> Path:
    """Returns the mesh folder in the user's cache."""
    return cache_folder().absolute() / 'meshes'


def _top(model: mujoco.MjModel, names: Sequence[str], prefix: str) -> str:
    """Returns the root body of a group's robot."""
    own = own_bodies(model, prefix)
    tops = [body for body in sorted(own) if int(model.body_parentid[body]) not in own]
    if not tops:
        raise PluginError(f'no body has the prefix of the group: {unknown("body", prefix, names)}')
    if tops[1:]:
        told = ', '.join(names[body].removeprefix(prefix) for body in tops)
        raise PluginError(
            f'body: the robot has {len(tops)} root bodies: {told}; name the one to describe'
        )
    return names[_below_attachment(model, tops[0], names, prefix)]


def _below_attachment(model: mujoco.MjModel, top: int, names: Sequence[str], prefix: str) -> int:
    """Returns the only child of `top` if `top` is an empty attachment body; otherwise `top`."""
    children = [int(body) for body in range(1, model.nbody) if model.body_parentid[body] == top]
    is_empty = names[top] == prefix and not model.body_geomnum[top]
    return children[0] if is_empty and len(children) == 1 else top


def _mesh_uri(name: str, path: str) -> str | None:
    """Returns a mesh's URI if RViz can read it; None if the mesh must be written to the folder."""
    del name
    if not path.lower().endswith(_SHOWN_BY_RVIZ):
        return None
    if path.startswith(_READ_BY_RVIZ):
        return path
    return Path(path).as_uri() if path.startswith('/') and Path(path).is_file() else None
