"""Runs numba's compiler and extracts the object code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types

from ...errors import PluginError
from ..cache import NativeCode
from ..compiling import end_if_stopped
from ..engine_plugin_records import Function
from ..foreign.llvmlite_internals import forget_lock_callbacks
from ..foreign.numba.numba_internals import before_each_pass, cpu_target
from ..foreign.numba.numba_objects import CompileResult, Context, NumbaFunction, Signature
from ..libmujoco import library
from ..machine_code import Loaded
from ..records import Kind
from . import (
    clock,
    crashes,
    distance_field_calls,
    engine_plugin_calls,
    inlets,
    kernel,
    lockstep,
    mujoco_callbacks,
    pipes,
    samples,
    worlds,
)
from . import memory_arrays as _memory  # noqa: F401  (registers numbers_at, stack_array ...)
from . import mujoco_functions as _functions  # noqa: F401  (registers libmujoco's functions)
from . import separate_functions as _separate  # noqa: F401  (registers separate functions)
from . import whole_arrays as _arrays  # noqa: F401  (checks shapes, compiles ufuncs)
from .c_functions import c_function
from .engine_plugin_entries import differences, make_entry
from .message_types import MessageType
from .own_functions import own_function
from .pipeline import compile_function, native_code
from .struct_types import Data, Model, Scene

_ARGUMENTS: dict[Kind, tuple[types.Type, ...]] = {
    Kind.CALLBACK: (Model, Data),
    Kind.RENDER: (Model, Data, Scene),
    Kind.MESSAGE: (Model, Data),
    Kind.FILL: (Model, Data),
}
"""Types of a callback's arguments after the state. Functions of messages then also take the
message, and can take the ROS time."""
# These calls change numba for the whole process, before this module compiles anything.
before_each_pass(end_if_stopped)
forget_lock_callbacks()
library()  # registers the symbols before code that refers to them is linked


def compile_kernel(name: str, arguments: int) -> NativeCode:
    """Compiles a function of this package to a C function that takes and returns int64."""
    modules = (
        kernel, mujoco_callbacks, inlets, samples, pipes, clock, lockstep, worlds, crashes
    )  # fmt: skip
    # Several modules may contain the name: `worlds`, for example, imports `run`. The module that
    # defines the function is listed first.
    module = next(each for each in modules if name in vars(each))
    numbers = [types.int64] * arguments
    return _compile_own(own_function()(getattr(module, name)), types.int64(*numbers), arguments)


def compile_engine_plugin_call(name: str, arguments: int) -> NativeCode:
    """Compiles a C function of `engine_plugin_calls` or `distance_field_calls`.

    The functions of `distance_field_calls` can return a distance.
    """
    module = distance_field_calls if 'sdf' in name else engine_plugin_calls
    function = own_function(forceinline=True)(getattr(module, name))
    return _compile_own(function, (types.int64,) * arguments, arguments)


def _compile_own(function: NumbaFunction, signature: Signature, arguments: int) -> NativeCode:
    """Compiles a function that raises no exceptions to a C function."""
    function.compile(signature)
    (compiled,) = function.overloads.values()

    def emit(context: Context, builder: ir.IRBuilder, values: list[ir.Value]) -> ir.Value:
        return context.call_internal_no_propagate(
            builder, compiled.fndesc, compiled.signature, values
        )[1]

    result = cpu_target.target_context.get_value_type(compiled.signature.return_type)
    return native_code(*c_function(compiled, result, arguments, emit))


def portable_entry(
    function: Callable[..., Any],
    record: np.dtype[np.void],
    which: Function,
    of_distance: bool,
    boundscheck: bool,
) -> NativeCode:
    """Compiles an engine plugin's function to a C function.

    With `of_distance`, `function` returns a distance, and its gradient is compiled. Raises
    ProcessBoundError if the code refers to objects of this process.
    """
    code = differences(function) if of_distance else function
    return native_code(*make_entry(which, code, record, boundscheck=boundscheck))


def entry_here(
    function: Callable[..., Any],
    record: np.dtype[np.void],
    which: Function,
    of_distance: bool,
    boundscheck: bool,
) -> Loaded:
    """Compiles an engine plugin's function, or its gradient, for this process only."""
    code = differences(function) if of_distance else function
    library, symbol = make_entry(which, code, record, boundscheck=boundscheck, portable=False)
    return Loaded(library.get_pointer_to_function(symbol), library)


def portable_callback(
    function: Callable[..., Any],
    state: np.dtype[np.void] | None,
    kind: Kind,
    boundscheck: bool,
    message: np.dtype[np.void] | None = None,
    timed: bool = False,
) -> NativeCode:
    """Compiles a callback with numba's calling convention.

    A `timed` callback takes a double as its last argument. Raises ProcessBoundError if the code
    refers to objects of this process.
    """
    compiled = _compile(function, state, kind, message, timed, boundscheck=boundscheck)
    return native_code(compiled.library, compiled.fndesc.llvm_func_name)


def callback_here(
    function: Callable[..., Any],
    state: np.dtype[np.void] | None,
    kind: Kind,
    boundscheck: bool,
    message: np.dtype[np.void] | None = None,
    timed: bool = False,
) -> Loaded:
    """Compiles a callback with numba's calling convention for this process only."""
    options = {'boundscheck': boundscheck, 'portable': False}
    compiled = _compile(function, state, kind, message, timed, **options)
    address = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)
    return Loaded(address, compiled)


def _compile(
    function: Callable[..., Any],
    state: np.dtype[np.void] | None,
    kind: Kind,
    message: np.dtype[np.void] | None,
    timed: bool,
    **options: Any,
) -> CompileResult:
    # Without a state, the first argument is None, as in Python.
    record = types.none if state is None else numba.from_dtype(state)
    signature = (record, *_ARGUMENTS[kind])
    if message is not None:
        signature = (*signature, MessageType(message), *[types.float64] * timed)
    wrappers = {'no_cpython_wrapper': True, 'no_cfunc_wrapper': True}
    compiled = compile_function(function, signature, **wrappers, **options)
    returned = compiled.signature.return_type
    if kind is Kind.FILL and not _says_whether_to_send(returned):
        rule = 'return nothing, or whether to send the message'
        raise PluginError(f'{function.__qualname__} must {rule}; it returns {returned}')
    if kind is not Kind.FILL and returned != types.none:
        raise PluginError(f'{function.__qualname__} must return nothing; it returns {returned}')
    return compiled


def _says_whether_to_send(returned: types.Type) -> bool:
    """Returns whether a type is None, a boolean, or an optional of these."""
    inner = returned.type if isinstance(returned, types.Optional) else returned
    return types.unliteral(inner) in (types.none, types.boolean)
