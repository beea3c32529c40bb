"""`data:[<type>][;base64],<data>`: files that are in the model's text (RFC 2397)."""

from __future__ import annotations

import base64
import binascii
from urllib.parse import unquote_to_bytes

from ...errors import ResourceError
from .failures import shown
from .provider import ResourceProvider, checked

_STANDARD = bytes.maketrans(b'-_', b'+/')


class Data(ResourceProvider):
    """The URI is the content. What follows a `#` gives MuJoCo a file's ending: ``...#m.obj``.

    MuJoCo takes it for a path, in which `//` becomes `/` and `../` goes up: base64 may have `_`
    for `/` and `-` for `+` (RFC 4648, section 5), or `%2F`, as all other data.
    """

    prefix = 'data'

    def read(self, opened: str) -> bytes:
        """Base64, or bytes with percent signs for what has a meaning in URIs."""
        head, comma, data = opened.partition('#')[0].removeprefix('data:').partition(',')
        if not comma:
            raise ResourceError(f'{shown(opened)}: must be data:[<type>][;base64],<data>')
        content = unquote_to_bytes(data)
        encoding = head.split(';')[1:][-1:]
        if encoding != ['base64']:
            _refuse_encoding(encoding)
            return checked(content)
        try:
            decoded = base64.b64decode(
                b''.join(content.split()).translate(_STANDARD), validate=True
            )
        except binascii.Error as error:
            hint = ' (MuJoCo makes / of //: write _ for /)' if b'/' in content else ''
            raise ResourceError(f'no valid base64: {error}{hint}') from None
        return checked(decoded)

    def timestamp(self, opened: str) -> str:
        """A timestamp that is the same for all: the content of a URI never changes."""
        return 'data'


def _refuse_encoding(encoding: list[str]) -> None:
    """What has no `=` is no parameter of the type, but an encoding."""
    if encoding and '=' not in encoding[0]:
        raise ResourceError(f'unknown encoding {encoding[0]!r}; known: base64')
