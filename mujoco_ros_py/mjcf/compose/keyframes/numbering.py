"""Element names that identify the owning model even after MuJoCo has copied the element."""

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
    """A form that starts each element's name with the number of its owner.

    The model with index n owns its elements as 2 n, and its attachment frames as 2 n + 1.
    """

    __slots__ = ()

    def frame_name(self, frame: AttachmentFrame) -> str:
        """Returns the number of the frame's owner, then the owner of unnamed elements inside."""
        number = int(self.prefix(frame.root).removesuffix(SEPARATOR)) + 1
        return f'{number}{SEPARATOR}{self.prefix(frame.attachment)}'


def numbering(models: Sequence[RootElement]) -> Numbering:
    """Returns the form that numbers these models: the topmost model and all attached models."""
    prefixes = {id(each): f'{2 * number}{SEPARATOR}' for number, each in enumerate(models)}
    return Numbering(filenames='hashed', prefix_root=models[0], name_all=True, _prefixes=prefixes)


def owner_of(name: str) -> int | None:
    """Returns the owner in a name; None for a name from MuJoCo or from another file."""
    found = _NUMBERED.match(name)
    return None if found is None else int(found[1])


def owner_within(name: str) -> int:
    """Returns the owner of unnumbered elements in a body with this name."""
    owner = owner_of(name)
    assert owner is not None
    return int(name.split(SEPARATOR)[1]) if owner % 2 else owner
