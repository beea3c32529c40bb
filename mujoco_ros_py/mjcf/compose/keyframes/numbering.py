"""Names that tell whose an element is, whatever MuJoCo makes of it."""

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
    """All elements have names, which begin with the numbers of their owners.

    Of the n-th model the owner is 2 n, of the frames in it 2 n + 1.
    """

    __slots__ = ()

    def frame_name(self, frame: AttachmentFrame) -> str:
        """With the number of the attached model, whose elements without names are in it."""
        number = int(self.prefix(frame.root).removesuffix(SEPARATOR)) + 1
        return f'{number}{SEPARATOR}{self.prefix(frame.attachment)}'


def numbering(models: Sequence[RootElement]) -> Numbering:
    """Of a model and those attached to it."""
    prefixes = {id(each): f'{2 * number}{SEPARATOR}' for number, each in enumerate(models)}
    return Numbering(filenames='hashed', prefix_root=models[0], name_all=True, _prefixes=prefixes)


def owner_of(name: str) -> int | None:
    """None: MuJoCo made the name up, or took the element from another file."""
    found = _NUMBERED.match(name)
    return None if found is None else int(found[1])


def owner_within(name: str) -> int:
    """Whose the elements without such a name are in a body of this one."""
    owner = owner_of(name)
    assert owner is not None
    return int(name.split(SEPARATOR)[1]) if owner % 2 else owner
