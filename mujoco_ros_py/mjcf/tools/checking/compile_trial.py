"""Compiles a text with MuJoCo in a separate process, and returns MuJoCo's messages."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import mujoco

from ....mujoco_log import told_once
from ....mujoco_resources import serve_names_in


def carry_out(request: Mapping[str, Any], files: Sequence[bytearray], _: Any) -> dict[str, Any]:
    """Compiles the first file. MuJoCo finds the others by name, or else in the folder."""
    warnings: list[str] = []
    refusals: list[str] = []
    mujoco.set_mju_user_warning(warnings.append)  # by default MuJoCo writes warnings to a file
    os.chdir(request['folder'])
    xml, *assets = map(bytes, files)
    try:
        text = xml.decode(errors='surrogateescape')
        serve_names_in(text)
        mujoco.MjModel.from_xml_string(text, dict(zip(request['assets'], assets, strict=True)))
    except (ValueError, mujoco.FatalError) as error:
        refusals.append(told_once(error))
    return {'refusals': refusals, 'warnings': warnings}
