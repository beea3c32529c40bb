"""The documentation is a site without a warning, which has every public name."""

from __future__ import annotations

import re
import subprocess
import sys
import zlib
from importlib import import_module
from types import FunctionType

import pytest

from .pages import PAGES, ROOT

pytest.importorskip('sphinx', reason='the extra `docs` is not installed')

API = ROOT / 'docs' / 'api'
TOLD_ELSEWHERE = 'Asset', 'Element'
"""Names of pymjcf that are classes of mjcf."""


@pytest.fixture(scope='module')
def site(tmp_path_factory):
    """The folder of the site."""
    folder = tmp_path_factory.mktemp('site')
    command = '-m', 'sphinx', '--quiet', '--fail-on-warning', '--keep-going', '--conf-dir', 'docs'
    done = subprocess.run(
        [sys.executable, *command, '.', folder], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.slow
def test_the_site_has_every_page(site):
    for page in PAGES:
        assert (site / page.relative_to(ROOT)).with_suffix('.html').is_file()


@pytest.mark.slow
def test_the_site_has_the_public_names_of_every_module_of_the_reference(site):
    known = names_of(site)
    for module in documented():
        for name, value in public(module).items():
            told_elsewhere = module.endswith('.pymjcf') and name in TOLD_ELSEWHERE
            has_text = isinstance(value, type | FunctionType)
            assert told_elsewhere or not has_text or f'{module}.{name}' in known, name


def test_the_reference_has_every_module_that_it_lists_and_no_other():
    listed = re.findall(r'\[`([\w.]+)`\]\(api/', (ROOT / 'docs/api.md').read_text())
    assert sorted(listed) == sorted(documented())


def names_of(site) -> set[str]:
    """The Python names in the inventory of the site, which other sites link to."""
    content = (site / 'objects.inv').read_bytes().split(b'\n', 4)[4]
    return set(re.findall(r'^(\S+) py:', zlib.decompress(content).decode(), re.M))


def documented() -> list[str]:
    """The modules that the reference has."""
    pages = (page.read_text() for page in API.glob('*.rst'))
    return [name for page in pages for name in re.findall(r'automodule:: ([\w.]+)', page)]


def public(name: str) -> dict[str, object]:
    """The public names of a module, which say something themselves."""
    module = import_module(name)
    return {each: getattr(module, each) for each in getattr(module, '__all__', ())}
