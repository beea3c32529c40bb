"""Chooses the names of links and joints in a URDF written from a model."""

from __future__ import annotations

import re

import mujoco

_NOT_XML = re.compile('[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]')
"""Characters that XML text cannot contain, but names can."""


class ModelNames:
    """Unique names for the elements of a URDF.

    A link is named like its TF frame, and a joint has the name that joint states use.
    """

    def __init__(
        self, model: mujoco.MjModel, frame_prefix: str, body_prefix: str, joint_prefix: str
    ) -> None:
        joints = (_name(model, model.name_jntadr, 'joint', k) for k in range(model.njnt))
        self.bodies = [_name(model, model.name_bodyadr, 'body', k) for k in range(model.nbody)]
        """The body names in the model, by body id."""
        self.links = [f'{frame_prefix}{_without(body_prefix, name)}' for name in self.bodies]
        """The link names, by body id."""
        self.joints = [name.removeprefix(joint_prefix) for name in joints]
        """The joint names, by joint id."""
        self._taken = {*self.links, *self.joints}

    def free(self, name: str) -> str:
        """Reserves and returns an unused name derived from `name`."""
        found, count = name, 0
        while found in self._taken:
            count += 1
            found = f'{name}_{count}'
        self._taken.add(found)
        return found


def _without(prefix: str, name: str) -> str:
    """Removes the prefix from a name; a name equal to the prefix loses only its final slash."""
    return name.removeprefix(prefix) or name.rstrip('/') or name


def model_name(model: mujoco.MjModel) -> str:
    """Returns the name of the model."""
    return _text(model, 0)


def mesh_name(model: mujoco.MjModel, mesh: int) -> str:
    """Returns the name of a mesh."""
    return _name(model, model.name_meshadr, 'mesh', mesh)


def _name(model: mujoco.MjModel, addresses: object, kind: str, number: int) -> str:
    start = addresses[number]  # type: ignore[index]
    return _text(model, int(start)) or f'unnamed_{kind}_{number}'


def _text(model: mujoco.MjModel, start: int) -> str:
    text = bytes(model.names[start:].partition(b'\0')[0]).decode('utf-8', 'backslashreplace')
    return _NOT_XML.sub(lambda found: f'\\x{ord(found[0]):02x}', text)
