"""Finds files that a model names as models although they are other XML."""

from __future__ import annotations

import re

from .reachable_files import reachable_files

_ROOTS = b'mujoco', b'mujocoinclude', b'robot'
_NOT_A_TAG = re.compile(rb'<!--.*?-->|<\?.*?\?>|<!.*?>', re.DOTALL)
_TAG = re.compile(rb'<\s*([^\s<>/]+)')


def other_xml_named_in(content: bytes, folder: str) -> str | None:
    """Returns the path of the first included or attached file that is other XML, or None.

    `folder` is the folder of the text. MuJoCo's errors on such a file would show its content.
    """
    for path, text in reachable_files(content, folder, guess=True):
        root = _TAG.search(_NOT_A_TAG.sub(b'', text)) if text else None
        if root is not None and root[1] not in _ROOTS:
            return path
    return None
