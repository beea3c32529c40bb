"""Overloads of replaced modules are retired; overloads of modules in use are not."""

from __future__ import annotations

import gc
import itertools
import sys
import weakref
from types import ModuleType

import numba
import numpy as np
import pytest
from numba.core.registry import cpu_target

from mujoco_ros_py.engine import (
    Point,
    RetiredOverloads,
    compile_callback,
    forget_code,
    new_state,
)
from mujoco_ros_py.engine.foreign.numba.numba_registry import is_retired, templates_in
from mujoco_ros_py.engine.identity import identify

pytestmark = pytest.mark.slow

_numbers = itertools.count()
HEAD = 'import numpy as np\nfrom numba import njit, types\nfrom numba.extending import *\n'
KINDS = {
    'function of NumPy': (
        '@overload(np.FREE)\ndef _(x):\n    return lambda x: x * VALUE\n',
        'np.FREE(1.0)',
    ),
    'function of its own': (
        'def own(x):\n    return x\n@overload(own)\ndef _(x):\n    return lambda x: x * VALUE\n',
        'own(1.0)',
    ),
    'function that is jitable': (
        '@register_jitable\ndef own(x):\n    return x * VALUE\n',
        'own(1.0)',
    ),
    'method': (
        '@overload_method(types.Float, "FREE")\ndef _(x):\n    return lambda x: x * VALUE\n',
        '(1.0).FREE()',
    ),
    'attribute': (
        '@overload_attribute(types.Float, "FREE")\ndef _(x):\n    return lambda x: x * VALUE\n',
        '(1.0).FREE',
    ),
    'intrinsic': (
        '@intrinsic\ndef own(context, x):\n'
        '    def emit(context, builder, signature, arguments):\n'
        '        return context.get_constant(types.float64, VALUE)\n'
        '    return types.float64(x), emit\n',
        'own(1.0)',
    ),
}
FREE = iter(
    [
        'isfortran',
        'may_share_memory',
        'putmask',
        'isrealobj',
        'setxor1d',
        'union1d',
        'trim_zeros',
        'packbits',
        'unpackbits',
        'ix_',
        'fliplr',
        'rot90',
    ]
)
"""NumPy functions that numba does not implement, and that no other test uses."""


class Editions:
    """Creates modules that register the same overload, each with a different value."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.free = next(FREE) if kind == 'function of NumPy' else f'free_{next(_numbers)}'
        source, call = KINDS[kind]
        callback = f'def callback(state, model, data):\n    state.out = {call}\n'
        self._source = f'{HEAD}{source}@njit\ndef run():\n    return {call}\n{callback}'

    def make(self, value: float) -> ModuleType:
        module = ModuleType('edition')
        source = self._source.replace('FREE', self.free).replace('VALUE', str(value))
        exec(compile(source, 'edition.py', 'exec'), vars(module))
        return module


SIMILAR = 'function that is jitable', 'method'
"""Kinds that numba registers in the same way as another kind."""


@pytest.fixture(
    params=[
        pytest.param(kind, marks=pytest.mark.nightly if kind in SIMILAR else []) for kind in KINDS
    ]
)
def editions(request) -> Editions:
    return Editions(request.param)


def run_anew(module: ModuleType) -> float:
    """Compiles the function of a module again, and returns its result."""
    return float(numba.njit(module.run.py_func)())


def test_a_newer_module_takes_the_place_of_an_older_one_unless_it_is_refused(editions):
    old = editions.make(1.0)
    assert run_anew(old) == 1.0
    for may_run in (False, True):  # a refused module may have been compiled already
        retired = RetiredOverloads([old])
        refused = editions.make(2.0)
        assert not may_run or run_anew(refused) == 2.0
        RetiredOverloads([refused]).drop()
        retired.restore()
        assert run_anew(old) == 1.0
    retired = RetiredOverloads([old])
    new = editions.make(3.0)
    assert run_anew(new) == 3.0
    retired.drop()
    assert run_anew(new) == 3.0


def test_the_lists_of_numba_keep_their_length_and_new_contexts_can_read_them(editions):
    registry = sys.modules['numba.core.typing.templates'].builtin_registry
    module = editions.make(1.0)
    namespace = {id(vars(module))}
    assert templates_in(namespace)
    before = [len(each) for each in (registry.functions, registry.attributes, registry.globals)]
    RetiredOverloads([module]).drop()
    after = [len(each) for each in (registry.functions, registry.attributes, registry.globals)]
    assert after == before
    assert templates_in(namespace) == []
    sys.modules['numba.core.typing'].Context().refresh()


def test_nothing_keeps_a_module_alive_whose_overloads_are_dropped(editions):
    module = editions.make(1.0)
    compile_callback(Point.CONTROL, module.callback, new_state(out=0.0))
    table = vars(module)['table'] = np.zeros(1000)
    alive = weakref.ref(table)
    RetiredOverloads([module]).drop()
    forget_code()
    del table, module
    for _ in range(3):  # numba's objects have finalizers, and these free other objects
        gc.collect()
    keeps = editions.kind == 'intrinsic'  # numba keeps the function that creates its machine code
    assert (alive() is not None) == keeps


def test_a_helper_function_that_is_gone_leaves_nothing_in_the_caches_of_numba():
    caches = cpu_target.target_context.data_model_manager._cache
    sizes = []
    for value in (1.0, 2.0, 3.0):
        module = ModuleType('edition')
        source = f'@njit\ndef own(x):\n    return x * {value}\n'
        source += 'def callback(state, model, data):\n    state.out = own(1.0)\n'
        exec(compile(HEAD + source, 'edition.py', 'exec'), vars(module))
        compile_callback(Point.CONTROL, module.callback, new_state(out=0.0))
        alive = weakref.ref(module.own)
        del module
        forget_code()
        gc.collect()
        RetiredOverloads([]).drop()
        sizes.append(len(caches))
        assert alive() is None
        assert run_anew(Editions('function of its own').make(5.0)) == 5.0
    assert sizes == [0, 0, 0]


def test_overloads_of_others_stay(editions):
    module, other = editions.make(1.0), Editions('function of its own').make(5.0)
    RetiredOverloads([module]).drop()
    assert not any(map(is_retired, templates_in({id(vars(other))})))
    assert run_anew(other) == 5.0


def test_two_users_of_one_function_do_not_take_each_other_out():
    editions = Editions('function of its own')
    shared = editions.make(1.0)
    extra = ModuleType('extra')
    extra.own = shared.own
    source = '@overload(own)\ndef _(x, y):\n    return lambda x, y: x + y\n'
    source += '@njit\ndef run():\n    return own(1.0, 2.0)\n'
    exec(compile(HEAD + source, 'extra.py', 'exec'), vars(extra))
    assert run_anew(extra) == 3.0
    RetiredOverloads([extra]).drop()
    assert run_anew(shared) == 1.0


def test_the_identity_of_code_follows_what_is_in_use():
    editions = Editions('function of its own')
    old = editions.make(1.0)
    first = identify(old.run)
    retired = RetiredOverloads([old])
    assert identify(old.run) != first
    retired.restore()
    assert identify(old.run) == first


def test_a_module_without_overloads_takes_nothing_out_of_use():
    module = Editions('function of its own').make(1.0)
    identity = identify(module.run)
    retired = RetiredOverloads([ModuleType('empty')])
    assert (run_anew(module), identify(module.run)) == (1.0, identity)
    retired.restore()
    retired.drop()
    assert (run_anew(module), identify(module.run)) == (1.0, identity)
