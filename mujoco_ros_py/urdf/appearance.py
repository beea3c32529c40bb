"""Converts the colours and textures of visuals to materials of the model."""

from __future__ import annotations

from posixpath import basename, splitext
from typing import Any

from ..mjcf import Asset, RootElement
from .files import RobotFiles
from .left_out import LeftOut
from .mujoco_extension import MujocoExtension
from .robot import Material
from .tag import Tag, Vector


class Appearance:
    """Adds the materials of visuals to a model, each material once."""

    def __init__(
        self,
        model: RootElement,
        files: RobotFiles,
        extension: MujocoExtension,
        left_out: LeftOut,
    ) -> None:
        self._model = model
        self._files = files
        self._extension = extension
        self._left_out = left_out
        self._names: dict[Material, str] = {}
        self._textures: dict[str, str] = {}
        self._taken: set[str] = set()

    def attributes(self, tag: Tag, material: Material | None, own: Vector | None) -> Any:
        """Returns the material or colour attributes of a geom.

        `own` is the colour from the mesh file, used if the URDF specifies no colour.
        """
        if material is None or (material.rgba is None and not material.texture):
            return {} if own is None else {'rgba': own}
        if not material.texture and not material.name:
            return {'rgba': material.rgba}
        if material not in self._names:
            self._names[material] = self._add(tag, material)
        return {'material': self._names[material]}

    def _add(self, tag: Tag, material: Material) -> str:
        name = self._free(material.name.replace('/', '_') or 'textured')
        texture = self._texture(tag, material.texture) if material.texture else None
        values: Any = {} if material.rgba is None else {'rgba': material.rgba}
        if texture is not None:
            values['texture'] = texture
        self._model.asset.add('material', name=name, **values)
        return name

    def _texture(self, tag: Tag, file: str) -> str | None:
        name, extension = splitext(basename(file))
        if extension.lower() != '.png':
            self._left_out.add('textures that are not PNG files', file)
            return None
        if file not in self._textures:
            content = self._files.read(tag, *self._extension.files('texture', file))
            asset = Asset(content, '.png', name)
            self._textures[file] = self._free(name)
            self._model.asset.add('texture', name=self._textures[file], type='2d', file=asset)
        return self._textures[file]

    def _free(self, name: str) -> str:
        free, count = name, 0
        while free in self._taken:
            count += 1
            free = f'{name}_{count}'
        self._taken.add(free)
        return free
