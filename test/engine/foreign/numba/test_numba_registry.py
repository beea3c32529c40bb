"""Removing overloads from numba: each test reports what a new version has lost."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Iterator
from typing import Any

import numba
import pytest
from numba import types
from numba.core.registry import cpu_target
from numba.core.typing.templates import builtin_registry
from numba.extending import overload, overload_method

from mujoco_ros_py.engine.foreign.numba import numba_registry as registry

from .losses import lost, told

CONTEXTS = cpu_target.typing_context, cpu_target.target_context


def own(x: Any) -> Any: ...


@pytest.fixture
def template() -> Iterator[Any]:
    """Returns the template of an overload of `own` that adds 1 and has been compiled."""
    before = list(builtin_registry.functions)

    @overload(own)
    def implement(x):
        return lambda x: x + 1

    (made,) = [each for each in builtin_registry.functions if each not in before]
    assert asked(2) == 3
    yield made
    registry.remove([made])


def asked(number: int) -> Any:
    """Compiles the overload of `own`, and returns its result."""
    return numba.njit(lambda x: own(x))(number)


def declines(number: int) -> bool:
    try:
        asked(number)
    except numba.TypingError:
        return True
    return False


def test_the_registry_has_lists_that_are_read_by_position():
    for name in ('functions', 'attributes', 'globals'):
        found = getattr(builtin_registry, name, None)
        assert isinstance(found, list), lost(f'the list builtin_registry.{name}')


def test_the_typing_context_has_tables_with_an_instance_of_each_template(template):
    for name in ('_functions', '_attributes', '_globals'):
        table = getattr(CONTEXTS[0], name, None)
        assert table, lost(f'the table {name} of the typing context')
        assert isinstance(next(iter(table.items())), tuple), lost(f'items of {name}')
    tables = CONTEXTS[0]._functions, CONTEXTS[0]._attributes
    every = [each for table in tables for templates in table.values() for each in templates]
    assert template in map(type, every), lost('templates in _functions of the typing context')
    kind = CONTEXTS[0]._globals[weakref.ref(own)]
    assert template in kind.templates, lost('types with templates in _globals of the context')


def test_an_overload_that_returns_nothing_declines(template):
    before = told(registry.silence, template)
    assert declines(2), lost('_overload_func, looked up for each call of an overload')
    told(registry.restore, template, before)
    assert asked(2) == 3, lost('_impl_cache, without which an overload is asked again')


def test_what_is_removed_is_found_nowhere(template):
    lengths = [len(getattr(builtin_registry, name)) for name in ('functions', 'globals')]
    told(registry.remove, [template])
    every = itertools.chain(*CONTEXTS[0]._functions.values())
    assert template not in [*builtin_registry.functions, *map(type, every)]
    assert weakref.ref(own) not in CONTEXTS[0]._globals, lost(
        '_globals, where functions are looked up'
    )
    assert declines(2), lost('_functions and _globals, where overloads are looked up')
    assert lengths == [len(getattr(builtin_registry, name)) for name in ('functions', 'globals')]


def tripled(implementation):
    """Returns the template of a method of integers."""

    @overload_method(types.Integer, 'tripled_by_mujoco_ros_py')
    def implement(x):
        return implementation

    return builtin_registry.attributes[-1]


def test_code_of_a_removed_method_gets_the_type_of_the_one_in_use():
    used, removed = tripled(lambda x: 3 * x), tripled(lambda x: 4 * x)
    told(registry.silence, removed)
    told(registry.remove, [removed])
    try:
        got = numba.njit(lambda x: x.tripled_by_mujoco_ros_py())(1)
        assert got == 3, lost('_get_function_type, asked of the template that was registered last')
        context = CONTEXTS[0]
        kinds = [told(each._get_function_type, context, types.int64) for each in (used, removed)]
        assert kinds[0] is kinds[1], lost('_get_function_type and _get_attribute_templates')
    finally:
        registry.remove([used])


def test_the_target_context_has_caches_by_type(template):
    caches = {}
    for place in ('_casts', '_get_constants', 'data_model_manager'):
        keeping = getattr(CONTEXTS[1], place, None)
        assert keeping is not None, lost(f'{place} of the target context')
        assert len(getattr(keeping, '_cache', ())), lost(f'the cache {place}._cache')
        caches[place] = keeping._cache
    told(registry.forget_functions)
    for place, cache in caches.items():
        assert not len(cache), lost(f'clearing the cache {place}._cache')
    assert asked(3) == 4, lost('filling these caches again')
