"""Imports go one way, from the upper rooms to the lower; only the upper ones know ROS."""

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / 'mujoco_ros_py'

# From the lowest up. Rooms side by side do not know each other. The package's own `__init__`
# is the lowest: it runs before any other, so it imports none.
LAYERS = [
    {'__init__'},
    {'errors', 'log_throttle', 'mujoco_internals', 'mujoco_log', 'quick_imports', 'requirements'},
    {'isolation', 'named_files', 'rcl_internals'},
    {'config', 'mjcf', 'messages'},
    {'engine', 'pymjcf', 'user_modules'},
    {'urdf'},
    {'simulation'},
    {'rendering', 'recording'},
    {'plugins'},
    {'topic_qos'},
    {'session', 'builtin'},
    {'batch', 'testing', 'viewer'},
    {'playback', 'sweep'},
    {'ros'},
    {'__main__'},
]
# A file that is a room by itself, as no other file of `messages` stands on rclpy: its profiles
# are for `builtin` and `ros`, which do not know each other.
TOPIC_QOS = 'messages', 'topic_qos'
LEVEL = {room: level for level, rooms in enumerate(LAYERS) for room in rooms}
# Inside of a room, from the lowest up: files, and the rooms in it as a whole.
ENGINE = [
    {'foreign'},
    {
        'bindings',
        'cache',
        'engine_tag',
        'extents',
        'inlined',
        'libmujoco',
        'linux_waits',
        'memory_views',
        'message_lengths',
        'message_records',
        'records',
        'separate',
        'spare_data',
        'stack_arrays',
        'world_records',
    },
    {'dense_layer', 'state_record', 'struct_layout', 'symbols'},
    {'hidden_geoms'},
    {'arena', 'callback_registry', 'exception_places', 'guard_block', 'identity', 'resources'},
    {'machine_code', 'retired_overloads'},
    {'compiled', 'message_ends'},
    {'own_code'},
    {'callback_table', 'loop_clock', 'loop_inlets', 'moment_ring'},
    {'physics_loop', 'scene', 'user_code'},
    {'engine_plugins', 'world_pool'},
    {'__init__'},
]
SIMULATION = [
    {'models', 'threads'},
    {'edits', 'number_types'},
    {
        'lateness',
        'listener',
        'lockstep',
        'plain_values',
        'plugin_set',
        'snapshots',
        'state_layout',
        'state_moves',
        'status',
        'tuned_values',
    },
    {'state_transfer'},
    {'prepared_model', 'realtime_meter', 'saved_state', 'step_requests', 'warning_log'},
    {'state_bytes', 'state_checks'},
    {'running_model'},
    {'outlet_feed', 'physics_thread', 'prepared_change'},
    {'physics_commands'},
    {'loan', 'readable_simulation'},
    {'left_out_messages'},
    {'message_exchange'},
    {'simulation'},
    {'snapshot_feed', 'threadless_simulation'},
    {'__init__'},
]
ROS = [
    {'__init__'},
    {'rclpy_internals'},
    {'parameters'},
    {'message_ports', 'services'},
    {'entities', 'topics'},
    {'original', 'simulation_interfaces', 'states'},
    {
        'client',
        'executor_heartbeat',
        'log_forwarding',
        'neighbour_nodes',
        'node_process',
        'topic_replay',
        'viewer_of_server',
    },
    {'server'},
    {'main', 'parameter_server'},
    {'continued_run'},
]
VIEWER = [
    {'link'},
    {'page', 'window'},
    {'body_push', 'log_lines', 'viewer_main', 'viewer_process'},
    {'__main__', 'process_keeper', 'shown_model', 'status_report', 'viewer_commands'},
    {'state_feed', 'viewer_keeper'},
    {'shown_simulation'},
    {'browser_viewer', 'window_viewer'},
    {'__init__'},
]
INSIDE = {
    room: {part: level for level, parts in enumerate(layers) for part in parts}
    for room, layers in (
        ('engine', ENGINE),
        ('simulation', SIMULATION),
        ('viewer', VIEWER),
        ('ros', ROS),
    )
}
# dm_control has these names, by which users of PyMJCF import.
NAMED_AS_IN_PYMJCF = 'pymjcf'
STRANGERS = {
    ('ros', 'builtin'),
    ('ros', 'testing'),
    ('sweep', 'builtin'),
    ('testing', 'builtin'),
    ('viewer', 'builtin'),
}
# These import ROS, and no other room imports them, so that a session needs no ROS.
ON_ROS = {'topic_qos', 'builtin', 'ros', '__main__'}
WITHOUT_ROS = LEVEL.keys() - ON_ROS
# The rooms inside of `mjcf`, from the lowest up. An element has methods that write it, compare it
# and keep its attributes, so what does these things is below `tree` and knows no class of
# elements: it works with whatever has what it asks for. What is above `tree` makes elements.
# Annotations may name classes of upper rooms, as `element.root` is a model: they import nothing
# while the program runs.
MJCF_LAYERS = [
    {'schema'},
    {'write'},
    {'files'},
    {'attributes'},
    {'sources'},
    {'compare'},
    {'tree'},
    {'read'},
    {'compose'},
    {'elements', 'physics', 'spec'},
    {'__init__', 'tools'},
    {'__main__'},
]
MJCF_LEVEL = {room: level for level, rooms in enumerate(MJCF_LAYERS) for room in rooms}


def violations(package: Path) -> list[str]:
    """Every import in the package that goes the wrong way: the file and what it imports."""
    return [
        f'{path.relative_to(package)} must not import {imported}'
        for path in sorted(package.rglob('*.py'))
        for imported in _imports(path, package)
        if not _allowed(_room(path, package), imported.split('.'), package.name)
    ] + [
        f'{path.relative_to(package)} must not import {imported}'
        for path in sorted((package / 'mjcf').rglob('*.py'))
        for imported in _imports_while_running(path, package)
        if not _allowed_in_mjcf(_room(path, package / 'mjcf'), imported.split('.'), package.name)
    ]


def _allowed_in_mjcf(room: str, imported: list[str], package: str) -> bool:
    if imported[:2] != [package, 'mjcf']:
        return True
    target = imported[2] if imported[2:] and imported[2] in MJCF_LEVEL else '__init__'
    return target == room or MJCF_LEVEL[target] < MJCF_LEVEL.get(room, -1)


def circle(folder: Path, package: Path) -> list[str]:
    """Files of a folder that import each other while the program runs; empty if none do."""
    files = {_module(path, package): path for path in folder.rglob('*.py')}
    graph = {
        name: {
            target
            for imported in _imports_while_running(path, package)
            if (target := _file_of(imported, files)) not in (None, name)
        }
        for name, path in files.items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        found: list[str] = error.args[1]
        return found
    return []


def _file_of(imported: str, files: Iterable[str]) -> str | None:
    """The module that an import reads: what is named, or what the name is imported from."""
    return next((each for each in (imported, imported.rpartition('.')[0]) if each in files), None)


def _module(path: Path, package: Path) -> str:
    parts = path.relative_to(package.parent).with_suffix('').parts
    return '.'.join(parts).removesuffix('.__init__')


def violations_inside(room: str, package: Path) -> list[str]:
    """Every import inside of a room that goes the wrong way: the file and what it imports."""
    folder = package / room
    lead = f'{package.name}.{room}.'
    return [
        f'{path.relative_to(package)} must not import {imported}'
        for path in sorted(folder.rglob('*.py'))
        for imported in _imports(path, package)
        if imported.startswith(lead)
        if not _goes_down(
            INSIDE[room], _room(path, folder), imported.removeprefix(lead).partition('.')[0]
        )
    ]


def _goes_down(order: dict[str, int], part: str, imported: str) -> bool:
    level = order.get(imported, order['__init__'])
    return part == imported or level < order[part]


def _allowed(room: str, imported: list[str], package: str) -> bool:
    if imported[0] != package:
        return room not in WITHOUT_ROS or not _is_ros(imported[0])
    target = _room_of(imported[1:] or ['__init__'])
    target = target if target in LEVEL else '__init__'
    if target == room:
        return True
    if room in WITHOUT_ROS and target in ON_ROS:
        return False
    return LEVEL[target] < LEVEL.get(room, -1) and (room, target) not in STRANGERS


def _is_ros(module: str) -> bool:
    return module == 'rclpy' or module.endswith(('_msgs', '_srvs', '_interfaces'))


def _room(path: Path, package: Path) -> str:
    return _room_of(path.relative_to(package).with_suffix('').parts)


def _room_of(names: Sequence[str]) -> str:
    return names[1] if tuple(names[:2]) == TOPIC_QOS else names[0]


def _imports(path: Path, package: Path) -> tuple[str, ...]:
    """Absolute dotted names; a name imported from the package itself counts as its room.

    ROS that annotations alone need does not count: users like to have them.
    """
    return _both_imports(path.read_text(), path, package)[0]


def _imports_while_running(path: Path, package: Path) -> tuple[str, ...]:
    """The same without what annotations alone need."""
    return _both_imports(path.read_text(), path, package)[1]


@cache
def _both_imports(text: str, path: Path, package: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What the file of this text imports, and what it imports while the program runs."""
    nodes = list(ast.walk(ast.parse(text)))
    for_types = _for_types(nodes)
    counted = [node for node in nodes if id(node) not in for_types or not _names_ros(node)]
    running = [node for node in nodes if id(node) not in for_types]
    return tuple(_imports_of(counted, path, package)), tuple(_imports_of(running, path, package))


def _for_types(nodes: Iterable[ast.AST]) -> set[int]:
    """The nodes, by identity, that only type checkers look at."""
    blocks = (node.body for node in nodes if isinstance(node, ast.If) and _is_for_types(node))
    return {id(node) for body in blocks for each in body for node in ast.walk(each)}


def _names_ros(node: ast.AST) -> bool:
    return _is_ros(str(getattr(node, 'module', '')).partition('.')[0])


def _is_for_types(node: ast.If) -> bool:
    return ast.unparse(node.test).endswith('TYPE_CHECKING')


def _imports_of(nodes: Iterable[ast.AST], path: Path, package: Path) -> Iterator[str]:
    parents = [package.name, *path.relative_to(package).parts[:-1]]
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = parents[: len(parents) - node.level + 1] if node.level else []
            module = '.'.join([*base, *(node.module or '').split('.')]).strip('.')
            yield from (f'{module}.{alias.name}' for alias in node.names)


def test_every_import_of_the_package_goes_down():
    assert violations(PACKAGE) == []


def test_the_node_names_no_plugin_that_ships():
    described = (PACKAGE / 'builtin/plugins.xml').read_text()
    types = set(re.findall(r'class name="(mujoco_ros_py/\w+)"', described))
    assert 'mujoco_ros_py/Cameras' in types
    constants = {
        node.value
        for path in (PACKAGE / 'ros').rglob('*.py')
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant)
    }
    assert not types & constants


def test_every_plugin_that_ships_is_in_the_room_of_a_family():
    assert [path.name for path in (PACKAGE / 'builtin').glob('*.py')] == ['__init__.py']


def test_every_file_of_the_package_is_in_a_room():
    assert {_room(path, PACKAGE) for path in PACKAGE.rglob('*.py')} <= set(LEVEL)


def test_every_file_of_mjcf_is_in_a_room():
    folder = PACKAGE / 'mjcf'
    assert {_room(path, folder) for path in folder.rglob('*.py')} == set(MJCF_LEVEL)


def test_no_files_of_the_package_import_each_other_in_a_circle():
    assert circle(PACKAGE, PACKAGE) == []


@pytest.mark.parametrize(
    ('upper', 'lower'),
    [
        ('from ..tree import placed', 'from ..read import text'),
        ('from ..tree.placed import Placed', 'def late():\n    from ..read.text import read'),
    ],
)
def test_a_circle_of_files_is_found_unless_annotations_alone_close_it(tmp_path, upper, lower):
    package = tmp_path / 'mujoco_ros_py'
    for room in ('tree', 'read'):
        (package / 'mjcf' / room).mkdir(parents=True)
    (package / 'mjcf/read/text.py').write_text(upper)
    (package / 'mjcf/tree/placed.py').write_text(lower)
    assert set(circle(package / 'mjcf', package)) == {
        'mujoco_ros_py.mjcf.read.text',
        'mujoco_ros_py.mjcf.tree.placed',
    }
    (package / 'mjcf/tree/placed.py').write_text('if TYPE_CHECKING:\n    from ..read import text')
    assert circle(package / 'mjcf', package) == []


def test_no_two_files_of_the_package_have_the_same_name():
    paths = (path.relative_to(PACKAGE) for path in PACKAGE.rglob('*.py'))
    ours = (path for path in paths if str(path.parent) != NAMED_AS_IN_PYMJCF)
    names = Counter(path.name for path in ours)
    twice = {name for name, count in names.items() if count > 1}
    assert twice == {'__init__.py', '__main__.py'}


def test_no_two_files_of_a_room_have_names_of_the_same_words():
    words = Counter(
        (path.parent, frozenset(word.rstrip('s') for word in path.stem.split('_')))
        for path in PACKAGE.rglob('*.py')
    )
    assert [named for named, count in words.items() if count > 1] == []


def test_mjcf_needs_nothing_but_lxml_numpy_and_mujoco():
    imported = {
        name.split('.')[0]
        for path in (PACKAGE / 'mjcf').rglob('*.py')
        for name in _imports(path, PACKAGE)
    }
    foreign = imported - sys.stdlib_module_names - {PACKAGE.name}
    assert foreign == {'lxml', 'numpy', 'mujoco'}


@pytest.mark.parametrize('room', INSIDE)
def test_every_import_inside_of_a_room_goes_down(room):
    assert violations_inside(room, PACKAGE) == []


@pytest.mark.parametrize('room', INSIDE)
def test_every_file_of_a_room_has_its_place_in_the_order(room):
    folder = PACKAGE / room
    assert {_room(path, folder) for path in folder.rglob('*.py')} == set(INSIDE[room])


@pytest.mark.parametrize(
    ('file', 'line'),
    [
        ('engine/records.py', 'from .physics_loop import Loop'),
        ('engine/symbols.py', 'from .exception_places import locate'),
        ('engine/identity/walk.py', 'from ..machine_code import load'),
        ('engine/compiled/kernel.py', 'from ..own_code import LOOP'),
        ('engine/compiled/kernel.py', 'def late():\n    from .. import callback_table'),
        ('engine/foreign/numba/numba_internals.py', 'from ...cache import read'),
        ('simulation/threads/owner.py', 'from ..models.compilation import ModelSource'),
        ('simulation/running_model.py', 'from . import simulation'),
        ('ros/services/server_services.py', 'def late():\n    from ..server import Server'),
        ('ros/topics/joint_states.py', 'from ..entities.shared_node import SharedNode'),
    ],
)
def test_an_import_that_goes_up_inside_of_a_room_is_found(tmp_path, file, line):
    path = tmp_path / 'mujoco_ros_py' / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(line)
    (found,) = violations_inside(file.partition('/')[0], tmp_path / 'mujoco_ros_py')
    assert found.startswith(f'{file} must not import ')


@pytest.mark.parametrize(
    ('file', 'line'),
    [
        ('engine/physics_loop.py', 'from ..simulation.commands import Step'),
        ('engine/physics_loop.py', 'from mujoco_ros_py.plugins import host'),
        ('engine/physics_loop.py', 'from mujoco_ros_py import ros'),
        ('engine/physics_loop.py', 'from .. import simulation'),
        ('engine/deep/loop.py', 'from ...ros import node'),
        ('engine/physics_loop.py', 'import mujoco_ros_py.ros.entities.shared_node'),
        ('engine/physics_loop.py', 'def late():\n    import rclpy.node'),
        ('plugins/contract.py', 'from rclpy.node import Node'),
        ('session/session.py', 'from ..builtin import imu'),
        ('session/session.py', 'from ..ros import node'),
        ('session/session.py', 'from ..messages.topic_qos import STATES'),
        ('messages/__init__.py', 'from . import topic_qos'),
        ('messages/publisher.py', 'from .topic_qos import STATES'),
        ('messages/publisher.py', 'from rclpy.qos import QoSProfile'),
        ('simulation/pace.py', 'from rosgraph_msgs.msg import Clock'),
        ('config/reader.py', 'from ..mjcf import schema'),
        ('rendering/cameras.py', 'from ..plugins import host'),
        ('errors.py', 'from .config import reader'),
        ('builtin/imu.py', 'from ..ros import node'),
        ('ros/node.py', 'from ..builtin import imu'),
        ('__init__.py', 'from .plugins import MujocoPlugin'),
        ('utils/strings.py', 'from ..errors import MujocoRosError'),
        ('mjcf/write/form.py', 'from ..files.assets import Asset'),
        ('mjcf/tree/placed.py', 'from .. import compose'),
        ('mjcf/tree/placed.py', 'def late():\n    from ..read.models import from_path'),
        ('mjcf/compose/keyframes/slots.py', 'from ...physics import Physics'),
        ('mjcf/compose/root.py', 'from ... import mjcf'),
        ('mjcf/spec/conversion.py', 'from ..physics import Physics'),
        ('mjcf/__init__.py', 'from .tools import commands'),
        ('mjcf/utils/strings.py', 'from ..schema import root'),
    ],
)
def test_an_import_that_goes_the_wrong_way_is_found(tmp_path, file, line):
    path = tmp_path / 'mujoco_ros_py' / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(line)
    (found,) = violations(tmp_path / 'mujoco_ros_py')
    assert found.startswith(f'{file} must not import ')


@pytest.mark.parametrize(
    ('file', 'line'),
    [
        ('engine/physics_loop.py', 'from ..config import reader'),
        ('engine/physics_loop.py', 'from .kernel import step'),
        ('engine/physics_loop.py', 'from mujoco_ros_py.errors import EngineError'),
        ('engine/physics_loop.py', 'import numpy as np\nfrom mujoco import MjModel'),
        ('engine/deep/loop.py', 'from ..kernel import step'),
        ('plugins/contract.py', 'from ..simulation import model'),
        ('plugins/hints.py', 'if TYPE_CHECKING:\n    from rclpy.node import Node'),
        ('builtin/imu.py', 'from sensor_msgs.msg import Imu'),
        ('builtin/imu.py', 'from ..messages.topic_qos import STATES'),
        ('messages/topic_qos.py', 'from rclpy.qos import QoSProfile'),
        ('ros/topics/clock.py', 'from ...messages import topic_qos'),
        ('ros/node.py', 'from ..plugins import host\nfrom ..errors import ConfigError'),
        ('ros/main.py', 'from .. import __version__'),
        ('__main__.py', 'from mujoco_ros_py.ros.main import main'),
        ('mjcf/compose/keyframes/slots.py', 'from ...write.writer import write'),
        ('mjcf/tree/placed.py', 'if TYPE_CHECKING:\n    from ..compose.root import RootElement'),
        ('mjcf/tree/placed.py', 'from .names import NameScope'),
        ('mjcf/tools/commands/diff.py', 'from ....errors import MjcfError'),
    ],
)
def test_an_import_that_goes_down_or_stays_in_its_room_is_left_alone(tmp_path, file, line):
    path = tmp_path / 'mujoco_ros_py' / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(line)
    assert violations(tmp_path / 'mujoco_ros_py') == []
