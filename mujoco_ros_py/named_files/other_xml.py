"""Files that a model names as if they were models, and that are none."""

from __future__ import annotations

import re

from .reachable_files import reachable_files

_ROOTS = b'mujoco', b'mujocoinclude', b'robot'
_NOT_A_TAG = re.compile(rb'<!--.*?-->|<\?.*?\?>|<!.*?>', re.DOTALL)
_TAG = re.compile(rb'<\s*([^\s<>/]+)')


def other_xml_named_in(content: bytes, folder: str) -> str | None:
    """The path of the first file that a text includes or attaches, and that is other XML.

    `folder` is where the text lies. What MuJoCo says of such a file shows what is in it.
    """
    for path, text in reachable_files(content, folder, guess=True):
        root = _TAG.search(_NOT_A_TAG.sub(b'', text)) if text else None
        if root is not None and root[1] not in _ROOTS:
            return path
    return None
