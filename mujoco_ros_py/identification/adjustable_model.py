"""A model whose fitted values can be set, with sensors for the measured signals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import mujoco

from ..errors import ConfigError, MjcfError, ModelError
from ..mjcf import RootElement, from_path, from_xml_string, set_place
from ..named_files import is_urdf
from ..urdf import read_urdf_file
from .inertia import BodyInertia
from .parameter import Parameter
from .sequences import Array, Source

_OF_JOINT = 'position', 'velocity'
"""The quantities that are part of the state; others need a sensor."""
_PREFIX = 'identified'


class AdjustableModel:
    """The model of a file, MJCF or URDF."""

    def __init__(self, path: Path) -> None:
        """Raises ConfigError if the file cannot be read, and ModelError for an invalid model."""
        try:
            content = path.read_bytes()
        except OSError as error:
            raise ConfigError(f'model: {path}: {error.strerror or error}') from None
        self.is_urdf = is_urdf(content)
        self.root: RootElement = read_urdf_file(path).model if self.is_urdf else from_path(path)
        self.model = self._nominal()
        """The model with the values of the file."""
        self._inertias: dict[str, BodyInertia] = {}

    def add_sensors(self, sources: Iterable[Source]) -> None:
        """Adds a sensor for each source that is no part of the state, and compiles the model.

        Raises ConfigError for an unknown joint, site or body.
        """
        wanted = {(each.quantity, each.name) for each in sources if each.quantity not in _OF_JOINT}
        for quantity, name in sorted(wanted):
            title = sensor_name(quantity, name)
            if quantity == 'effort':
                self.root.sensor.add('jointactuatorfrc', name=title, joint=name)
            else:
                self.root.sensor.add(
                    str(quantity),  # type: ignore[call-overload]
                    name=title,
                    site=self._site(name),
                )
        self.model = self._nominal()

    def compiled(self, parameters: Sequence[Parameter], values: Sequence[float]) -> Any:
        """Returns the model with these values. Raises ModelError if MuJoCo refuses them."""
        for place, value in self.edits(parameters, values).items():
            set_place(self.root, place, value)
        return self._compiled()

    def edits(self, parameters: Sequence[Parameter], values: Sequence[float]) -> dict[str, Any]:
        """Returns the value of each place that the parameters set, as `set_place` takes it."""
        found: dict[str, Any] = {}
        coordinates: dict[str, Array] = {}
        for parameter, value in zip(parameters, values, strict=True):
            if parameter.effect == 'attribute':
                found.update(dict.fromkeys(parameter.targets, value))
            elif parameter.effect in ('mass', 'inertia'):
                (body,) = parameter.targets
                inertia = self.inertia(body)
                if parameter.effect == 'mass':
                    found[f'body:{body}.inertial'] = inertia.scaled(value)
                else:
                    nominal = inertia.parameter.as_nominal_vector
                    coordinates.setdefault(body, nominal().copy())[parameter.component] = value
        for body, ten in coordinates.items():
            found[f'body:{body}.inertial'] = self.inertia(body).inertial(ten)
        return found

    def inertia(self, body: str) -> BodyInertia:
        """Returns the inertia of a body in the file, and its coordinates."""
        if body not in self._inertias:
            self._inertias[body] = BodyInertia(self.model, body)
        return self._inertias[body]

    def _site(self, name: str) -> str:
        """Returns the site of a sensor, which is added at the frame of a body."""
        if self.root.find('site', name) is not None:
            return name
        body = self.root.find('body', name)
        if body is None:
            raise ConfigError(f'the model has neither a site nor a body {name!r}')
        site = f'{_PREFIX}_{name}'
        if self.root.find('site', site) is None:
            body.add('site', name=site)
        return site

    def nominal(self) -> RootElement:
        """Returns the model of the file with the added sensors, as objects."""
        text, assets = self._source
        return from_xml_string(text, assets=assets)

    def _nominal(self) -> Any:
        self._source = self.root.to_xml_string(), self.root.get_assets()
        return self._compiled()

    def _compiled(self) -> Any:
        try:
            return mujoco.MjModel.from_xml_string(
                self.root.to_xml_string(), self.root.get_assets()
            )
        except (ValueError, MjcfError, mujoco.FatalError) as error:
            raise ModelError(str(error)) from None


def sensor_name(quantity: str, name: str) -> str:
    """Returns the name of an added sensor."""
    return f'{_PREFIX}_{quantity}_{name}'
