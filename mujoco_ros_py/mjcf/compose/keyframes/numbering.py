"""Names that tell which model owns an element, whatever MuJoCo makes of the element."""

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
    """A form in which all elements have names that begin with the number of their owner.

    The n-th model owns its elements as 2 n, and the frames in it as 2 n + 1.
    """

    __slots__ = ()

    def frame_name(self, frame: AttachmentFrame) -> str:
        """The number of the frame's owner, then that of the model that owns what has no name."""
        number = int(self.prefix(frame.root).removesuffix(SEPARATOR)) + 1
        return f'{number}{SEPARATOR}{self.prefix(frame.attachment)}'


def numbering(models: Sequence[RootElement]) -> Numbering:
    """The form that numbers these models: the first, and those attached to it."""
    prefixes = {id(each): f'{2 * number}{SEPARATOR}' for number, each in enumerate(models)}
    return Numbering(filenames='hashed', prefix_root=models[0], name_all=True, _prefixes=prefixes)


def owner_of(name: str) -> int | None:
    """The owner that a name tells; None: MuJoCo made it up, or took it from another file."""
    found = _NUMBERED.match(name)
    return None if found is None else int(found[1])


def owner_within(name: str) -> int:
    """The owner of elements without such a name in a body that has this one."""
    owner = owner_of(name)
    assert owner is not None
    return int(name.split(SEPARATOR)[1]) if owner % 2 else owner
