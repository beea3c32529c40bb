"""The keys of the window that command the server."""

from __future__ import annotations

from ..link.server_link import ServerLink

_SPACE, _MINUS, _EQUAL, _BACKSPACE, _RIGHT, _F9 = 32, 45, 61, 259, 262, 298
"""Numbers of keys, as GLFW has them."""


def carry_out_key(key: int, link: ServerLink) -> None:
    """Gives the server the command of a key; a key without one does nothing.

    The server decides between pause and run, and which speed is meant: it knows of the keys that
    were pressed just before, of which the status that is shown may not tell yet.
    """
    if key == _SPACE:
        link.command('pause or run')
    elif key == _RIGHT:
        link.command('step')
    elif key == _BACKSPACE:
        link.command('reset')
    elif key == _F9:
        link.command('reload')
    elif key in (_MINUS, _EQUAL):
        link.command('speed', times=2.0 if key == _EQUAL else 0.5)
