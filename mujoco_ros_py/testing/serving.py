"""Starts a test server, in this process or as a separate process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .backend import Backend
    from .server_options import ServerOptions
    from .server_under_test import ServerUnderTest


def serve(
    model: object = None,
    plugins: Sequence[Mapping[str, Any] | type[Any]] | str = (),
    **options: object,
) -> ServerUnderTest:
    """Starts a paused server. Use the server in a `with` block, or call its `close`.

    `options` are fields of `ServerOptions` (`process`, `strict`, `recording_s` and so on), and
    parameters of the server. Slow imports happen here, because pytest imports this module at each
    start. Raises ConfigError, ModelError and PluginError::

        with serve('robot.xml', plugins=[{'type': 'my_robot/Controller'}]) as server:
            state = server.step(500, ctrl={'motor1': 0.3})
    """
    from .server_options import ServerOptions

    return started(ServerOptions.of({'model': model, 'plugins': plugins, **options}))


def started(options: ServerOptions) -> ServerUnderTest:
    """Starts a server with these options."""
    from .server_under_test import ServerUnderTest

    backend = _backend(options)
    try:
        return ServerUnderTest(backend, options)
    except BaseException:
        backend.close()
        raise


def _backend(options: ServerOptions) -> Backend:
    if options.process:
        from .process_backend import ProcessBackend

        return ProcessBackend(options)
    from .session_backend import SessionBackend

    return SessionBackend(options)
