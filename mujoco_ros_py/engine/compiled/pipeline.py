"""Compiles users' functions with numba: callbacks, engine plugins, and the helpers they call.

Helpers decorated with `numba.njit` or `overload` are compiled again for the function that calls
them, from their current source and with the options of that function. Therefore `boundscheck`
applies to them, and the user's own compiled functions stay unchanged. Run-time errors include the
source line, at no cost unless an error occurs.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import Any

import numba
from numba import types
from numba.extending import typeof_impl

from ...errors import PluginError
from ..cache import NativeCode
from ..foreign.llvmlite_internals import declared_names
from ..foreign.numba.numba_code import final_module, object_code
from ..foreign.numba.numba_internals import (
    Dispatcher,
    _OverloadFunctionTemplate,
    has_given_types,
    type_of,
)
from ..foreign.numba.numba_objects import (
    CodeLibrary,
    CompileResult,
    Context,
    NumbaFunction,
    Signature,
    Template,
)
from ..foreign.numba.numba_templates import forget_compiled, overload_options, replace_decorator
from ..identity import user_templates
from ..inlined import Inlined
from ..machine_code import ProcessBoundError
from .calling_convention import LIBRARIES
from .compiling_thread import thread
from .explanation import explain
from .literal_types import without_literals
from .lowering import Compiler

_log = logging.getLogger(__name__)


def compile_function(
    function: Callable[..., Any],
    signature: tuple[types.Type, ...],
    *,
    portable: bool = True,
    **options: Any,
) -> CompileResult:
    """Compiles a function for arguments of these types; returns numba's result.

    The library of a `portable` result contains object code and is not loaded. Raises PluginError
    with a one-sentence explanation; numba's own message is logged at debug level.
    """
    function, options = _taken_apart(function, options)
    with _copying(options, portable=portable) as copies:
        dispatcher = numba.njit(pipeline_class=Compiler, **options)(function)
        try:
            dispatcher.compile(signature)
        except Exception as error:  # numba's own errors, and errors of module attributes
            _log.debug('%s does not compile', function.__qualname__, exc_info=error)
            helpers = [each.py_func for each in copies]
            raise PluginError(explain(function, helpers, signature[0], error)) from None
        compiled = dispatcher.overloads[signature]
        compiled.metadata['copies'] = copies  # numba only has weak references to the copies
    return compiled


def native_code(library: CodeLibrary, symbol: str) -> NativeCode:
    """Returns the object code of the thread's last compilation.

    Raises ProcessBoundError with the source line if the code refers to objects of this process.
    """
    library.get_pointer_to_function(symbol)  # finalizes the library
    code = object_code(library)
    if code is None:
        where = thread.bound[0] if thread.bound else ''
        raise ProcessBoundError(f'it refers to objects of this process{where}')
    return NativeCode(symbol, tuple(declared_names(final_module(library))), code)


def _taken_apart(function: Any, options: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Returns the plain function and its options.

    For a function decorated with `numba.njit` or `inlined`, returns the undecorated function and
    adds the options of `numba.njit`.
    """
    inner = function.py_func if isinstance(function, Dispatcher | Inlined) else function
    if not isinstance(inner, FunctionType):
        name = getattr(inner, '__qualname__', repr(inner))
        raise PluginError(
            f'{name} does not compile: it must be a function'
            f' written with def or lambda, got a {type(inner).__name__}'
        )
    given = dict(function.targetoptions) if isinstance(function, Dispatcher) else {}
    given.pop('nopython', None)
    checked = options.get('boundscheck') or given.get('boundscheck')
    return inner, {**given, **options, 'nogil': True, 'boundscheck': checked}


@contextmanager
def _copying(
    options: dict[str, Any], *, portable: bool
) -> Iterator[dict[NumbaFunction, NumbaFunction]]:
    templates = user_templates()
    for template in templates:
        forget_compiled(template)  # the compiled functions contain old values of constants
        replace_decorator(template, _decorator_of)
    # Compilations nest: a function may call a `separate` function, which is compiled first.
    before = thread.copies, thread.boundscheck, thread.awaited, thread.portable
    thread.copies, thread.boundscheck = {}, bool(options.get('boundscheck'))
    thread.awaited, thread.portable, thread.bound = set(), portable, ()
    try:
        yield thread.copies
    finally:
        thread.copies, thread.boundscheck, thread.awaited, thread.portable = before
        for template in templates:
            # functions compiled here must not be used by the user's own code
            forget_compiled(template)


def _decorator_of(template: Template) -> Callable[..., Any]:
    """Returns the decorator with which numba compiles a function decorated with `overload`."""
    decorate: Callable[..., Any] = _OverloadFunctionTemplate._get_jit_decorator(template)
    if thread.copies is None:
        return decorate
    boundscheck = thread.boundscheck or overload_options(template)[1].get('boundscheck')
    ours = {'boundscheck': boundscheck, 'pipeline_class': Compiler}
    return lambda **options: decorate(**{**options, **ours})


@typeof_impl.register(Dispatcher)
def _typeof_dispatcher(value: Any, context: Context) -> types.Dispatcher:
    return types.Dispatcher(_copy(value)) if _is_copied(value) else type_of(value)


@typeof_impl.register(Inlined)
def _typeof_inlined(value: Inlined[Any, Any], context: Context) -> types.Dispatcher:
    return types.Dispatcher(_copy(value.dispatcher))


def _is_copied(dispatcher: NumbaFunction) -> bool:
    return thread.copies is not None and not _is_of_library(dispatcher.py_func.__module__)


def _is_of_library(module: str | None) -> bool:
    return f'{module}.'.startswith(tuple(f'{library}.' for library in LIBRARIES))


def _copy(dispatcher: NumbaFunction) -> NumbaFunction:
    """Returns a copy of the function, compiled with the caller's options."""
    copies = thread.copies
    if copies is None:
        return dispatcher
    if dispatcher not in copies:
        options = {
            **dispatcher.targetoptions,
            # Only compiled code calls a copy, so it needs no wrappers for Python and C.
            'no_cpython_wrapper': True,
            'no_cfunc_wrapper': True,
        }
        options['boundscheck'] = thread.boundscheck or options.get('boundscheck')
        made = type(dispatcher)(
            dispatcher.py_func, dispatcher.locals, options, pipeline_class=Compiler
        )
        # Stored before compiling, so that a recursive call finds this copy.
        copies[dispatcher] = without_literals(made)
        if has_given_types(dispatcher):
            for signature in dispatcher.nopython_signatures:
                made.compile(signature)
            # Like the user's own function, the copy converts other arguments to these types or
            # rejects them.
            made.disable_compile()
    return copies[dispatcher]


def compile_for_caller(dispatcher: NumbaFunction, signature: Signature) -> CompileResult:
    """Compiles the function of a ufunc again with the caller's options; returns the result."""
    copies = thread.copies
    assert copies is not None
    if dispatcher not in copies:
        # numba compiles ufuncs with NumPy's rules for division.
        options = {'no_cpython_wrapper': True, 'no_cfunc_wrapper': True, 'error_model': 'numpy'}
        options['fastmath'] = dispatcher.targetoptions.get('fastmath', False)
        options['boundscheck'] = thread.boundscheck or dispatcher.targetoptions.get('boundscheck')
        copies[dispatcher] = numba.njit(pipeline_class=Compiler, **options)(dispatcher.py_func)
    made = copies[dispatcher]
    if signature.args not in made.overloads:
        made.compile(signature)
    return made.overloads[signature.args]
