"""Files and providers that several tests use."""

from __future__ import annotations

import struct
import threading
import zlib
from typing import Any

import mujoco

from mujoco_ros_py.engine.resources import ResourceProvider

OBJ = b'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n'
"""The OBJ file of a tetrahedron."""


def png(width: int = 2, height: int = 2, rgb: bytes = b'\xff\x80\x00') -> bytes:
    """Returns a PNG image of one colour."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
        )

    head = struct.pack('>IIBBBBB', width, height, 8, 2, 0, 0, 0)
    rows = zlib.compress((b'\0' + rgb * width) * height)
    return b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', head) + chunk(b'IDAT', rows) + chunk(b'IEND', b'')


def with_assets(*lines: str) -> str:
    return f'<mujoco><asset>{"".join(lines)}</asset></mujoco>'


def with_meshes(*uris: str) -> str:
    """Returns a model with named meshes; MuJoCo names other meshes after their files."""
    return with_assets(*(f'<mesh name="m{n}" file="{uri}"/>' for n, uri in enumerate(uris)))


def recompile(*uris: str) -> mujoco.MjModel:
    """Returns a model with these meshes, created from a model without meshes."""
    spec = mujoco.MjSpec()
    model = spec.compile()
    for number, uri in enumerate(uris):
        spec.add_mesh(name=f'm{number}', file=uri)
    return spec.recompile(model, mujoco.MjData(model))[0]


ROBOT = {
    'main.xml': b"""
        <mujoco>
          <compiler meshdir="meshes" texturedir="textures"/>
          <include file="parts/assets.xml"/>
          <asset><model name="hand" file="hand/hand.xml"/></asset>
          <worldbody>
            <geom type="hfield" hfield="hills"/>
            <body name="arm">
              <geom type="mesh" mesh="arm" material="skin" mass="1"/><frame name="wrist"/>
              <attach model="hand" body="palm" prefix="hand/"/>
            </body>
          </worldbody>
        </mujoco>""",
    'parts/assets.xml': b"""
        <mujoco>
          <asset>
            <mesh name="arm" file="arm.obj"/>
            <texture name="skin" type="2d" file="skin.png"/>
            <material name="skin" texture="skin"/>
            <hfield name="hills" file="hills.png" size="1 1 1 1"/>
          </asset>
        </mujoco>""",
    'hand/hand.xml': b"""
        <mujoco>
          <asset><mesh name="palm" file="palm.obj"/></asset>
          <worldbody><body name="palm"><geom type="mesh" mesh="palm" mass="1"/></body></worldbody>
        </mujoco>""",
    'meshes/arm.obj': OBJ,
    'hand/palm.obj': OBJ,
    'textures/skin.png': png(),
    'parts/hills.png': png(4, 4),
}
"""The files of a model that refers to files relative to itself in every possible way."""


def check_robot(model: mujoco.MjModel) -> None:
    """Asserts that the model has all its files."""
    assert (model.nmesh, model.ntex, model.nhfield) == (2, 1, 1)
    assert model.body('hand/palm').parentid[0] == model.body('arm').id


class Files(ResourceProvider):
    """A provider of files by URI, which records MuJoCo's calls.

    `read` raises files that are exceptions.
    """

    prefix = 'files'

    def __init_subclass__(cls) -> None:
        cls.__module__ = __name__  # lets the class take over the prefix, as an edited class does

    def __init__(self, **files: Any) -> None:
        self.files: dict[str, Any] = {f'files:{name}': file for name, file in files.items()}
        self.stamps: dict[str, str] = {}
        self.calls: list[tuple[str, str]] = []
        self.held: list[str] = []
        """The resources that are open."""
        self._lock = threading.Lock()

    def add(self, files: dict[str, Any]) -> None:
        self.files.update({f'files://robot/{name}': file for name, file in files.items()})

    def count(self, method: str) -> int:
        return sum(name == method for name, _ in self.calls)

    def open(self, uri: str) -> str:
        if uri not in self.files:
            raise FileNotFoundError('not here')
        with self._lock:
            self.calls.append(('open', uri))
            self.held.append(uri)
        return uri

    def read(self, opened: str) -> Any:
        with self._lock:
            self.calls.append(('read', opened))
        file = self.files[opened]
        if isinstance(file, BaseException):
            raise file
        return file

    def close(self, opened: str) -> None:
        with self._lock:
            self.held.remove(opened)

    def timestamp(self, opened: str) -> str:
        return self.stamps.get(opened, '')
