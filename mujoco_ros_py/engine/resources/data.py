"""`data:[<type>][;base64],<data>`: files inside of the model's text (RFC 2397)."""

from __future__ import annotations

import base64
import binascii
from urllib.parse import unquote_to_bytes

from ...errors import ResourceError
from .failures import shown
from .provider import ResourceProvider, checked

_STANDARD = bytes.maketrans(b'-_', b'+/')


class Data(ResourceProvider):
    """A provider whose URIs are the content.

    The text after a `#` gives MuJoCo the file extension: ``...#m.obj``. MuJoCo takes the URI for a
    path, in which `//` becomes `/` and `../` goes up. Therefore base64 may have `_` for `/` and
    `-` for `+` (RFC 4648, section 5), or `%2F` as all other data.
    """

    prefix = 'data'

    def read(self, opened: str) -> bytes:
        """Decodes base64, or text with percent-encoding for characters with a meaning in URIs."""
        head, comma, data = opened.partition('#')[0].removeprefix('data:').partition(',')
        if not comma:
            raise ResourceError(f'{shown(opened)}: must be data:[<type>][;base64],<data>')
        # Before base64 is decoded, as `%2F` stands for a slash in it.
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
        """Returns the same timestamp for all URIs, as the content of a URI never changes."""
        return 'data'


def _refuse_encoding(encoding: list[str]) -> None:
    """Raises ResourceError for a part without `=`, which is an encoding and not a parameter."""
    if encoding and '=' not in encoding[0]:
        raise ResourceError(f'unknown encoding {encoding[0]!r}; known: base64')
