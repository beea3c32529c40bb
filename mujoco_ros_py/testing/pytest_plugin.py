"""The pytest plugin: the fixtures `server` and `start_server`, and recordings of failed tests.

pytest imports this module at each start, so slow imports wait until a server is started.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from .server_under_test import ServerUnderTest

_SERVERS = 'the open servers of mujoco_ros_py.testing'
"""The name of the registered `OpenServers` plugin; older versions of pytest have no stash."""
_MARKER = (
    'mujoco(model, plugins, process, strict, ...): the options of the fixtures `server` and'
    ' `start_server` of mujoco_ros_py.testing'
)
_SCOPES = ('function', 'class', 'module', 'package', 'session')


class OpenServers:
    """The open servers, each with the test, class or module that started it."""

    def __init__(self) -> None:
        self._open: list[tuple[object, ServerUnderTest]] = []

    @contextmanager
    def opened(self, node: object) -> Iterator[Callable[[dict[str, Any]], ServerUnderTest]]:
        """Yields a function that starts servers; closes these servers at the end."""
        with ExitStack() as stack:

            def start(options: dict[str, Any]) -> ServerUnderTest:
                from .serving import serve

                server = stack.enter_context(serve(**options))
                entry = node, server
                self._open.append(entry)
                stack.callback(self._open.remove, entry)
                return server

            yield start

    def of(self, item: pytest.Item) -> list[ServerUnderTest]:
        """Returns the servers of a test: its own, and one shared with other tests, if any."""
        chain = item.listchain()
        shared = 'server' in getattr(item, 'fixturenames', ())
        return [
            server for node, server in self._open if node is item or (shared and node in chain)
        ]

    def reset_for(self, item: pytest.Item) -> None:
        """Resets each shared server, and restarts its recording."""
        for server in self.of(item):
            server.reset()
            server.record_from_here()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the options of the command line and of the configuration file."""
    group = parser.getgroup('mujoco', 'robots in mujoco_ros_py')
    group.addoption(
        '--mujoco-recordings', metavar='DIR', default=None,
        help='the folder for recordings of failed tests (default: in the base folder of tmp_path)',
    )  # fmt: skip
    group.addoption(
        '--mujoco-process', action='store_true', default=None,
        help='start all servers as processes with ROS',
    )  # fmt: skip
    parser.addini('mujoco_model', 'the model of the server, unless a test names one', default='')
    parser.addini('mujoco_plugins', 'the YAML file with the plugins of the server', default='')
    parser.addini('mujoco_process', 'start servers as processes', type='bool', default=False)
    parser.addini('mujoco_strict', 'refuse plugins that fail', type='bool', default=True)
    parser.addini('mujoco_recording_s', 'the simulated seconds of a recording', default='10')
    parser.addini(
        'mujoco_scope', f'how long a server lives: {", ".join(_SCOPES)}', default=_SCOPES[0]
    )


def pytest_configure(config: pytest.Config) -> None:
    """Registers the marker and the list of open servers."""
    config.addinivalue_line('markers', _MARKER)
    config.pluginmanager.register(OpenServers(), _SERVERS)


def _servers(config: pytest.Config) -> OpenServers:
    servers = config.pluginmanager.get_plugin(_SERVERS)
    assert isinstance(servers, OpenServers)
    return servers


def _scope(fixture_name: str, config: pytest.Config) -> Any:
    scope = config.getini('mujoco_scope')
    if scope not in _SCOPES:
        raise pytest.UsageError(f'mujoco_scope must be one of {", ".join(_SCOPES)}, got {scope!r}')
    return scope


@pytest.fixture(scope=_scope)
def mujoco_config() -> dict[str, Any]:
    """Returns the default options of a suite's servers; override it in a `conftest.py`."""
    return {}


@pytest.fixture(scope=_scope)
def server(
    request: pytest.FixtureRequest, mujoco_config: dict[str, Any]
) -> Iterator[ServerUnderTest]:
    """Yields a server with the options of the test's marker, the suite and the pytest settings.

    A server with a scope wider than one test (`mujoco_scope`) is reset before each test.
    """
    with _servers(request.config).opened(request.node) as start:
        yield start(_options(request, mujoco_config))


@pytest.fixture
def start_server(
    request: pytest.FixtureRequest, mujoco_config: dict[str, Any]
) -> Iterator[Callable[..., ServerUnderTest]]:
    """Returns `start_server(**changes)`, which starts servers; they are closed after the test."""
    with _servers(request.config).opened(request.node) as start:
        yield lambda **changes: start(_options(request, {**mujoco_config, **changes}, changes))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Resets a shared server before the fixtures of the test are made."""
    _servers(item.config).reset_for(item)


@pytest.hookimpl(hookwrapper=True)  # older versions of pytest lack `wrapper`
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, Any, None]:
    """Saves a recording of each server of a failed test, and names its folder in the report."""
    report = (yield).get_result()
    if report.failed and call.excinfo is not None:
        _record(item, report, call.excinfo.exconly())


def _record(item: pytest.Item, report: pytest.TestReport, error: str) -> None:
    for number, server in enumerate(_servers(item.config).of(item)):
        folder = _folder(item, number)
        told = _record_failure(server, folder, test=item.nodeid, error=error)
        report.sections.append(('mujoco_ros_py recording', told))


def _record_failure(server: ServerUnderTest, folder: Path, **about: str) -> str:
    """Writes the recording of a failed test, and returns the text for its report.

    If writing fails, raises no error; the text then gives the reason.
    """
    if not server.options.recording_s:
        return 'nothing was recorded, because recording_s is 0'
    try:
        server.write_recording(folder, **about)
    except Exception as error:  # an error here must not hide the test's own error
        return f'the recording could not be written: {type(error).__name__}: {error}'
    python = Path(sys.executable).name
    return (
        f'the recording is in {folder}\n'
        f'repeat it with: {python} -m mujoco_ros_py.testing.replay {folder}'
    )


def _folder(item: pytest.Item, number: int) -> Path:
    """Returns the folder for the recording of the test's server with this number."""
    given = item.config.getoption('mujoco_recordings')
    if given:
        base = item.config.invocation_params.dir / given
    else:
        base = item.config._tmp_path_factory.getbasetemp() / 'mujoco-recordings'  # type: ignore[attr-defined]
    name = re.sub(r'[^\w.-]+', '_', item.nodeid).strip('_')[-150:]
    return Path(base) / (f'{name}-{number + 1}' if number else name)


def _options(
    request: pytest.FixtureRequest, suite: dict[str, Any], last: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Merges the options of pytest, the suite, the marker and the call; later ones win."""
    config = request.config
    made: dict[str, Any] = {
        'process': config.getini('mujoco_process'),
        'strict': config.getini('mujoco_strict'),
        'recording_s': float(config.getini('mujoco_recording_s')),
    }
    for name in ('model', 'plugins'):
        if config.getini(f'mujoco_{name}'):
            made[name] = _found(config.getini(f'mujoco_{name}'), config.rootpath)
    marker = request.node.get_closest_marker('mujoco')
    marked = dict(marker.kwargs) if marker else {}
    if marker and marker.args:
        raise pytest.UsageError('the marker mujoco takes its arguments by name: model=...')
    made |= {**suite, **marked, **(last or {})}
    if config.getoption('mujoco_process'):
        made['process'] = True
    for name in ('model', 'plugins'):
        made[name] = _found(made.get(name, () if name == 'plugins' else None), request.path.parent)
    return made


def _found(place: object, folder: Path) -> Any:
    """Returns the path of a file in this folder if it exists; otherwise `place` unchanged."""
    if isinstance(place, str | Path) and '\n' not in str(place) and '<' not in str(place):
        path = folder / place
        if len(str(place)) < 1000 and path.is_file():
            return str(path)
    return place
