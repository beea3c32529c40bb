"""Reads and writes skin files, which refer to bodies by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from struct import calcsize, error, unpack_from
from typing import TYPE_CHECKING, Any

from ..write.form import WORLD, Form
from .assets import Asset

if TYPE_CHECKING:
    from ..tree.element import Element

_HEADER = '<4i'
"""The header: the counts of vertices, texture coordinates, faces and bones."""
_NAME = 40
"""The size of a body name in bytes."""
_BIND = 7 * 4
"""The size of a bone's bind position and rotation in bytes."""
Names = dict[str, str]


class SkinAsset(Asset):
    """A skin file; its content is updated when bodies are renamed."""

    __slots__ = ('_bodies', '_file', '_names', '_read', '_skin', '_written')

    def __init__(self, file: Asset, skin: Element, names: Names | None = None) -> None:
        self._file = file
        self._skin = skin
        self._names = names or {}
        self._bodies: dict[str, Element] = {}
        self._read: tuple[bytes, list[str]] | None = None
        self._written: tuple[list[str], Asset] | None = None
        self._digest = ''
        self.prefix, self.extension = file.prefix, file.extension
        self.written, self.path, self.location = file.written, file.path, None

    @property
    def contents(self) -> bytes | str:
        """The content with the bodies' names in the topmost model."""
        return self._content(Form(prefix_root=self._skin.root.root_model))

    @contents.setter
    def contents(self, contents: bytes | str) -> None:
        self._file.contents = contents
        self._bodies, self._names = {}, {}

    @property
    def digest(self) -> str:
        """A hash of the current content."""
        self._digest = ''
        return super().digest

    def of(self, skin: Element) -> SkinAsset:
        """Returns the same file for another skin element, such as a copy in another model."""
        if skin is self._skin:
            return self
        now = {
            name: WORLD if body.tag == 'worldbody' else body._name or ''
            for name, body in self._bodies.items()
        }
        return SkinAsset(self._file, skin, {**self._names, **now})

    def written_in(self, form: Form) -> Asset:
        """Returns a file with the body names as in `form`; cached until a name changes."""
        content = self._file.to_bytes()
        if self._read is None or self._read[0] is not content:
            self._read = content, [_name(content, offset) for offset in _names(content)]
            self._written = None
        names = [self._named(name, form) for name in self._read[1]]
        if self._written is None or self._written[0] != names:
            asset = Asset(self._content(form), self.extension, self.prefix)
            asset.path = self.path
            self._written = names, asset
        return self._written[1]

    def bind(self) -> None:
        """Finds the bodies named in the file; later renamings of them then change the content."""
        content = self._file.to_bytes()
        for offset in _names(content):
            self._body(_name(content, offset))

    def _body(self, name: str) -> Any:
        found = self._bodies.get(name)
        if found is None:
            found = self._skin.root.find('body', self._names.get(name, name))
            if found is not None:
                self._bodies[name] = found
        return found

    def is_outdated(self, form: Form) -> bool:
        """Returns whether names in the file differ from the body names written with `form`."""
        followed = {**self._names, **self._bodies}
        return any(self._named(name, form) != name for name in followed)

    def _named(self, name: str, form: Form) -> str:
        body = self._body(name)
        known = body is not None and not body.is_removed
        return body._identifier(form) if known else form.prefix(self._skin.root) + name

    def _content(self, form: Form) -> bytes:
        return renamed(self._file.to_bytes(), partial(self._named, form=form))


def renamed(content: bytes, rename: Callable[[str], str]) -> bytes:
    """Renames the bodies in a skin file. Raises ValueError for a name longer than 39 bytes."""
    changed = bytearray(content)
    for offset in _names(content):
        name = _name(content, offset)
        new = rename(name)
        if new != name:
            if len(new.encode()) >= _NAME:
                raise ValueError(
                    f'body names in a skin file must be at most {_NAME - 1} bytes, got {new!r}'
                )
            changed[offset : offset + _NAME] = new.encode().ljust(_NAME, b'\0')
    return bytes(changed)


def _name(content: bytes, offset: int) -> str:
    return content[offset : offset + _NAME].split(b'\0')[0].decode(errors='replace')


def _names(content: bytes) -> Iterator[int]:
    """Yields the offsets of the body names; nothing if the content is not a skin file."""
    try:
        vertices, coordinates, faces, bones = unpack_from(_HEADER, content)
        if min(vertices, coordinates, faces) < 0:
            return
        offset = calcsize(_HEADER) + 4 * (3 * vertices + 2 * coordinates + 3 * faces)
        for _ in range(bones):
            (weights,) = unpack_from('<i', content, offset + _NAME + _BIND)
            if weights < 0:
                return
            yield offset
            offset += _NAME + _BIND + 4 + 8 * weights
    except error:
        return
