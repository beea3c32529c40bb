"""Writes element names that show the owning model, even if MuJoCo copies the element."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...write.form import SEPARATOR, Form

if TYPE_CHECKING:
    from ..attachment import AttachmentFrame
    from ..root import RootElement

_NUMBERED = re.compile(f'([0-9]+){SEPARATOR}')


class Numbering(Form):
    """Writes the number of its owner in front of each element's name.

    For the model with index n, owner 2 n has the model's own elements, and owner 2 n + 1 has its
    attachment frames.
    """

    __slots__ = ()

    def frame_name(self, frame: AttachmentFrame) -> str:
        """Returns the number of the frame's owner, then the number of the attached model.

        The second number is the owner of unnamed elements inside the frame.
        """
        number = int(self.prefix(frame.root).removesuffix(SEPARATOR)) + 1
        return f'{number}{SEPARATOR}{self.prefix(frame.attachment)}'


def numbering(models: Sequence[RootElement]) -> Numbering:
    """Returns the numbering of these models: the topmost model, then all attached models."""
    prefixes = {id(each): f'{2 * number}{SEPARATOR}' for number, each in enumerate(models)}
    return Numbering(filenames='hashed', prefix_root=models[0], name_all=True, _prefixes=prefixes)


def owner_of(name: str) -> int | None:
    """Returns the owner number in a name; None if MuJoCo or another file chose the name."""
    found = _NUMBERED.match(name)
    return None if found is None else int(found[1])


def owner_within(name: str) -> int:
    """Returns the owner of unnumbered elements in a body with this name."""
    owner = owner_of(name)
    assert owner is not None
    return int(name.split(SEPARATOR)[1]) if owner % 2 else owner
