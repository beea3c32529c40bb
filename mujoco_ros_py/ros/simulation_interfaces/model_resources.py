"""Loads models from the URIs and strings of requests, and maps their errors to result codes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from ...config import SessionConfig
from ...engine.resources import local_path, provides, read
from ...errors import ConfigError, EntityError, ModelError, ResourceError, SpawnFault
from ...session import entity_source
from ...simulation import ModelSource
from .results import FAILED, ResultError, code_of

_FILE = 'file://'
_PACKAGE = 'package://'
_PLUGINS = '.plugins.yaml'


@dataclass(frozen=True, slots=True)
class Codes:
    """The result codes with which a service reports faults of a model."""

    unsupported_format: int
    no_resource: int
    parse_error: int
    missing_assets: int
    unsupported_assets: int

    @classmethod
    def of(cls, response: Any) -> Codes:
        """Returns the codes that a type defines as constants."""
        return cls(
            response.UNSUPPORTED_FORMAT,
            response.NO_RESOURCE,
            response.RESOURCE_PARSE_ERROR,
            response.MISSING_ASSETS,
            response.UNSUPPORTED_ASSETS,
        )

    def code(self, error: BaseException) -> int:
        """Returns the code for an error in reading or compiling a model."""
        if isinstance(error, EntityError):
            faults = {
                SpawnFault.UNSUPPORTED_FORMAT: self.unsupported_format,
                SpawnFault.NO_RESOURCE: self.no_resource,
                SpawnFault.PARSE_ERROR: self.parse_error,
            }
            return faults.get(error.fault) or code_of(error)
        if isinstance(error, ResourceError | ConfigError):
            return self.no_resource
        if not isinstance(error, ModelError):
            return code_of(error)
        said = str(error)
        for words, code in (
            ('the world does not compile', int(FAILED)),
            ('neither MJCF nor URDF', self.unsupported_format),
            ('is binary, not XML', self.unsupported_format),
            ('is text, not XML', self.unsupported_format),
            ('no decoder found', self.unsupported_assets),
            ('rror opening file', self.missing_assets),
            ('no such file', self.missing_assets),
        ):
            if words in said:
                return code
        return self.parse_error


def fields_of(request: Any, field: str) -> tuple[str, str]:
    """Returns the URI and the text of a request.

    In version 2 of the interfaces, they are in the field of the request that `field` names.
    """
    holder = getattr(request, field, request)
    return holder.uri, holder.resource_string


def source_of_resource(uri: str, text: str, config: SessionConfig, codes: Codes) -> ModelSource:
    """Returns the source of a model, from the URI or, without a URI, from the text.

    Raises ResultError if both are empty, and MujocoRosError if the location does not exist.
    """
    if not uri and not text.strip():
        raise ResultError('neither a URI nor a resource_string is given', codes.no_resource)
    if not uri:
        if not text.lstrip().startswith('<'):
            raise ResultError('the resource_string is not XML', codes.unsupported_format)
        return entity_source(text, config)
    if uri.lstrip().startswith('<'):
        raise ResultError('the uri contains the text of a model', codes.no_resource)
    source = entity_source(path_of(uri), config)
    if source.path and provides(source.path):
        read(source.path)
    return source


def path_of(uri: str) -> str:
    """Returns the path of a `file://` URI; returns other URIs and paths unchanged."""
    return unquote(uri.removeprefix(_FILE)) if uri.startswith(_FILE) else uri


def local_file(place: str) -> Path | None:
    """Returns the path of a file or folder on this machine; None for other locations.

    Raises ConfigError for an unknown package.
    """
    place = path_of(place)
    if not place or (provides(place) and not place.startswith(_PACKAGE)):
        return None
    return local_path(place)


def plugins_beside(source: ModelSource) -> str:
    """Returns the path of a robot's plugins, `robot.plugins.yaml` next to `robot.xml`.

    The path is empty if the file does not exist.
    """
    file = local_file(source.path)
    if file is None:
        return ''
    beside = file.with_name(file.stem + _PLUGINS)
    return str(beside) if beside.is_file() else ''
