"""Everything that the engine uses of numba besides `numba`, `numba.types` and `numba.extending`.

INTERNALS lists the imported objects with their purpose. Each is imported at its first use, as in
`from .numba_internals import Lower`, because this file is imported at every start, of which
importing numba would be the largest part. The functions also rely on these facts:

- Two calls lead from a compiled function to its object code, and to the LLVM module of it.
- A library has its LLVM module in `_final_module`, its dynamic globals in `_dynamic_globals`, and
  its code generator in `_codegen`. The generator has LLVM's target machine in `_tm`, which emits
  object code, and the layout of data in `_data_layout`.
- A context generates code with its `_internal_codegen`.
- Code that needs this very process has dynamic globals, or the text 'missing Environment' in it.
- The functions of numba's runtime are in `c_helpers` of its extension modules, which can be
  loaded without numba, and have the names in compiled code that RUNTIME_MODULES gives them.
- `numba.core.config` has the settings in capitals, and `reload_config` reads them anew.
- Decorated functions are of the class CPUDispatcher, and tell how they are compiled, and their
  type in `_numba_type_`.
- A template of `overload` keeps what it has compiled in `_impl_cache`, compiles it with the
  decorator that its `_get_jit_decorator` returns, and has the options for it in `_jit_options`.
- `overload` makes a template and adds it to `builtin_registry`, whose lists only grow.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader
from importlib.metadata import version
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Internal:
    """A part of numba that is not documented, or that may change with each version."""

    module: str
    """The module that has it."""
    use: str
    """The purpose for which the engine uses it."""
    members: tuple[str, ...] = ()
    """The attributes of it that the engine uses or overrides."""


INTERNALS = {
    'AttributeTemplate': Internal('numba.core.typing.templates', 'types attributes of structs'),
    'CPUCallConv': Internal(
        'numba.core.callconv',
        'gives exceptions their places',
        ('call_function', 'return_status_propagate', 'set_static_user_exc', '_get_return_status',
         'set_dynamic_user_exc', 'emit_unwrap_dynamic_exception_fn', 'return_dynamic_user_exc',
         'return_user_exc', 'raise_error'),
    ),
    'CPUContext': Internal(
        'numba.core.cpu',
        'emits code for exceptions with places and for checked indices',
        ('call_conv', 'call_internal_no_propagate', 'call_unresolved', 'cast', 'codegen',
         'get_c_value', 'get_python_api', 'insert_const_string', 'pack_value', 'unpack_value'),
    ),
    'CompilerBase': Internal('numba.core.compiler', 'compiles with passes of our own'),
    'DefaultPassBuilder': Internal(
        'numba.core.compiler', 'has the passes', ('define_nopython_pipeline',)
    ),
    'Dispatcher': Internal(
        'numba.core.dispatcher', 'is compiled again for its caller', ('disable_compile',)
    ),
    'JITCPUCodegen': Internal(
        'numba.core.codegen',
        'emits object code',
        ('_add_module', '_library_class', 'set_env'),
    ),
    'JITCodeLibrary': Internal(
        'numba.core.codegen',
        'has the code of a function',
        ('_ensure_finalized', '_finalize_dynamic_globals', '_finalize_specific',
         '_get_compiled_object', '_optimize_final_module', '_optimize_functions',
         'get_pointer_to_function'),
    ),
    'Lower': Internal(
        'numba.core.lowering',
        'emits each instruction',
        ('init', 'lower_inst', 'lower_normal_function', '_lower_call_normal',
         '_lower_call_RecursiveCall', 'return_exception'),
    ),
    'NativeLowering': Internal(
        'numba.core.typed_passes', 'is the pass that emits code', ('lowering_class',)
    ),
    'RuntimeLinker': Internal(
        'numba.core.codegen', 'names the pointers to functions not compiled yet', ('PREFIX',)
    ),
    'TypingError': Internal('numba.core.errors', 'refuses arguments of libmujoco functions'),
    '_OverloadFunctionTemplate': Internal(
        'numba.core.typing.templates',
        'compiles what `overload` decorates',
        ('_get_jit_decorator',),
    ),
    'cgutils': Internal(
        'numba.core',
        'emits the common parts',
        ('add_global_variable', 'alloca_once', 'alloca_once_value', 'create_struct_proxy',
         'do_boundscheck', 'gep_inbounds', 'get_or_insert_function', 'if_unlikely',
         'intp_t', 'is_not_null', 'is_null', 'pack_array', 'pointer_add', 'unpack_tuple'),
    ),
    'cpu_target': Internal('numba.core.registry', 'has the context of C functions'),
    'errors': Internal('numba.core', 'distinguishes errors of numba from others'),
    'excinfo_ptr_t': Internal('numba.core.callconv', 'is the type of an exception'),
    'global_compiler_lock': Internal('numba.core.compiler_lock', 'is held while code is finished'),
    'lower_constant': Internal('numba.core.imputils', 'emits enumerations of the bindings'),
    'make_array': Internal('numba.np.arrayobj', 'emits the parts of an array'),
    'make_intrinsic_template': Internal(
        'numba.core.typing.templates', 'makes functions of libmujoco known'
    ),
    'populate_array': Internal('numba.np.arrayobj', 'emits arrays on memory of MuJoCo'),
    'register_pass': Internal('numba.core.compiler_machinery', 'makes a pass known'),
}  # fmt: skip

RUNTIME_MODULES = {
    'numba._helperlib': 'numba_{}',
    'numba._dynfunc': 'numba_{}',
    'numba.core.runtime._nrt_python': 'NRT_{}',
}
"""The extension modules with functions that compiled code calls, and the patterns of the
functions' symbols."""

_CONFIG = 'numba.core.config'
_SET_BY_NUMBA = {'USING_SVML'}
_TEMPLATES = 'numba.core.typing.templates'


def __getattr__(name: str) -> Any:
    """Imports one of the INTERNALS.

    Raises ImportError, which tells what broke, if it is missing.
    """
    if name not in INTERNALS:
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    internal = INTERNALS[name]
    try:
        found = getattr(importlib.import_module(internal.module), name)
    except (ImportError, AttributeError):
        raise ImportError(
            f'numba {version("numba")} has no {internal.module}.{name}, which {internal.use}'
        ) from None
    globals()[name] = found
    return found


def object_code(library: Any) -> bytes | None:
    """Returns a finished library's object code, or None if it needs objects of this process.

    Such objects are large arrays, and what `print` needs.
    """
    code: bytes = library._get_compiled_object()
    return None if library.has_dynamic_globals or b'missing Environment' in code else code


def final_module(library: Any) -> Any:
    """Returns the LLVM module from which a finished library was made."""
    return library._final_module


def data_layout(library: Any) -> str:
    """Returns LLVM's description of how data lie in memory for the code of a library."""
    layout: str = library._codegen._data_layout
    return layout


def find_dynamic_globals(library: Any) -> None:
    """Has a library look for its dynamic globals anew, as its module has changed."""
    library._dynamic_globals.clear()
    library._finalize_dynamic_globals()


def emitted(library: Any) -> bytes:
    """Returns the object code that LLVM emits for a library's module."""
    code: bytes = library._codegen._tm.emit_object(library._final_module)
    return code


def use_code_generator(context: Any, generator: Any) -> None:
    """Has a target context generate code with this generator."""
    context._internal_codegen = generator


def c_symbol(function: Any) -> tuple[Any, str]:
    """Returns library and C symbol of a function from `numba.cfunc`."""
    return function._library, function._wrapper_name


def runtime_functions() -> Iterator[tuple[str, int]]:
    """Returns the addresses of C functions that compiled code calls, without importing numba.

    They are by the symbols that they have in compiled code.
    """
    for name, template in RUNTIME_MODULES.items():
        for function, address in _extension_module(name).c_helpers.items():
            internal = function.startswith('_') and template == 'NRT_{}'
            yield (function if internal else template.format(function)), address


def _extension_module(name: str) -> Any:
    """Returns an extension module under its own name, so that a later import of numba finds it."""
    if name not in sys.modules:
        numba = importlib.util.find_spec('numba')
        assert numba is not None
        assert numba.origin is not None
        path = Path(numba.origin).parent.joinpath(*name.split('.')[1:])
        loader = ExtensionFileLoader(name, f'{path}{EXTENSION_SUFFIXES[0]}')
        spec = importlib.util.spec_from_loader(name, loader)
        assert spec is not None
        sys.modules[name] = module = importlib.util.module_from_spec(spec)
        loader.exec_module(module)
    return sys.modules[name]


def changed_settings() -> list[tuple[str, str]]:
    """Returns the settings, by name, that have changed since numba was imported."""
    module = sys.modules.get(_CONFIG)
    if module is None:
        return []
    module.reload_config()  # numba does the same before it compiles
    first, now = _first_settings(), _settings_in(vars(module))
    return sorted(item for item in now.items() if first.get(item[0]) != item[1])


@cache
def _first_settings() -> dict[str, str]:
    """Returns numba's initial settings, from a second instance of its module."""
    spec = importlib.util.find_spec(_CONFIG)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return _settings_in(vars(module))


def _settings_in(names: dict[str, object]) -> dict[str, str]:
    return {
        name: repr(value)
        for name, value in names.items()
        if name.isupper() and name not in _SET_BY_NUMBA
    }


def is_dispatcher(value: Any) -> bool:
    """Returns whether the value is a function decorated with `numba.njit`."""
    kind = type(value)
    return (kind.__module__, kind.__name__) == ('numba.core.registry', 'CPUDispatcher')


def is_type(value: Any) -> bool:
    """Returns whether the value is one of numba's own types, such as float64."""
    return type(value).__module__.startswith('numba.core.types.')


def pipeline_of(dispatcher: Any) -> Any:
    """Returns the class that compiles a decorated function."""
    return dispatcher._compiler.pipeline_class


def has_given_types(dispatcher: Any) -> bool:
    """Returns whether the decorator of a function was given the types of its arguments."""
    return not dispatcher._can_compile


def registered_templates(
    functions: int, attributes: int
) -> tuple[list[tuple[Any, Any]], list[Any]]:
    """Returns what was registered with numba after this many functions and attributes.

    Functions come with their types, which have templates; attributes are templates.
    """
    module = sys.modules.get(_TEMPLATES)
    if module is None:
        return [], []
    registry = module.builtin_registry
    return registry.globals[functions:], registry.attributes[attributes:]


def implementation_of(template: Any) -> Any:
    """Returns the function decorated with `overload`, or None for another kind of template."""
    return getattr(template, '_overload_func', None)


def intrinsic_of(template: Any) -> Any:
    """Returns the function decorated with `intrinsic`, or None for another kind of template."""
    return getattr(template, '_definition_func', None)


def attribute_of(template: Any) -> str:
    """Returns the attribute of `overload_attribute` or `overload_method`; empty for a function."""
    return getattr(template, '_attr', '')


def overload_options(template: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Returns the options of `overload`, and those for compiling its implementation."""
    how = (
        getattr(template, '_strict', None),
        getattr(template, 'prefer_literal', None),
        getattr(getattr(template, '_inline', None), '_inline', None),
    )
    return how, getattr(template, '_jit_options', None) or {}


def keeps_compiled(template: Any) -> bool:
    """Returns whether a template keeps the implementations that it has compiled."""
    return hasattr(template, '_impl_cache')


def forget_compiled(template: Any) -> None:
    """Has a template compile its implementations again."""
    template._impl_cache.clear()


def replace_decorator(template: Any, decorator_of: Callable[[Any], Callable[..., Any]]) -> None:
    """Has a template compile with what `decorator_of(template)` returns from now on."""
    template._get_jit_decorator = decorator_of


def type_of(dispatcher: Any) -> Any:
    """Returns numba's type of a decorated function."""
    return dispatcher._numba_type_
