"""Compiles URDF robots, after converting them to MJCF."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence

import mujoco

from ...engine.resources import shown
from ...errors import ModelError, UrdfError
from ...named_files import other_xml_named_in

_log = logging.getLogger(__name__)


def compile_urdf(
    text: str | bytes, folder: str, name: str, assets: Mapping[str, bytes], left_out: list[str]
) -> mujoco.MjModel:
    """Compiles a URDF, and adds the features that could not be converted to `left_out`.

    File names are relative to `folder`, which is a path or a URI. `name` is the name of the source
    in errors. Raises ModelError.
    """
    xml, contents = urdf_as_mjcf(text, folder, name, assets, left_out)
    try:
        return mujoco.MjModel.from_xml_string(xml, contents)
    except ValueError as error:
        raise ModelError(f'{name}: does not compile as MJCF: {str(error).strip()}') from error


def urdf_as_mjcf(
    text: str | bytes, folder: str, name: str, assets: Mapping[str, bytes], left_out: list[str]
) -> tuple[str, dict[str, bytes]]:
    """Converts a URDF to MJCF; returns the text and the content of its files.

    See `compile_urdf` for the parameters.
    """
    # Imported only when needed, because it imports all of MJCF.
    from ...urdf import read_urdf

    content = text.encode(errors='surrogateescape') if isinstance(text, str) else text
    if (path := other_xml_named_in(content, folder)) is not None:
        told = f'names {shown(path)!r}, whose root element is neither mujocoinclude nor mujoco'
        raise ModelError(f'{name}: {told}')
    try:
        model, lacking = read_urdf(text, folder=folder, assets=assets)
        left_out.extend(lacking)
        return model.to_xml_string(), model.get_assets()
    except UrdfError as error:
        raise ModelError(f'{name}: {error}') from None
    except (ValueError, OSError) as error:  # for example, a file of a <mujoco> element is missing
        raise ModelError(f'{name}: cannot be written as MJCF: {error}') from error


def tell_left_out(name: str, left_out: Sequence[str]) -> None:
    """Logs the features of a URDF that could not be converted."""
    if left_out:
        _log.info('%s: not converted: %s', name, '; '.join(left_out))
