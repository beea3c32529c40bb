"""Contains all uses of undocumented functions of MuJoCo's Studio.

This file relies on the following facts; `test/viewer/test_studio_internals.py` checks them:

- `mujoco.studio.web_viewer` creates its sockets with `bind_public_socket(host, port)` and
  `bind_loopback_socket(port)` of `mujoco.studio.web.web_server`. It looks these functions up when
  a `WebViewer` is created, and accepts any socket that they return.
- `web_server` creates its server with its global `serve`, from `websockets.asyncio.server`. It
  passes `process_request` and `process_response`, and takes the path of a WebSocket from its
  request. No other code in `web_server` answers requests.
- asyncio accepts connections of the socket of `bind_loopback_socket` with its method `accept`.
- `WebViewer._web_server` is a `WebServer`. It keeps models by their crc32; `model_cache_bytes`
  limits the models that it keeps besides the newest.
- `_print_url_banner` of `web_viewer` prints an address, and nothing else.
- `WebViewer.get_drop_file` takes the files that a user drops onto the page. Besides files, the
  page requests the paths `/ui`, `/state`, `/drop` and `/model`.
- The page is `index.html`. It opens connections with the globals `fetch` and `WebSocket`, with
  paths from the root.
- `App` in `mujoco.studio.app` calls its own methods `close`, `reset_physics`, `save_keyframe` and
  `apply_perturb` when the user requests them.
"""

from __future__ import annotations

import importlib
import importlib.util
import socket
from collections.abc import Callable, Sequence
from typing import Any

from ...errors import ViewerError
from .loopback import OwnProcessSocket
from .page_access import Audience, PageAccess
from .page_script import PAGE_SCRIPT

_SERVER = 'mujoco.studio.web.web_server'
_VIEWER = 'mujoco.studio.web_viewer'
_APP = 'mujoco.studio.app'
_RELIED_ON = {
    _SERVER: ('bind_public_socket', 'bind_loopback_socket', 'serve', 'WebServer'),
    _VIEWER: ('WebViewer', '_print_url_banner', 'web_server'),
    _APP: ('App', 'Config'),
}
_HEAD = b'<head>'
_OPEN_S = 10.0
"""The maximum time in seconds between the connection and its request."""
_CLOSE_S = 5.0
"""The maximum time in seconds for a browser, which may hang, to give up the controls."""
_SHARED_WITH_OTHERS = 'Access-Control-Allow-Origin'

Served = Callable[[str], 'tuple[str, bytes] | None']
"""A function that returns the content type and the body of a path; None for Studio's paths."""


def missing() -> str:
    """Returns a message about a missing requirement of the viewer; empty if nothing is missing."""
    if importlib.util.find_spec('mujoco.studio') is None:
        import mujoco

        return f'MuJoCo {mujoco.__version__} has no mujoco.studio; use MuJoCo 4.0 or newer'
    if importlib.util.find_spec('websockets') is None:
        return "websockets is not installed: pip install 'mujoco_ros_py[viewer]'"
    return ''


def lost() -> list[str]:
    """Returns the names that this file relies on and the installed Studio lacks."""
    gone = []
    for module, names in _RELIED_ON.items():
        try:
            there = importlib.import_module(module)
        except ImportError as error:
            gone.append(f'{module} ({error})')
            continue
        gone += [f'{module}.{name}' for name in names if not hasattr(there, name)]
    return gone


def web_viewer(
    endpoint: object,
    plugins: Sequence[object],
    title: str,
    listener: socket.socket,
    access: PageAccess,
    served: Served,
    audience: Audience,
) -> Any:
    """Creates Studio's viewer, restricted to requests that `access` allows on `listener`.

    The viewer keeps the number of open pages in `audience.count`. Raises ViewerError if Studio
    lacks a name that this file relies on.
    """
    if gone := lost():
        raise ViewerError(f'this MuJoCo Studio lacks {", ".join(gone)}')
    server: Any = importlib.import_module(_SERVER)
    viewers: Any = importlib.import_module(_VIEWER)
    from mujoco.studio import viewer_protocol

    handed_out: list[socket.socket] = []

    def public(host: str, port: int) -> socket.socket:
        handed_out.append(listener)
        return listener

    def internal(port: int = 0) -> socket.socket:
        made = OwnProcessSocket(socket.AF_INET, socket.SOCK_STREAM)
        made.bind(('127.0.0.1', port))
        made.listen()
        handed_out.append(made)
        return made

    server.bind_public_socket, server.bind_loopback_socket = public, internal
    server.serve = _guarded(server.serve, access, served, audience)
    viewers._print_url_banner = lambda *_: None
    made = viewers.WebViewer(
        viewer_protocol.ViewerConfig(title=title, gfx='web'), endpoint, plugins=list(plugins)
    )
    if len(handed_out) != 2:
        raise ViewerError('this version of MuJoCo Studio creates its sockets in another way')
    made.get_drop_file = lambda: ''
    made._web_server.model_cache_bytes = 0
    return made


def _guarded(
    serve: Callable[..., Any], access: PageAccess, served: Served, audience: Audience
) -> Callable[..., Any]:
    """Returns Studio's `serve` with an access check before each answer."""

    def guarded(
        handler: Any, *, process_request: Any, process_response: Any, **options: Any
    ) -> Any:
        def check(connection: Any, request: Any) -> Any:
            headers = request.headers
            refused = access.refusal(
                request.path,
                _only(headers.get_all('Host')),
                _only(headers.get_all('Origin')),
                upgrade='Upgrade' in headers,
            )
            if refused is not None:
                return _answer(refused.status, 'text/plain', f'{refused.reason}\n'.encode())
            request.path = access.inner_path(request.path)
            path = request.path.split('?', 1)[0]
            if path == '/drop':
                return _answer(403, 'text/plain', b'the page loads no models\n')
            if (ours := served(path)) is not None:
                return _answer(200, *ours)
            response = process_request(connection, request)
            if response is not None:
                if path in ('/', '/index.html'):
                    _prepare_page(response)
                _close_to_others(response.headers)
            return response

        def tidy(connection: Any, request: Any, response: Any) -> Any:
            changed = process_response(connection, request, response) or response
            _close_to_others(changed.headers)
            return changed

        async def counted(connection: Any) -> None:
            watches = connection.request.path.split('?', 1)[0] == '/state'
            audience.count += watches
            try:
                await handler(connection)
            finally:
                audience.count -= watches

        options['open_timeout'], options['close_timeout'] = _OPEN_S, _CLOSE_S
        return serve(counted, process_request=check, process_response=tidy, **options)

    return guarded


def _answer(status: int, content_type: str, body: bytes) -> Any:
    """Returns an answer of our own, made without Studio."""
    from websockets.datastructures import Headers
    from websockets.http11 import Response

    headers = Headers()
    headers['Content-Type'], headers['Content-Length'] = content_type, str(len(body))
    headers['Cache-Control'] = 'no-store'
    _close_to_others(headers)
    return Response(status, 'OK' if status == 200 else 'Forbidden', headers, body)


def _prepare_page(response: Any) -> None:
    """Inserts our script at the beginning of the page."""
    begin, head, rest = response.body.partition(_HEAD)
    if not head:
        raise ViewerError('the page of MuJoCo Studio has no <head>')
    response.body = begin + head + PAGE_SCRIPT.encode() + rest
    del response.headers['Content-Length']
    response.headers['Content-Length'] = str(len(response.body))


def _close_to_others(headers: Any) -> None:
    """Sets headers that prevent other sites from reading or embedding the answer."""
    for name in (_SHARED_WITH_OTHERS, 'Cross-Origin-Resource-Policy'):
        if name in headers:
            del headers[name]
    headers['Cross-Origin-Resource-Policy'] = 'same-origin'
    headers['Referrer-Policy'] = 'no-referrer'
    headers['X-Content-Type-Options'] = 'nosniff'
    headers['Content-Security-Policy'] = "frame-ancestors 'none'"


def _only(values: list[str]) -> str | None:
    """Returns the value of a header; joins several values, a result that no check accepts."""
    return ' '.join(values) if values else None
