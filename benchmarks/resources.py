"""The time to load a model through `package://`, relative to plain paths."""

from __future__ import annotations

import os
import statistics
import struct
import tempfile
import time
import zlib
from pathlib import Path

import mujoco
import numpy as np

from mujoco_ros_py.engine.resources import Package, register

from .rounds import Rounds

_TURNS = 5
_MESHES = 3
_TEXTURES = 1
_MODEL = """
<mujoco>
  <compiler meshdir="meshes" texturedir="textures"/>
  <include file="assets.xml"/>
  <worldbody>{}</worldbody>
</mujoco>
"""
_GEOM = '<geom type="mesh" mesh="part{0}" material="skin{1}" pos="{0} 0 0"/>'
_MESH = '<mesh name="part{0}" file="part{0}.stl"/>'
_SKIN = (
    '<texture name="skin{0}" type="2d" file="skin{0}.png"/>'
    '<material name="skin{0}" texture="skin{0}"/>'
)


def measure() -> Rounds:
    """Compares the median load times of both, in turn, with an empty MuJoCo cache."""
    register(Package)
    with tempfile.TemporaryDirectory() as prefix:
        names = 'package://bench_robot/main.xml', str(_write(Path(prefix)))
        os.environ['AMENT_PREFIX_PATH'] = prefix
        while True:
            # Alternates the order, because the first load of a pair may be slower.
            turns = [names[::order] for order in (1, -1) * _TURNS]
            loads = [{name: _load_s(name) for name in turn} for turn in turns]
            package, path = (statistics.median(each[name] for each in loads) for name in names)
            yield package, path


def _load_s(name: str) -> float:
    mujoco.mj_clearCache(mujoco.mj_getCache())
    start = time.perf_counter()
    mujoco.MjModel.from_xml_path(name)
    return time.perf_counter() - start


def _write(prefix: Path) -> Path:
    """Writes a ROS package with a model, and returns the path of the model."""
    share, index = prefix / 'share/bench_robot', 'share/ament_index/resource_index/packages'
    for folder in (share / 'meshes', share / 'textures', prefix / index):
        folder.mkdir(parents=True)
    (prefix / index / 'bench_robot').touch()
    for number in range(_MESHES):
        (share / f'meshes/part{number}.stl').write_bytes(_sphere(32 + number))
    for number in range(_TEXTURES):
        (share / f'textures/skin{number}.png').write_bytes(_noise(512, number))
    lines = [_MESH.format(n) for n in range(_MESHES)] + [_SKIN.format(n) for n in range(_TEXTURES)]
    assets = f'<mujoco><asset>{"".join(lines)}</asset></mujoco>'
    (share / 'assets.xml').write_text(assets)
    geoms = ''.join(_GEOM.format(n, n % _TEXTURES) for n in range(_MESHES))
    (share / 'main.xml').write_text(_MODEL.format(geoms))
    return share / 'main.xml'


def _sphere(rings: int) -> bytes:
    """Returns a sphere as binary STL with `4 rings^2` faces."""
    height, turn = np.meshgrid(
        np.linspace(0, np.pi, rings + 1), np.linspace(0, 2 * np.pi, 2 * rings + 1), indexing='ij'
    )
    points = np.stack(
        [np.sin(height) * np.cos(turn), np.sin(height) * np.sin(turn), np.cos(height)], axis=-1
    )
    a, b, c, d = points[:-1, :-1], points[1:, :-1], points[1:, 1:], points[:-1, 1:]
    faces = np.concatenate([np.stack([a, b, c], -2), np.stack([a, c, d], -2)]).reshape(-1, 3, 3)
    records = np.zeros(
        len(faces), [('normal', '<f4', 3), ('corners', '<f4', (3, 3)), ('attributes', '<u2')]
    )
    records['corners'] = faces
    return bytes(80) + struct.pack('<I', len(faces)) + records.tobytes()


def _noise(size: int, seed: int) -> bytes:
    """Returns a PNG image of noise."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        checked = kind + data
        return struct.pack('>I', len(data)) + checked + struct.pack('>I', zlib.crc32(checked))

    pixels = np.random.default_rng(seed).integers(0, 64, (size, 1 + 3 * size), np.uint8)
    pixels[:, 0] = 0
    head = chunk(b'IHDR', struct.pack('>IIBBBBB', size, size, 8, 2, 0, 0, 0))
    body = chunk(b'IDAT', zlib.compress(pixels.tobytes()))
    return b'\x89PNG\r\n\x1a\n' + head + body + chunk(b'IEND', b'')
