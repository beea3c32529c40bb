"""What the documentation names is there, and what it shows is what ships."""

from __future__ import annotations

import ast
import inspect
import re
import runpy
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from mujoco_ros_py.config import ServerConfig, parameters_of, read_text, register
from mujoco_ros_py.engine import resources
from mujoco_ros_py.plugins import MujocoPlugin, PluginState, compiled
from mujoco_ros_py.plugins.description_files import Base
from mujoco_ros_py.plugins.environment import Environment
from mujoco_ros_py.plugins.plugin_types import known_types

from .pages import (
    EXAMPLE,
    PAGES,
    ROOT,
    Block,
    anchors,
    blocks,
    code_spans,
    linked,
    links,
    rows,
)  # fmt: skip

DOCS, PACKAGE = ROOT / 'docs', ROOT / 'mujoco_ros_py'
LANGUAGES = {'python', 'sh', 'text', 'toml', 'xml', 'yaml'}
FOLDERS = ('.ci', 'config', 'docs', 'examples', 'launch', 'scripts', 'test')
IN_PACKAGE = r'mujoco_ros_py/[a-z_][\w./]*'
"""A path; plugin types begin with an upper-case letter there."""
INSIDE = ('engine', 'messages', 'rendering', 'ros', 'simulation')
"""Rooms, whose files the pages name without the package."""
SMALL = [
    'example_plugins/sensor.py',
    'example_plugins/scan.py',
    'example_plugins/keeper.py',
    'test_damper.py',
    'test_arm.py',
]
"""A publisher, work on a thread of its own, saved states with services, and a test."""

shipped = [b for b in blocks() if b.title and re.match(r'(config|example_plugins)/', b.title)]


@cache
def texts_in_the_source() -> str:
    """All strings of the package, one a line; of those with values in them the parts."""
    nodes = (
        node
        for path in (ROOT / 'mujoco_ros_py').rglob('*.py')
        for node in ast.walk(ast.parse(path.read_text()))
    )
    constants = (node.value for node in nodes if isinstance(node, ast.Constant))
    return '\n'.join(value for value in constants if isinstance(value, str))


def without_comments(text: str) -> str:
    return ''.join(line for line in text.splitlines(keepends=True) if not line.startswith('#'))


@pytest.mark.parametrize(
    'page', [*PAGES, ROOT / 'interfaces' / 'README.md'], ids=lambda page: page.name
)
def test_every_link_leads_somewhere(page):
    for target, path, anchor in links(page):
        assert path.exists(), target
        assert path.is_relative_to(ROOT), target
        assert not anchor or anchor in anchors(path), f'{target}: has {sorted(anchors(path))}'


@pytest.mark.parametrize('page', PAGES, ids=lambda page: page.name)
def test_every_file_that_is_named_exists(page):
    for span in code_spans(page):
        if re.fullmatch(rf'({"|".join(map(re.escape, FOLDERS))})/[\w./]+|{IN_PACKAGE}', span):
            assert (ROOT / span).exists(), span
        elif re.fullmatch(rf'({"|".join(INSIDE)})/[\w./]+', span):
            assert (ROOT / 'mujoco_ros_py' / span).exists(), span


def test_every_make_target_that_is_named_exists():
    makefile = (ROOT / 'Makefile').read_text()
    (targets,) = re.findall(r'^\.PHONY: (.*)$', makefile, re.M)
    named = {
        target
        for page in PAGES
        for text in [*code_spans(page), *(c for b in blocks('sh', page=page) for c in b.commands)]
        for target in re.findall(r'^make ([a-z]+)', text)
    }
    assert {'demo', 'test', 'bench', 'lint', 'clean'} <= named <= set(targets.split())


def test_every_page_is_linked_from_the_index_which_the_readme_links():
    assert DOCS / 'index.md' in linked(ROOT / 'README.md')
    pages = {*PAGES, ROOT / 'interfaces' / 'README.md', ROOT / 'CHANGELOG.rst'}
    assert linked(DOCS / 'index.md') == pages - {DOCS / 'index.md'}


def test_contributing_lists_each_room_of_the_package_and_no_other():
    text = (ROOT / 'CONTRIBUTING.md').read_text()
    listed = re.search(r'```text\n(mujoco_ros_py/\n.*?)```', text, re.S)
    rooms = {path.name for path in PACKAGE.rglob('*') if path.is_dir() and path.name[0] != '_'}
    assert set(re.findall(r'(\w+)/', listed[1])) - {PACKAGE.name} == rooms


def test_contributing_tells_for_each_room_what_goes_there():
    text = (ROOT / 'CONTRIBUTING.md').read_text()
    table = text.partition('## Where does it go?')[2].partition('## Which tier')[0]
    rooms = {path.parent.relative_to(ROOT).parts[1] for path in PACKAGE.glob('*/__init__.py')}
    assert {room for room in rooms if f'mujoco_ros_py/{room}' not in table} == set()


@pytest.mark.parametrize('block', blocks(), ids=str)
def test_every_block_is_of_a_kind_that_these_tests_know(block: Block):
    assert block.language in LANGUAGES
    if block.language == 'python':
        assert block.title, 'the first line must name the file'
    if block.language == 'yaml' and not block.refused:
        assert block.title or block.is_parameter_file


@pytest.mark.parametrize('block', shipped, ids=str)
def test_a_block_that_shows_a_file_shows_what_is_in_it(block: Block):
    folder = ROOT if block.title.startswith('config/') else EXAMPLE
    assert without_comments(block.text) == without_comments((folder / block.title).read_text())


@pytest.mark.parametrize('title', SMALL)
def test_a_small_example_has_thirty_lines_at_most(title: str):
    (block,) = [block for block in blocks('python') if block.title == title]
    assert len(without_comments(block.text).splitlines()) <= 30


def test_the_suite_of_tests_that_a_page_shows_is_the_example_of_twenty_lines():
    (block,) = [block for block in blocks('python') if block.title == 'test_arm.py']
    assert block.text == (ROOT / 'examples' / 'test_arm.py').read_text()
    assert len([line for line in without_comments(block.text).splitlines() if line]) <= 20


def test_the_plugins_of_the_pages_are_all_that_the_example_package_has():
    modules = {path.name for path in (EXAMPLE / 'example_plugins').glob('*.py')}
    shown = {Path(block.title).name for block in shipped if block.language == 'python'}
    assert modules == {*shown, '__init__.py'}


def test_the_example_package_registers_its_plugins_both_ways():
    (description,) = [block for block in blocks('xml') if block.title == 'plugins.xml']
    assert description.text.partition('\n')[2] == (EXAMPLE / 'plugins.xml').read_text()
    described = re.findall(r' name="(\S+)" type="(\S+)"', description.text)
    entry_points = re.findall(r"'(\S+/\S+) = (\S+)'", (EXAMPLE / 'setup.py').read_text())
    assert described == entry_points
    resource = (EXAMPLE / 'resource/plugins/example_plugins').read_text()
    assert resource == 'share/example_plugins/plugins.xml\n'
    assert resource.strip() in code_spans(DOCS / 'plugins.md')


@pytest.mark.parametrize(
    'block',
    [
        block
        for block in blocks('yaml')
        if not (block.is_parameter_file or block.is_scenario_file or block.refused)
    ],
    ids=str,
)
def test_lists_of_plugins_are_read_without_a_refusal(block: Block):
    plugins, refusals = register(read_text(block.text, str(block)))
    assert plugins
    assert refusals == []


def test_the_tables_of_parameters_are_up_to_date():
    """Else run docs/generate_parameters.py."""
    generate = runpy.run_path(str(DOCS / 'generate_parameters.py'))
    for name, configs in generate['PAGES'].items():
        page = (DOCS / name).read_text()
        assert page == generate['filled'](page, configs)


def test_the_table_of_parameters_has_every_parameter():
    table = rows(DOCS / 'parameters.md', 'parameter')
    assert [row[0] for row in table] == list(parameters_of(ServerConfig))


def test_the_table_of_methods_has_every_method_of_a_plugin_with_its_arguments():
    functions = inspect.getmembers(MujocoPlugin, inspect.isfunction)
    signatures = {
        f'{name}({", ".join(list(inspect.signature(function).parameters)[1:])})'
        for name, function in functions
        if inspect.getattr_static(object, name, None) is None or name == '__init__'
    }
    assert {row[0] for row in rows(DOCS / 'plugins.md', 'method')} == signatures


def test_the_table_of_the_environment_has_all_that_plugins_are_given_with_its_arguments():
    given = {name: each for name, each in vars(Environment).items() if name[0] != '_'}
    attributes = re.findall(r'self\.([a-z]\w*) = ', inspect.getsource(Environment.__init__))
    written = {
        f'{name}({", ".join(arguments(each))})' if inspect.isfunction(each) else name
        for name, each in {**given, **dict.fromkeys(attributes)}.items()
    }
    cells = [row[0] for row in rows(DOCS / 'plugins.md', 'of `self.environment`')]
    assert {each.strip('`') for cell in cells for each in cell.split('`, `')} == written


def arguments(method: Any) -> list[str]:
    """The arguments of a method but for the first, with their defaults."""
    _, *given = inspect.signature(method).parameters.values()
    return [
        each.name if each.default is each.empty else f'{each.name}={each.default}'
        for each in given
    ]


def test_the_states_of_a_plugin_are_those_of_the_host():
    (picture,) = blocks('text', page=DOCS / 'plugins.md')
    states = set(re.findall(r'[a-z]+', picture.text))
    assert states == {state.value for state in PluginState}


def test_the_plugins_that_come_with_the_server_are_all_there():
    named = {row[0] for row in rows(DOCS / 'plugins.md', 'type')}
    assert named == {name for name in known_types() if name.startswith('mujoco_ros_py/')}


def test_the_engine_plugins_that_come_along_are_all_there():
    named = {row[0] for row in rows(DOCS / 'engine-plugins.md', 'type')}
    assert named == {
        name for name in known_types(Base.ENGINE) if name.startswith('mujoco_ros_py/')
    }


def test_the_resource_providers_that_come_with_the_package_are_all_there():
    resources.register_shipped()
    cells = (row[0] for row in rows(DOCS / 'resource-providers.md', 'prefix'))
    named = {prefix for cell in cells for prefix in re.findall(r'\w+', cell)}
    shipped = {p.prefix for p in vars(resources).values() if getattr(p, 'prefix', None)}
    assert named == shipped
    assert all(resources.provides(f'{prefix}:') for prefix in named)


def test_the_setting_for_linters_names_the_decorator():
    (setting,) = blocks('toml')
    assert f'{compiled.__module__.rpartition(".")[0]}.{compiled.__name__}' in setting.text


def test_messages_of_refusal_are_those_of_the_source():
    messages = [row[0] for row in rows(DOCS / 'services.md', 'message')]
    for message in messages:
        for part in re.split('…|`, `', message):
            text = part.strip(': ')
            assert text in texts_in_the_source(), text


def test_the_threads_are_those_of_the_source():
    named = {row[0] for row in rows(DOCS / 'architecture.md', 'thread')}
    named = {name for name in named if not name.startswith('one for each')}
    source = ''.join(path.read_text() for path in (ROOT / 'mujoco_ros_py').rglob('*.py'))
    begins = r'Thread\([^\n]*name=|RepeatingThread\(|thread_name_prefix=|thread(: str )?='
    begun = rf"(?:{begins}) ?'(?P<name>\w+)'"
    assert named == {*(found['name'] for found in re.finditer(begun, source)), 'main'}


def test_environment_variables_are_those_of_the_source():
    variables = {
        span
        for page in PAGES
        for span in code_spans(page)
        if re.fullmatch('[A-Z]+_[A-Z_]*(CACHE|HOME|PATH)[A-Z_]*', span)
    }
    assert {'MUJOCO_ROS_PY_CACHE_DIR', 'XDG_CACHE_HOME', 'AMENT_PREFIX_PATH'} <= variables
    for variable in variables:
        assert variable in texts_in_the_source(), variable
