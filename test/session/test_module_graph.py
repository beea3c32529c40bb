"""The imports of a source."""

from __future__ import annotations

import pytest

from mujoco_ros_py.session.module_graph import SourceImports, source_imports


def found(source: str, package: str = 'pkg.sub') -> SourceImports:
    return source_imports(source.encode(), package)


@pytest.mark.parametrize(
    ('source', 'modules'),
    [
        ('import a', {'a'}),
        ('import a.b.c', {'a', 'a.b', 'a.b.c'}),
        ('import a.b.c as d', {'a.b.c'}),
        ('import a, b.c as d', {'a', 'b.c'}),
        ('def f():\n    class C:\n        import a', {'a'}),
        ('if False:\n    import a', {'a'}),
        ('try:\n    import a\nexcept ImportError:\n    import b', {'a', 'b'}),
    ],
)
def test_modules_that_are_imported_as_wholes(source, modules):
    assert found(source) == SourceImports(frozenset(modules))


@pytest.mark.parametrize(
    ('source', 'members'),
    [
        ('from a import b', {('a', 'b')}),
        ('from a.b import c as d, e', {('a.b', 'c'), ('a.b', 'e')}),
        ('from a import *', {('a', '*')}),
        ('from . import b', {('pkg.sub', 'b')}),
        ('from .b import c', {('pkg.sub.b', 'c')}),
        ('from .. import b', {('pkg', 'b')}),
        ('from ..b.c import d', {('pkg.b.c', 'd')}),
        ('from ... import b', set()),
        ('async def f():\n    from .b import c', {('pkg.sub.b', 'c')}),
    ],
)
def test_what_is_imported_from_modules(source, members):
    assert found(source) == SourceImports(members=frozenset(members))


@pytest.mark.parametrize(
    'source',
    [
        'import_module("a")',
        'importlib.import_module(name)',
        '__import__("a")',
        'for each in pkgutil.iter_modules(): pass',
        'def f():\n    return import_module',
    ],
)
def test_imports_by_text_are_seen(source):
    assert found(source).by_text


@pytest.mark.parametrize('source', ['', 'x = 1', 'import', 'def f(:', '\0', '"import a"'])
def test_a_source_without_imports_or_that_is_no_python_imports_nothing(source):
    assert found(source) == SourceImports()


def test_a_module_of_no_package_has_no_relative_imports():
    assert found('from . import a\nfrom b import c', '') == SourceImports(
        members=frozenset({('b', 'c')})
    )
