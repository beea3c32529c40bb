"""numba's internal objects that the engine imports, its settings and its runtime.

INTERNALS lists the imported objects with their purpose. Each is imported at its first use, as in
`from .numba_internals import Lower`: this file is imported at every start, and importing numba
would take the largest part of the start. The functions also rely on these facts:

- The functions of numba's runtime are in `c_helpers` of its extension modules. These modules can
  be loaded without numba, and RUNTIME_MODULES gives the functions' names in compiled code.
- `numba.core.config` contains the settings as uppercase names, and `reload_config` reads them
  again.
- Decorated functions are of the class CPUDispatcher, which stores how they are compiled, and their
  type in `_numba_type_`.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader
from importlib.metadata import version
from pathlib import Path
from typing import Any

from .numba_objects import NumbaFunction


@dataclass(frozen=True, slots=True)
class Internal:
    """An object of numba that is undocumented, or that may change with each version."""

    module: str
    """The module that contains the object, or that is the object."""
    use: str
    """How the engine uses the object; completes the sentence "numba has no ..., which"."""
    members: tuple[str, ...] = ()
    """The object's attributes that the engine uses or overrides."""


INTERNALS = {
    'AttributeTemplate': Internal('numba.core.typing.templates', 'types attributes of structs'),
    'CPUCallConv': Internal(
        'numba.core.callconv',
        'adds source lines to exceptions',
        ('call_function', 'return_status_propagate', 'set_static_user_exc', '_get_return_status',
         'set_dynamic_user_exc', 'emit_unwrap_dynamic_exception_fn', 'return_dynamic_user_exc',
         'return_user_exc', 'raise_error'),
    ),
    'CPUContext': Internal(
        'numba.core.cpu',
        'emits code for exceptions with source lines, and for checks of indices and shapes',
        ('add_dynamic_addr', 'add_linking_libs', 'call_conv', 'call_internal',
         'call_internal_no_propagate', 'call_unresolved', 'cast',
         'codegen', 'get_c_value', 'get_env_manager', 'get_function', 'get_python_api',
         'insert_const_string', 'make_array', 'pack_value', 'unpack_value'),
    ),
    'CompilerBase': Internal('numba.core.compiler', 'compiles with passes of our own'),
    'DefaultPassBuilder': Internal(
        'numba.core.compiler', 'lists the passes', ('define_nopython_pipeline',)
    ),
    'DUFunc': Internal(
        'numba.np.ufunc.dufunc',
        'finds the code of functions decorated with `vectorize`',
        ('find_ewise_function', '_dispatcher'),
    ),
    'Dispatcher': Internal(
        'numba.core.dispatcher',
        'compiles functions decorated with `njit` again for each caller',
        ('disable_compile',),
    ),
    'JITCPUCodegen': Internal(
        'numba.core.codegen',
        'emits object code',
        ('_add_module', '_function_pass_manager', '_library_class', 'set_env'),
    ),
    'JITCodeLibrary': Internal(
        'numba.core.codegen',
        'contains the code of a function',
        ('_ensure_finalized', '_finalize_dynamic_globals', '_get_compiled_object',
         '_get_module_for_linking', '_optimize_final_module', '_optimize_functions',
         '_raise_if_finalized', '_verify_declare_only_symbols', 'get_llvm_str',
         'get_pointer_to_function'),
    ),
    'Lower': Internal(
        'numba.core.lowering',
        'emits each instruction',
        ('init', 'lower_inst', 'lower_normal_function', 'typeof', '_lower_call_normal',
         '_lower_call_RecursiveCall', 'return_exception'),
    ),
    'NativeLowering': Internal(
        'numba.core.typed_passes', 'is the pass that emits code', ('lowering_class',)
    ),
    'NativeParforLowering': Internal(
        'numba.core.typed_passes', 'is the pass that emits parallel loops', ('lowering_class',)
    ),
    'ParforLower': Internal(
        'numba.parfors.parfor_lowering', 'emits functions with parallel loops', ('lower_inst',)
    ),
    'RuntimeLinker': Internal(
        'numba.core.codegen', 'names the pointers to functions not compiled yet', ('PREFIX',)
    ),
    'SetAttr': Internal('numba.core.ir', 'is the instruction that stores a field of a state'),
    'TypingError': Internal('numba.core.errors', 'rejects arguments and stored values'),
    'UfuncBase': Internal(
        'numba.np.ufunc.ufunc_base',
        'finds the code of functions decorated with `guvectorize`',
        ('find_ewise_function',),
    ),
    '_GufuncWrapper': Internal(
        'numba.np.ufunc.wrappers', 'emits shares of parallel loops', ('gen_loop_body',)
    ),
    '_OverloadFunctionTemplate': Internal(
        'numba.core.typing.templates',
        'compiles functions decorated with `overload`',
        ('_get_jit_decorator',),
    ),
    'arrayobj': Internal(
        'numba.np',
        'assigns arrays to slices, and emits `array.flat`',
        ('raise_with_shape_context', 'make_array_flat_cls'),
    ),
    'cgutils': Internal(
        'numba.core',
        'emits common instruction sequences',
        ('add_global_variable', 'alloca_once', 'alloca_once_value', 'create_struct_proxy',
         'do_boundscheck', 'gep_inbounds', 'get_or_insert_function', 'if_unlikely',
         'intp_t', 'is_not_null', 'is_null', 'pack_array', 'pointer_add', 'raw_memcpy',
         'unpack_tuple'),
    ),
    'cpu_target': Internal('numba.core.registry', 'has the context of C functions'),
    'errors': Internal('numba.core', 'distinguishes errors of numba from others'),
    'excinfo_ptr_t': Internal('numba.core.callconv', 'is the type of an exception'),
    'global_compiler_lock': Internal('numba.core.compiler_lock', 'is held while code is finished'),
    'lower_constant': Internal('numba.core.imputils', 'emits enumerations of the bindings'),
    'make_array': Internal('numba.np.arrayobj', 'emits the parts of an array'),
    'make_intrinsic_template': Internal(
        'numba.core.typing.templates', 'declares functions of libmujoco'
    ),
    'npyimpl': Internal(
        'numba.np.npyimpl',
        'computes whole arrays, and calls functions for their elements',
        ('numpy_ufunc_kernel', '_Kernel'),
    ),
    'parfor': Internal('numba.parfors.parfor', 'represents parallel loops', ('Parfor',)),
    'populate_array': Internal('numba.np.arrayobj', "emits arrays in MuJoCo's memory"),
    'register_pass': Internal('numba.core.compiler_machinery', 'registers a pass'),
}  # fmt: skip

RUNTIME_MODULES = {
    'numba._helperlib': 'numba_{}',
    'numba._dynfunc': 'numba_{}',
    'numba.core.runtime._nrt_python': 'NRT_{}',
}
"""Extension modules with functions that compiled code calls, and the patterns of the functions'
symbols."""

_CONFIG = 'numba.core.config'
# numba sets these itself at import, depending on the installed libraries; users do not set them.
_SET_BY_NUMBA = {'USING_SVML'}
_NONE = object()


def __getattr__(name: str) -> Any:
    """Imports one of the INTERNALS.

    Raises ImportError if numba lacks the object; the message says how the engine uses it.
    """
    if name not in INTERNALS:
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    internal = INTERNALS[name]
    try:
        module = importlib.import_module(internal.module)
        found = module if internal.module.endswith(f'.{name}') else getattr(module, name)
    except (ImportError, AttributeError):
        raise ImportError(
            f'numba {version("numba")} has no {internal.module}.{name}, which {internal.use}'
        ) from None
    globals()[name] = found
    return found


def runtime_functions() -> Iterator[tuple[str, int]]:
    """Yields the symbol and the address of each of numba's C functions that compiled code calls.

    Does not import numba.
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
        # Stored before execution, as an import would: numba must not load the extension again.
        sys.modules[name] = module = importlib.util.module_from_spec(spec)
        loader.exec_module(module)
    return sys.modules[name]


def changed_settings(given: Hashable) -> list[tuple[str, str]]:
    """Returns the settings, by name, that have changed since numba was imported.

    `given` contains the values from the environment and from `.numba_config.yaml`; if they change,
    numba reads them again.
    """
    if _CONFIG not in sys.modules:
        return []
    # waits for another thread that is importing the module
    module = importlib.import_module(_CONFIG)
    _read_again(given)
    first = _first_settings()
    return sorted(
        (name, repr(value))
        # another thread may be reloading the settings
        for name, value in list(vars(module).items())
        if value is not first.get(name, _NONE)
        and _is_setting(name)
        and repr(value) != repr(first.get(name, _NONE))
    )


@lru_cache(maxsize=1)
def _read_again(given: Hashable) -> None:
    """Makes numba read its settings again, if `given` has changed since the last call.

    numba also does this before it compiles.
    """
    sys.modules[_CONFIG].reload_config()


@cache
def _first_settings() -> dict[str, object]:
    """Returns numba's initial settings, from a second instance of its module."""
    spec = importlib.util.find_spec(_CONFIG)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return {name: value for name, value in vars(module).items() if _is_setting(name)}


def _is_setting(name: str) -> bool:
    return name.isupper() and name not in _SET_BY_NUMBA


def before_each_pass(function: Callable[[], None]) -> None:
    """Registers a function that numba calls before each compiler pass, on the compiling thread.

    An exception of the function ends the compilation.
    """
    events = importlib.import_module('numba.core.event')

    class Listener(events.Listener):  # type: ignore[name-defined]
        def on_start(self, event: object) -> None:
            function()

        def on_end(self, event: object) -> None:
            """Does nothing after a pass, but numba requires this method."""

    events.register('numba:run_pass', Listener())


def is_dispatcher(value: Any) -> bool:
    """Returns whether the value is a function decorated with `numba.njit`."""
    kind = type(value)
    return (kind.__module__, kind.__name__) == ('numba.core.registry', 'CPUDispatcher')


def is_type(value: Any) -> bool:
    """Returns whether the value is one of numba's own types, such as float64."""
    return type(value).__module__.startswith('numba.core.types.')


def pipeline_of(dispatcher: NumbaFunction) -> Any:
    """Returns the class that compiles a decorated function."""
    return dispatcher._compiler.pipeline_class


def has_given_types(dispatcher: NumbaFunction) -> bool:
    """Returns whether the argument types were given to the function's decorator."""
    return not dispatcher._can_compile


def type_of(dispatcher: NumbaFunction) -> Any:
    """Returns numba's type of a decorated function."""
    return dispatcher._numba_type_
