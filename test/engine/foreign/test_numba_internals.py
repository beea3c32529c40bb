"""What the engine relies on inside numba: each test says what a new version has lost."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import llvmlite.binding as llvm
import numba
import numpy as np
import pytest
from numba import types
from numba.extending import intrinsic, overload, overload_method

from mujoco_ros_py.engine.foreign import numba_internals as internals
from mujoco_ros_py.engine.foreign.numba_internals import INTERNALS

ENGINE = Path(internals.__file__).parents[1]
NUMBA = f'numba {numba.__version__}'
LARGE = np.zeros(10_000_000)


def lost(what: str) -> str:
    return f'{NUMBA} has lost what mujoco_ros_py.engine.foreign.numba_internals needs: {what}'


def told(function, *arguments):
    """What the function gives; a test fails if it asks numba for an attribute that is gone."""
    try:
        return function(*arguments)
    except AttributeError as error:
        return pytest.fail(lost(f'{error}, in {function.__name__}'))


@numba.njit
def decorated(x):
    return x + 1


@numba.njit('int64(int64)')
def with_given_types(x):
    return x + 1


def list_of_runtime_functions():
    return list(internals.runtime_functions())


def library_of(function, *kinds):
    options = {'no_cpython_wrapper': True, 'no_cfunc_wrapper': True}
    dispatcher = numba.njit(**options)(function)
    dispatcher.compile(kinds)
    (compiled,) = dispatcher.overloads.values()
    compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)
    return compiled.library, compiled.fndesc.llvm_func_name


@pytest.mark.parametrize('name', INTERNALS)
def test_numba_has_what_is_imported_with_all_members_that_are_used(name):
    internal = INTERNALS[name]
    found = getattr(importlib.import_module(internal.module), name, None)
    assert found is not None, lost(f'{internal.module}.{name}, which {internal.use}')
    missing = [member for member in internal.members if not hasattr(found, member)]
    assert not missing, lost(f'{missing} of {internal.module}.{name}, which {internal.use}')


def test_an_internal_that_is_gone_is_told_with_version_and_use(monkeypatch):
    gone = internals.Internal('numba.core', 'does all the work')
    monkeypatch.setitem(INTERNALS, 'gone', gone)
    message = f'^{re.escape(NUMBA)} has no numba.core.gone, which does all the work$'
    with pytest.raises(ImportError, match=message):
        internals.gone  # noqa: B018


def test_a_name_that_is_none_of_the_internals_is_no_attribute():
    with pytest.raises(AttributeError, match='has no attribute'):
        internals.nothing  # noqa: B018


def test_all_members_of_cgutils_that_the_engine_uses_are_listed():
    texts = (path.read_text() for path in (ENGINE / 'compiled').glob('*.py'))
    used = {name for text in texts for name in re.findall(r'\bcgutils\.(\w+)', text)}
    assert used == set(INTERNALS['cgutils'].members)


def test_no_other_file_of_the_engine_looks_inside_numba():
    inside = re.compile(r'\bnumba\.(core|np|misc|cpython)\b|\bnumba\._[a-z]|_nrt_python')
    found = [
        path.name
        for path in ENGINE.rglob('*.py')
        if inside.search(path.read_text())
        and path.name not in ('numba_internals.py', 'numba_registry.py')
    ]
    assert found == []


def test_a_finished_library_gives_its_object_code_and_its_module():
    library, name = library_of(lambda x: x + 1, types.int64)
    code = told(internals.object_code, library)
    assert code, lost('the object code of a library (_get_compiled_object)')
    assert code.startswith(b'\x7fELF')
    module = told(internals.final_module, library)
    assert module.get_function(name).name == name, lost('the module of a library (_final_module)')


def test_code_with_the_address_of_a_large_array_is_known_to_need_this_process():
    library, _ = library_of(lambda index: LARGE[index], types.int64)
    assert told(internals.object_code, library) is None, lost('has_dynamic_globals of a library')


def test_code_that_prints_is_known_to_need_this_process():
    library, _ = library_of(lambda x: print(x), types.int64)
    assert told(internals.object_code, library) is None, lost("the text 'missing Environment'")


def test_a_c_function_tells_its_library_and_its_name():
    function = numba.cfunc(types.int64(types.int64))(lambda x: x + 1)
    library, name = told(internals.c_symbol, function)
    found = library.get_pointer_to_function(name)
    assert found == function.address, lost('_library or _wrapper_name of what cfunc makes')


def test_the_runtime_tells_its_functions_by_the_names_that_code_refers_to():
    functions = dict(told(list_of_runtime_functions))
    library, _ = library_of(lambda n: np.zeros(n).sum() / n, types.int64)
    module = told(internals.final_module, library)
    wanted = {
        each.name
        for each in module.functions
        if each.is_declaration and each.name.startswith(('NRT_', 'numba_'))
    }
    assert wanted, lost('functions NRT_* and numba_* that code with arrays calls')
    assert wanted <= set(functions), lost(f'{sorted(wanted - set(functions))} in c_helpers')
    known = {name: llvm.address_of_symbol(name) for name in wanted}
    assert known == {name: functions[name] for name in wanted}


def test_a_setting_that_is_changed_while_the_process_runs_is_seen(monkeypatch):
    assert 'OPT' not in dict(told(internals.changed_settings))
    monkeypatch.setenv('NUMBA_OPT', '1')
    changed = dict(told(internals.changed_settings))
    assert 'OPT' in changed, lost('numba.core.config with reload_config')


def test_decorated_functions_are_known_and_tell_how_they_are_compiled():
    compiler = importlib.import_module('numba.core.compiler').Compiler
    assert told(internals.is_dispatcher, decorated), lost(
        'the class CPUDispatcher in core.registry'
    )
    assert not told(internals.is_dispatcher, lost)
    assert told(internals.pipeline_of, decorated) is compiler, lost('_compiler.pipeline_class')
    assert not told(internals.has_given_types, decorated), lost('_can_compile of a dispatcher')
    assert told(internals.has_given_types, with_given_types), lost('_can_compile of a dispatcher')


def test_types_are_known():
    assert told(internals.is_type, types.float64), lost('the package numba.core.types')
    assert not told(internals.is_type, float)


def test_what_users_register_is_seen_with_its_options():
    functions, attributes = map(len, told(internals.registered_templates, 0, 0))

    def mine(x): ...

    @overload(mine, strict=False, jit_options={'boundscheck': True})
    def implement(x):
        return lambda x: x

    @overload_method(types.Integer, 'doubled_by_mujoco_ros_py')
    def double(x):
        return lambda x: 2 * x

    new_functions, new_attributes = told(internals.registered_templates, functions, attributes)
    registered = dict(new_functions)
    assert mine in registered, lost('builtin_registry.globals, to which overload adds')
    (template,) = registered[mine].templates
    assert told(internals.implementation_of, template) is implement, lost('_overload_func')
    assert told(internals.attribute_of, template) == ''
    how, jit = told(internals.overload_options, template)
    assert how[0] is False, lost('_strict of an overload')
    assert how[1] is not None, lost('prefer_literal of an overload')
    assert how[2] == 'never', lost('_inline of an overload')
    assert jit['boundscheck'] is True, lost('_jit_options of an overload')
    assert told(internals.keeps_compiled, template), lost('_impl_cache of an overload')
    methods = [
        each for each in new_attributes if told(internals.implementation_of, each) is double
    ]
    assert methods, lost('builtin_registry.attributes, to which overload_method adds')
    assert told(internals.attribute_of, methods[0]) == 'doubled_by_mujoco_ros_py', lost('_attr')


def test_the_function_of_an_intrinsic_is_known():
    @intrinsic
    def nothing(typing):
        return types.void(), lambda context, builder, sig, args: context.get_dummy_value()

    templates = [
        template
        for function, kind in told(internals.registered_templates, 0, 0)[0]
        if function is nothing
        for template in kind.templates
    ]
    assert templates, lost('builtin_registry.globals, to which intrinsic adds')
    found = told(internals.intrinsic_of, templates[0])
    assert getattr(found, '__name__', '') == 'nothing', lost('_definition_func of an intrinsic')
