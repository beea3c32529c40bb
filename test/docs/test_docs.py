"""All names in the documentation exist, and the files that it shows are the shipped files."""

from __future__ import annotations

import inspect
import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from mujoco_ros_py.config import read_text, register
from mujoco_ros_py.engine import resources
from mujoco_ros_py.plugins import MujocoPlugin
from mujoco_ros_py.plugins.host.description_files import Base
from mujoco_ros_py.plugins.host.environment import Environment
from mujoco_ros_py.plugins.host.plugin_types import shipped_types
from mujoco_ros_py.plugins.mixins import MIXINS

from .pages import EXAMPLE, PAGES, ROOT, TUTORIAL, Block, blocks, code_spans, rows

DOCS = ROOT / 'docs'
LANGUAGES = {'python', 'sh', 'text', 'xml', 'yaml'}
IN_ROOT = r'(\.ci|config|docs|examples|launch|scripts|test)/[\w./]+|mujoco_ros_py/[a-z_][\w./]*'
"""Matches paths, but not names of plugin types such as `mujoco_ros_py/Imu`."""
IN_PACKAGE = r'(engine|ros|simulation)/[\w./]+'
"""Matches paths that pages write relative to the package."""
SHIPPED = {
    'config': ROOT,
    'example_plugins': EXAMPLE,
    'late_arm.py': EXAMPLE.parent,
    'late_arm.yaml': EXAMPLE.parent,
    'test_arm.py': EXAMPLE.parent,
}
"""The folders of shipped files that pages show, by the beginning of the block's title."""

shipped = [b for b in blocks() if b.title and Path(b.title).parts[0] in SHIPPED]


def without_comments(text: str) -> list[str]:
    lines = text.splitlines()
    return [line for line in lines if not line.startswith(('#', '<!--'))]


def test_every_file_and_every_make_target_that_is_named_exists():
    (targets,) = re.findall(r'^\.PHONY: (.*)$', (ROOT / 'Makefile').read_text(), re.M)
    for page in [*PAGES, *TUTORIAL]:
        folder = ROOT / 'examples' / 'my_robot' if page in TUTORIAL else ROOT
        for span in code_spans(page):
            if target := re.match(r'make ([a-z]+)', span):
                assert target[1] in targets.split(), span
            elif re.fullmatch(IN_ROOT, span):
                assert (folder / span).exists(), f'{page.name}: {span}'
            elif re.fullmatch(IN_PACKAGE, span):
                assert (ROOT / 'mujoco_ros_py' / span).exists(), f'{page.name}: {span}'


def test_every_block_is_of_a_kind_that_these_tests_know():
    for block in blocks():
        assert block.language in LANGUAGES, block
        if block.language == 'python':
            assert block.title, f'{block}: the first line must name the file'
        if block.language == 'yaml' and not block.refused:
            assert block.title or block.is_parameter_file, block


@pytest.mark.parametrize('block', shipped, ids=str)
def test_a_block_that_shows_a_file_shows_what_is_in_it(block: Block):
    file = SHIPPED[Path(block.title).parts[0]] / block.title
    assert without_comments(block.text) == without_comments(file.read_text())


def test_the_example_package_registers_its_plugins_both_ways():
    described = re.findall(r' name="(\S+)" type="(\S+)"', (EXAMPLE / 'plugins.xml').read_text())
    entry_points = re.findall(r"'(\S+/\S+) = (\S+)'", (EXAMPLE / 'setup.py').read_text())
    assert described == entry_points
    (shown,) = [block for block in blocks('python') if block.title == 'setup.py']
    assert set(re.findall(r"'(\S+/\S+) = (\S+)'", shown.text)) < set(entry_points)
    (shown,) = [block for block in blocks('xml') if block.title == 'plugins.xml']
    assert without_comments(shown.text)[1] in (EXAMPLE / 'plugins.xml').read_text().splitlines()


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


@pytest.mark.slow
def test_the_tables_of_parameters_are_up_to_date():
    """If this fails, run docs/generate_parameters.py."""
    generate = runpy.run_path(str(DOCS / 'generate_parameters.py'))
    for name, configs in generate['PAGES'].items():
        page = (DOCS / name).read_text()
        assert page == generate['filled'](page, configs)


def test_the_table_of_methods_has_every_method_of_a_plugin_with_its_arguments():
    functions = inspect.getmembers(MujocoPlugin, inspect.isfunction)
    signatures = {
        signature(name, function)
        for name, function in functions
        if inspect.getattr_static(object, name, None) is None or name == '__init__'
    }
    assert {row[0] for row in rows(DOCS / 'reference/plugins.md', 'method')} == signatures


def test_the_table_of_mixins_has_everything_that_each_of_them_adds():
    added, mixin = {}, ''
    for row in rows(DOCS / 'reference/plugins.md', 'mixin'):
        mixin = row[0].strip('`') or mixin
        added.setdefault(mixin, set()).add(row[1].strip('`'))
    assert added == {
        each.__name__: {
            signature(name, value) if inspect.isfunction(value) else name
            for name, value in vars(each).items()
            if name[0] != '_'
        }
        for each in MIXINS
    }


def signature(name: str, function: Any) -> str:
    """Returns the call of a method, such as `load(model, data)`."""
    return f'{name}({", ".join(list(inspect.signature(function).parameters)[1:])})'


def test_the_table_of_the_environment_has_all_that_plugins_are_given_with_its_arguments():
    given = {name: each for name, each in vars(Environment).items() if name[0] != '_'}
    attributes = re.findall(r'self\.([a-z]\w*) = ', inspect.getsource(Environment.__init__))
    written = {
        f'{name}({", ".join(arguments(each))})' if inspect.isfunction(each) else name
        for name, each in {**given, **dict.fromkeys(attributes)}.items()
    }
    cells = [row[0] for row in rows(DOCS / 'reference/plugins.md', 'member')]
    assert {each.strip('`') for cell in cells for each in cell.split('`, `')} == written


def arguments(method: Any) -> list[str]:
    """Returns the arguments of a method, except the first, with their defaults."""
    _, *given = inspect.signature(method).parameters.values()
    return [
        each.name if each.default is each.empty else f'{each.name}={each.default}'
        for each in given
    ]


@pytest.mark.parametrize(
    ('base', 'tables'),
    [
        (
            Base.SERVER,
            [
                ('reference/plugins.md', 'type'),
                ('reference/controllers.md', 'plugin'),
                ('reference/sensors.md', 'plugin'),
            ],
        ),
        (Base.ENGINE, [('reference/engine-plugins.md', 'type')]),
    ],
)
def test_the_plugins_that_ship_are_all_there(base, tables):
    cells = [row[0] for page, head in tables for row in rows(DOCS / page, head)]
    named = sorted(re.search(r'mujoco_ros_py/\w+', cell)[0] for cell in cells)
    assert named == sorted(each.name for each in shipped_types(base))


def test_the_groups_of_the_policy_are_all_there():
    named = [row[0].strip('`') for row in rows(DOCS / 'how-to/security.md', 'group')]
    assert named == re.findall(r'<!ENTITY (\w+)', (ROOT / 'config/demo.policy.xml').read_text())


def test_the_resource_providers_that_ship_are_all_there():
    cells = (row[0] for row in rows(DOCS / 'reference/resource-providers.md', 'prefix'))
    named = {prefix for cell in cells for prefix in re.findall(r'\w+', cell)}
    shipped = {p.prefix for p in vars(resources).values() if getattr(p, 'prefix', None)}
    assert named == shipped
