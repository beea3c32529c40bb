"""What the engine relies on inside numba: each test says what a new version has lost."""

from __future__ import annotations

import ast
import copy
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import llvmlite.binding as llvm
import numba
import numpy as np
import pytest
from numba import types
from numba.core.registry import cpu_target
from numba.extending import intrinsic, overload, overload_method

from mujoco_ros_py.engine.foreign.numba import numba_internals as internals
from mujoco_ros_py.engine.foreign.numba.numba_internals import INTERNALS

from .losses import NUMBA, lost, told

ENGINE = Path(internals.__file__).parents[2]
FOLDER = Path(internals.__file__).parent
PUBLIC = {'_exit', '_fields', '_fields_', '_getvalue', '_name'}
"""What the manuals of Python and numba name though it begins with an underscore."""
LARGE = np.zeros(10_000_000)


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
        if inside.search(path.read_text()) and path.parent != FOLDER
    ]
    assert found == []


def test_no_other_file_of_the_engine_uses_a_private_attribute_that_is_not_listed():
    used, own = set(PUBLIC), set(PUBLIC)
    for path in ENGINE.rglob('*.py'):
        nodes = list(ast.walk(ast.parse(path.read_text())))
        own |= {name for node in nodes for name in defined(node)}
        if path.parent != FOLDER:
            used |= {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    listed = {member for internal in INTERNALS.values() for member in internal.members}
    private = {name for name in used if re.match('_[^_]', name)}
    assert private - own - listed == set()


def defined(node: ast.AST) -> Iterator[str]:
    """The names that a file of the engine gives to its own functions and attributes."""
    if isinstance(node, ast.FunctionDef):
        yield node.name
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif isinstance(node, ast.Attribute) and ast.unparse(node.value) in ('self', 'cls'):
        yield from [node.attr] * isinstance(node.ctx, ast.Store)


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


def test_a_library_has_what_its_object_code_is_emitted_from():
    library, name = library_of(lambda x: x + 1, types.int64)
    layout = told(internals.data_layout, library)
    assert str(library._final_module.data_layout) == layout, lost('_data_layout of a generator')
    code = told(internals.emitted, library)
    assert code.startswith(b'\x7fELF'), lost('emit_object of the target machine _codegen._tm')
    assert name.encode() in code


def test_a_library_looks_for_its_dynamic_globals_anew():
    library, _ = library_of(lambda index: LARGE[index], types.int64)
    found = list(getattr(library, '_dynamic_globals', ()))
    assert found, lost('_dynamic_globals of a library')
    library._dynamic_globals.append('of a function that was optimized away')
    told(internals.find_dynamic_globals, library)
    assert library._dynamic_globals == found, lost('_finalize_dynamic_globals of a library')


def test_a_context_generates_code_with_the_generator_that_it_is_given():
    context = copy.copy(cpu_target.target_context)
    generator = internals.JITCPUCodegen('test')
    told(internals.use_code_generator, context, generator)
    assert context.codegen() is generator, lost('_internal_codegen of a context')
    assert cpu_target.target_context.codegen() is not generator


def test_a_template_compiles_with_the_decorator_that_it_is_given():
    functions = len(told(internals.registered_templates, 0, 0)[0])

    def mine(x): ...

    @overload(mine)
    def implement(x):
        return lambda x: x + 1

    ((_, kind),) = told(internals.registered_templates, functions, 10**9)[0]
    (template,) = kind.templates
    asked = []

    def decorator_of(template):
        asked.append(template)
        return lambda **options: numba.njit

    told(internals.replace_decorator, template, decorator_of)
    for _ in range(2):
        assert numba.njit(lambda x: mine(x))(1) == 2
    assert len(asked) == 1, lost('_impl_cache, which keeps what a template has compiled')
    told(internals.forget_compiled, template)
    assert numba.njit(lambda x: mine(x))(1) == 2
    assert len(asked) == 2, lost('_get_jit_decorator, or clearing _impl_cache')


def test_a_decorated_function_has_its_type():
    assert told(internals.type_of, decorated) is numba.typeof(decorated), lost('_numba_type_')


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
