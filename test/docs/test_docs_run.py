"""The documentation works: each code block runs as the page shows it, with real servers."""

from __future__ import annotations

import math
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import yaml
from deadline import DEADLINE_S
from geometry_msgs.msg import Point
from nav_msgs.msg import Odometry
from system.harness import Client, Process, wait_until

from mujoco_ros_py.processes import ForkServer

from .pages import EXAMPLE, PAGES, ROOT, Block, blocks, rows
from .shell import SERVER, Shell, check, is_run, loaded

pytestmark = pytest.mark.slow

DOCS = ROOT / 'docs'
COLCON = Path(sys.executable).with_name('colcon')
Site = Callable[[], dict[str, str]]
WITH_CAMERAS = [DOCS / 'how-to/cameras.md', DOCS / 'reference/original-services.md']
WITH_CAMERAS += [DOCS / 'reference/qos.md', DOCS / 'reference/sensors/depth-cloud.md']
WITH_CAMERAS += [DOCS / 'how-to/example-robots.md']
"""The pages that need servers with images."""
WITHOUT_CAMERAS = {'render_offscreen': False}
"""Without OpenGL, a server starts in half the time."""


parameter_files = [
    block for block in blocks('yaml') if block.is_parameter_file and not block.refused
]


def parameters_before(block: Block) -> dict:
    """Returns the parameters of the last parameter file before the block, or of the demo."""
    before = [b for b in parameter_files if b.page == block.page and b.line < block.line]
    text = before[-1].text if before else (ROOT / 'config' / 'demo.yaml').read_text()
    (node,) = yaml.safe_load(text).values()
    return node['ros__parameters']


@pytest.fixture(scope='module')
def shown() -> Path:
    """Returns a folder with exactly the files that the pages show.

    The path never changes, because the cache of machine code depends on the path of the source.
    """
    folder = ROOT / 'build' / 'pages'
    package = folder / 'example_plugins' / '__init__.py'
    files = {package, *(path for page in PAGES for path in write(folder, page))}
    package.touch()
    for path in folder.rglob('*'):
        if path.is_file() and path.suffix != '.pyc' and path not in files:
            path.unlink()
    return folder


@pytest.fixture
def site(shown, tmp_path, monkeypatch) -> Site:
    """Returns `site()`, which enters the folder of `shown` and returns a server's environment.

    In this environment, the ament index lists the example plugins.
    """

    def make() -> dict[str, str]:
        monkeypatch.chdir(shown)
        environment = {'PYTHONPATH': path_of('PYTHONPATH', shown, ROOT)}
        return environment | register_in_the_index(tmp_path / 'prefix')

    return make


def write(folder: Path, page: Path) -> list[Path]:
    """Writes the files that a page shows, and returns their paths."""
    titled = [block for block in blocks('python', 'xml', 'yaml', page=page) if block.title]
    for block in titled:
        path = folder / block.title
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(block.text)
    return [folder / block.title for block in titled]


def register_in_the_index(prefix: Path) -> dict[str, str]:
    """Installs the plugin description of the example package."""
    index = prefix / 'share/ament_index/resource_index/mujoco_ros_py__pluginlib__plugin'
    index.mkdir(parents=True)
    shutil.copy(EXAMPLE / 'resource/plugins/example_plugins', index)
    description = prefix / 'share/example_plugins/plugins.xml'
    description.parent.mkdir()
    shutil.copy(EXAMPLE / 'plugins.xml', description)
    return {'AMENT_PREFIX_PATH': path_of('AMENT_PREFIX_PATH', prefix)}


_WITHOUT_ROS = re.compile(
    r'^register\(|^from mujoco_ros_py import (py)?mjcf'
    r'|^from mujoco_ros_py\.(session|testing|urdf)[.\w]* import',
    re.MULTILINE,
)
_TOLD = re.compile(r'^(?: *print\(.*\)  )?# (.+)$', re.MULTILINE)
"""Matches the expected output of a script: a comment after `print`, or a line of its own. … stands
for varying text."""
scripts = [
    block
    for block in blocks('python')
    if _WITHOUT_ROS.search(block.text) and 'print(' in block.text
]


@pytest.fixture(scope='module')
def copied() -> Iterator[ForkServer]:
    """Yields a process that has imported the package; each script runs in a fork of it."""
    path = path_of('PYTHONPATH', Path(__file__).parent, ROOT)
    server = ForkServer('script_program', {**os.environ, 'PYTHONPATH': path})
    yield server
    server.close()
    server.await_end()


@pytest.fixture
def run_script(copied, tmp_path) -> Callable[..., tuple[int, str]]:
    """Returns `run_script(file, **environment)`, which returns the exit code and the output."""

    def run(file: str, **environment: str) -> tuple[int, str]:
        printed = tmp_path / 'printed'
        with printed.open('wb') as output:
            code = copied.start([file], environment, output.fileno(), []).wait(DEADLINE_S)
        return code, printed.read_text()

    return run


@pytest.mark.parametrize('block', scripts, ids=str)
def test_scripts_without_ros_print_what_they_are_for(
    block: Block, tmp_path, monkeypatch, run_script
):
    monkeypatch.chdir(tmp_path)
    Path(block.title).write_text(block.text)
    code, printed = run_script(block.title, PYTHONPATH=path_of('PYTHONPATH', ROOT))
    assert code == 0, printed
    title, *told = _TOLD.findall(block.text)
    assert title == block.title
    assert len(printed.splitlines()) == len(told) > 0, printed
    for line, expected in zip(printed.splitlines(), told, strict=True):
        assert re.fullmatch('.+'.join(map(re.escape, expected.split('…'))), line)


def skip_without_permission(block: Block) -> None:
    """Skips a block that needs a real-time priority, if Linux does not permit it."""
    if not re.search('thread_priority|real_time.yaml', block.text):
        return
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(99))
    except PermissionError:
        pytest.skip('SCHED_FIFO is not permitted here')
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


def path_of(variable: str, *folders: Path) -> str:
    """Returns the value of a path variable with these folders in front."""
    return os.pathsep.join([*map(str, folders), *filter(None, [os.environ.get(variable)])])


def test_commands_that_set_a_machine_up_or_launch_are_known():
    others = [each for each in blocks('sh') if not any(map(is_run, each.commands))]
    assert others
    for command in (command for block in others for command in block.commands):
        check(command)


run_blocks = [block for block in blocks('sh') if any(map(is_run, block.commands))]
client_blocks = [
    block
    for block in blocks('python')
    if 'rclpy.init(' in block.text and block.page.name != 'sweep.md'
]


_TRIED_AT_NIGHT = (
    *('example-robots', 'gallery', 'markers', 'moveit', 'nav2', 'real-time'),
    *('several-robots', 'transforms', 'urdf'),
)


def is_for_each_change(block: Block) -> bool:
    """Returns whether the commands of a page run after each change, not only at night.

    The system tests already run and judge the content of pages about single plugins and robots.
    Here, their servers are only loaded.
    """
    alone = block.page.parent.name in ('controllers', 'sensors')
    return not alone and block.page.stem not in _TRIED_AT_NIGHT


def started_elsewhere() -> set[Block]:
    """Returns the parameter files that another block of the page uses."""
    found = set()
    for block in [*filter(is_for_each_change, run_blocks), *client_blocks]:
        files = [each for each in parameter_files if each.page == block.page]
        before = [each for each in files if each.line < block.line]
        if any(map(SERVER.fullmatch, block.commands)):
            found.update(each for each in files if f'--params-file {each.title}' in block.text)
        elif before:
            found.add(before[-1])
    return found


@pytest.mark.parametrize(
    'block',
    [
        pytest.param(block, marks=() if is_for_each_change(block) else pytest.mark.nightly)
        for block in run_blocks
    ],
    ids=str,
)
def test_shell_commands_succeed(block: Block, domain, start, site):
    skip_without_permission(block)
    environment = site()

    more = {} if block.page in WITH_CAMERAS else WITHOUT_CAMERAS

    def running() -> tuple[Process, Client]:
        process, client = start(parameters_before(block) | more, **environment)
        loaded(process)
        return process, client

    with Shell(domain, environment, running, more) as shell:
        for command in block.commands:
            shell.run(command)
        if '/cmd_vel ' in block.text:
            goes_on(shell.client)
        assert shell.errors() == []


def goes_on(client: Client) -> None:
    """Waits until the base has moved for longer than one velocity command lasts."""
    told = client.collect(Odometry, '/odom')

    def distance() -> float:
        at = told[-1].pose.pose.position if told else Point()
        return math.hypot(at.x, at.y)

    wait_until(lambda: distance() > 0.4, 'more than half a second at 0.5 m/s')


@pytest.mark.parametrize('block', client_blocks, ids=str)
def test_clients_do_what_they_are_for(block: Block, domain, start, site, run_script):
    environment = site()
    process, _ = start(parameters_before(block) | WITHOUT_CAMERAS, **environment)
    loaded(process)
    code, printed = run_script(block.title, **environment, ROS_DOMAIN_ID=str(domain))
    assert code == 0, printed + process.output
    assert printed


@pytest.mark.parametrize(
    'block', [each for each in parameter_files if each not in started_elsewhere()], ids=str
)
def test_parameter_files_make_a_server_with_all_its_plugins(block: Block, domain, site, tmp_path):
    skip_without_permission(block)
    alone = '-p', 'num_steps:=1', '-p', 'unpause:=true', '-p', 'lockstep_period:=0.0'
    process = ended(block, site(), domain, tmp_path, *alone)  # no controller answers

    assert process.wait() == 0, process.output
    loaded(process)


@pytest.mark.parametrize('block', [b for b in blocks('yaml') if b.refused], ids=str)
def test_what_is_said_to_be_refused_is_refused_with_these_words(
    block: Block, domain, site, tmp_path
):
    process = ended(block, site(), domain, tmp_path)

    assert process.wait() == 2, process.output
    assert block.refused in process.output


def ended(
    block: Block, environment: dict[str, str], domain: int, folder: Path, *args: str
) -> Process:
    """Runs a server with the parameter file of the block until the server exits by itself."""
    file = folder / 'shown.yaml'
    file.write_text(block.text)
    if block.page not in WITH_CAMERAS:
        args += '-p', 'render_offscreen:=false'
    args = ('--ros-args', '--params-file', str(file), *args)
    process = Process('mujoco_ros_py', list(args), domain, copied=True, **environment)
    try:
        process.wait()
    finally:
        process.end()
    return process


@pytest.mark.nightly
def test_the_example_package_builds_with_colcon_and_its_plugins_load(tmp_path, domain):
    if not COLCON.exists():
        pytest.skip('colcon is not installed in this environment')
    shutil.copytree(EXAMPLE, tmp_path / 'src' / 'example_plugins')
    python = Path(sys.executable).parent
    environment = {**os.environ, 'ROS_DOMAIN_ID': str(domain)}
    environment['PATH'] = f'{python}{os.pathsep}{os.environ["PATH"]}'
    environment['PYTHONPATH'] = path_of('PYTHONPATH', ROOT)
    config = ROOT / 'config' / 'pendulum.yaml'
    server = f'python -m mujoco_ros_py --ros-args --params-file {config} -p num_steps:=1'
    script = f'colcon --log-base log build && . install/setup.sh && exec {server}'

    done = subprocess.run(
        ['sh', '-c', script],
        cwd=tmp_path, env={**environment, 'COLCON_HOME': str(tmp_path)},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=DEADLINE_S,
    )  # fmt: skip

    assert done.returncode == 0, done.stdout
    assert '2 of 2 plugins ready' in done.stdout
    descriptions = tmp_path / 'install/example_plugins/share/example_plugins/plugins.xml'
    assert descriptions.is_file()


def test_the_tables_of_services_and_topics_are_those_of_the_server(start):
    demo = yaml.safe_load((ROOT / 'config' / 'demo.yaml').read_text())
    _, client = start(demo['/**']['ros__parameters'] | WITHOUT_CAMERAS)
    page = DOCS / 'reference/original-services.md'
    others = {row[0]: row[1] for row in rows(page, 'service of the original')}
    others |= {row[0]: row[1] for row in rows(DOCS / 'reference/states.md', 'service of states')}
    page = DOCS / 'reference/services.md'
    services = {row[0]: row[1] for row in rows(page, 'service')}
    agrees(page.name, lambda: apart_from_standard(offered(client)), services | others)
    topics = {f'/{row[0].lstrip("/")}': row[1] for row in rows(page, 'topic')}
    agrees(page.name, lambda: topics_of(client), topics)

    text = (DOCS / 'reference/simulation-interfaces.md').read_text()
    wait_until(lambda: len(standard(client)) == 22, 'the standard services')
    for name in standard(client):
        assert f'`{name.removeprefix("~/")}`' in text


def apart_from_standard(services: dict[str, str]) -> dict[str, str]:
    """Returns the services without those of simulation_interfaces, which have their own page."""
    return {
        name: kind
        for name, kind in services.items()
        if not kind.startswith('simulation_interfaces/')
    }


def standard(client: Client) -> set[str]:
    """Returns the services of simulation_interfaces."""
    services = offered(client)
    return services.keys() - apart_from_standard(services).keys()


def offered(client: Client) -> dict[str, str]:
    """Returns the services of the server, without those that every node has."""
    return {
        name.replace('/mujoco_server', '~'): kind
        for name, (kind,) in client.node.get_service_names_and_types()
        if name.startswith('/mujoco_server/')
        and '/_action/' not in name
        and not kind.startswith(('rcl_interfaces/', 'type_description_interfaces/'))
    }


def agrees(page: str, found: Callable[[], dict[str, str]], wanted: dict[str, str]) -> None:
    """Waits until the server offers exactly what the table of a page lists."""
    try:
        wait_until(lambda: found() == wanted, page)
    except AssertionError:
        assert found() == wanted, page


def topics_of(client: Client) -> dict[str, str]:
    """Returns all topics, except those of every node and those with their own page."""
    return {
        name: kind
        for name, (kind,) in client.node.get_topic_names_and_types()
        if not name.startswith(('/parameter_events', '/rosout', '/cameras/', '/tf'))
        and '/_action/' not in name
    }
