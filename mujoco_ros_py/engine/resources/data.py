"""`data:[<type>][;base64],<data>`: files embedded in the model's text (RFC 2397)."""

from __future__ import annotations

import base64
import binascii
from urllib.parse import unquote_to_bytes

from ...errors import ResourceError
from .failures import shown
from .provider import ResourceProvider, checked

_STANDARD = bytes.maketrans(b'-_', b'+/')


class Data(ResourceProvider):
    """A provider whose URIs contain the content.

    MuJoCo takes the file extension from the text after a `#`: ``...#m.obj``. It treats the URI as
    a path: `//` becomes `/`, and `../` moves up. Therefore base64 can use `_` for `/` and `-` for
    `+` (RFC 4648, section 5), and all data can use `%2F` for `/`.
    """

    prefix = 'data'

    def read(self, opened: str) -> bytes:
        """Decodes base64, or text with percent-encoded URI characters."""
        head, comma, data = opened.partition('#')[0].removeprefix('data:').partition(',')
        if not comma:
            raise ResourceError(f'{shown(opened)}: must be data:[<type>][;base64],<data>')
        # The percent-encoding is decoded before base64, in which `%2F` represents a slash.
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
            hint = ' (MuJoCo turns // into /: use _ instead of /)' if b'/' in content else ''
            raise ResourceError(f'invalid base64: {error}{hint}') from None
        return checked(decoded)

    def timestamp(self, opened: str) -> str:
        """Returns the same timestamp for all URIs, because the content of a URI never changes."""
        return 'data'


def _refuse_encoding(encoding: list[str]) -> None:
    """Raises ResourceError for a part without `=`: it is an encoding, not a parameter."""
    if encoding and '=' not in encoding[0]:
        raise ResourceError(f'unknown encoding {encoding[0]!r}; known: base64')
