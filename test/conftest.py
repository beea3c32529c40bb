"""Fixtures for OpenGL and for a C compiler, and the report of figures that tests measure."""

from __future__ import annotations

import gc
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import mujoco
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.errors import RenderingError
from mujoco_ros_py.simulation.rendering.backend import GraphicsContext, open_context

TIERS = 'fast', 'slow', 'nightly'
"""Every test is in one of these; those that have no marker of a tier are in the first."""
_ROS = find_spec('rclpy') is not None
_IMPORTS_ROS = re.compile(r'^(from|import) (rclpy|system|\w+_(interfaces|msgs|srvs))\b', re.M)
_FILE_TIER = re.compile(r'^pytestmark = \[?(?:\n *)?pytest\.mark\.(slow|nightly)\b', re.MULTILINE)


# A shell lets a command in its background ignore Ctrl-C, and so do the programs that tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope='module', autouse=True)
def _earlier_files_are_not_looked_through() -> None:
    """Spares Python's collector from looking through what earlier files of tests have left.

    A session looks for circles whenever it has replaced a model. Most of what there is to look
    through are the thousands of tests that pytest has collected and the code that earlier tests
    have compiled: it took a quarter of the time of all tests.
    """
    gc.collect()
    gc.freeze()


@pytest.fixture(scope='session', autouse=True)
def _tests_that_run_pytest_do_not_inherit_the_options_of_colcon() -> None:
    os.environ.pop('PYTEST_ADDOPTS', None)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the option for one tier; without it, pytest runs the tests of all."""
    parser.addoption('--tier', choices=TIERS, help='run the tests of this tier alone')


def pytest_report_header() -> str:
    """Prints the middleware of the tests, which RMW_IMPLEMENTATION chooses."""
    try:
        from rclpy.utilities import get_rmw_implementation_identifier
    except ImportError:
        return 'middleware: none, as rclpy is not installed'
    return f'middleware: {get_rmw_implementation_identifier()}'


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leaves out files that import ROS where there is none, and files of other tiers.

    A file has to be imported for its tests to be deselected, and half of the files have no slow
    tests.
    """
    tier = config.getoption('tier')
    if tier is None or not collection_path.match('test_*.py'):
        return None
    text = collection_path.read_text()
    if not _ROS and _IMPORTS_ROS.search(text):
        return True
    if tier == 'slow' and 'pytest.mark.slow' not in text:
        return True
    found = _FILE_TIER.search(text)
    return True if found and TIERS.index(found[1]) > TIERS.index(tier) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keeps the tests of the tier; one with markers of two, its file's too, is in the later."""
    tier = config.getoption('tier')
    if tier is None:
        return
    config.hook.pytest_deselected(items=[item for item in items if _tier(item) != tier])
    items[:] = [item for item in items if _tier(item) == tier]


def _tier(item: pytest.Item) -> str:
    return next((tier for tier in reversed(TIERS) if item.get_closest_marker(tier)), TIERS[0])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Returns what gives the files to the workers; None: xdist chooses."""
    if config.getoption('dist') != 'loadfile':
        return None
    from screens import OneScreen

    return OneScreen(config, log)


@pytest.fixture(scope='session')
def shared_graphics() -> Iterator[GraphicsContext]:
    """Yields the OpenGL context that tests share; its tests are skipped without OpenGL."""
    try:
        context = open_context('auto')
    except RenderingError as error:
        pytest.skip(str(error))
    yield context
    context.close()


@pytest.fixture
def graphics(shared_graphics: GraphicsContext) -> GraphicsContext:
    """An OpenGL context that is current on this thread, whatever an earlier test has opened."""
    shared_graphics.context.make_current()
    return shared_graphics


@pytest.fixture(scope='session')
def user_package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder for PYTHONPATH in which pip has installed the user's package of the tests."""
    source = tmp_path_factory.mktemp('source') / 'user_package'
    shutil.copytree(Path(__file__).with_name('user_package'), source)
    folder = tmp_path_factory.mktemp('site')
    command = [sys.executable, '-m', 'pip', 'install', '--quiet', '--no-deps']
    subprocess.run([*command, '--no-build-isolation', '--target', folder, source], check=True)
    return folder


@pytest.fixture
def broken_opengl(tmp_path: Path) -> dict[str, str]:
    """Returns the environment of a process that cannot load the EGL and OSMesa libraries."""
    folder = tmp_path / 'broken'
    folder.mkdir()
    for library in ('libEGL.so.1', 'libOSMesa.so.8'):
        (folder / library).write_text('this is no library')
    others = filter(None, [os.environ.get('LD_LIBRARY_PATH')])
    return {'LD_LIBRARY_PATH': os.pathsep.join([str(folder), *others])}


PLUGIN = """
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <mujoco/mujoco.h>

static int nstate(const mjModel* model, int instance) { return 0; }

static int init(const mjModel* model, mjData* data, int instance) { return 0; }

static void reset(const mjModel* model, mjtNum* state, void* data, int instance) {}

static void compute(const mjModel* model, mjData* data, int instance, int capability) {
  data->qfrc_passive[0] += FORCE;
}

static void add(const char* name) {
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  plugin.name = name;
  plugin.capabilityflags = mjPLUGIN_PASSIVE;
  plugin.nstate = nstate;
  plugin.init = init;
  plugin.reset = reset;
  plugin.compute = compute;
  mjp_registerPlugin(&plugin);
}

static int opened(mjResource* resource) { return 1; }

static int read_nothing(mjResource* resource, const void** buffer) { return FORCE; }

static void closed(mjResource* resource) {}

static void provide(const char* prefix) {
  mjpResourceProvider provider;
  mjp_defaultProvider(&provider);
  provider.prefix = prefix;
  provider.open = opened;
  provider.read = read_nothing;
  provider.close = closed;
  mjp_registerProvider(&provider);
}

__attribute__((constructor)) static void load(void) { LOAD }
"""


@pytest.fixture
def plugin_library(tmp_path: Path) -> Callable[..., Path]:
    """Compiles a library of engine plugins; tests that ask for it are skipped without gcc.

    `load` is C that runs when it is loaded: `add("name");` adds a plugin that exerts `force` on
    the first degree of freedom, `provide("prefix");` a resource provider. `options` go to gcc in
    place of libmujoco.
    """
    compiler = shutil.which('gcc')
    if compiler is None:
        pytest.skip('gcc is not installed')
    folder = Path(mujoco.__file__).parent
    libmujoco = next(folder.glob(f'libmujoco.*{mujoco.__version__}*'))

    def make(
        file: str, load: str, *, force: float = 1.0, options: tuple[str, ...] | None = None
    ) -> Path:
        source, library = tmp_path / 'plugin.c', tmp_path / file
        source.write_text(PLUGIN.replace('LOAD', load).replace('FORCE', str(force)))
        library.parent.mkdir(parents=True, exist_ok=True)
        linked = (str(libmujoco),) if options is None else options
        command = [compiler, '-shared', '-fPIC', '-w', f'-I{folder / "include"}', source]
        subprocess.run([*command, '-o', library, *linked], check=True, timeout=DEADLINE_S)
        return library

    return make


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Prints what tests have recorded as a property named `figure`."""
    reports = [each for group in terminalreporter.stats.values() for each in group]
    figures = [
        f'{report.nodeid}: {value}'
        for report in reports
        if getattr(report, 'when', '') == 'call'
        for name, value in report.user_properties
        if name == 'figure'
    ]
    if figures:
        terminalreporter.section('figures')
    for figure in figures:
        terminalreporter.write_line(figure)
