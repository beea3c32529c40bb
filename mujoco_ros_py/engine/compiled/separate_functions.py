"""Emits calls to separately compiled functions, which the linker finds by their symbols."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import typeof_impl

from ...errors import PluginError
from .. import machine_code
from ..cache import NativeCode
from ..foreign.numba.numba_internals import cgutils, make_intrinsic_template
from ..foreign.numba.numba_objects import Context, Signature, Typed, Typing, Values
from ..identity import UnfollowedError, identify
from ..separate import Separate
from .compiling_thread import is_checked
from .pipeline import compile_function, native_code


@typeof_impl.register(Separate)
def _typeof_separate(value: Separate[Any, Any], context: Context) -> types.Function:
    """Returns a type that compiles the current source, with the bounds checks of the caller."""
    name = value.py_func.__qualname__
    # A function can have two versions, with and without bounds checks.
    definition = _Definition(value.py_func, boundscheck=is_checked())
    made = make_intrinsic_template(f'separate.{name}', definition.define, name)
    return types.Function(type(name, (_Positional, made), {}))


class _Positional:
    """Accepts only positional arguments."""

    def generic(
        self, args: Sequence[types.Type], kws: Mapping[str, types.Type]
    ) -> Signature | None:
        if kws:
            raise PluginError('separate functions take no keyword arguments in compiled code')
        signature = super().generic(args, kws)  # type: ignore[misc]
        return signature and signature.replace(pysig=None)


class _Definition:
    """Compiles a function for the types of its arguments, and emits calls to it."""

    def __init__(self, function: Any, *, boundscheck: bool) -> None:
        self._function = function
        self._boundscheck = boundscheck

    def define(self, typing: Typing, *given: types.Type) -> Typed:
        """Returns the signature, and the function that emits a call. Raises PluginError."""
        # One version per constant argument would defeat the purpose of `separate`.
        arguments = tuple(map(types.unliteral, given))
        symbol = self._symbol(arguments)

        def emit(
            context: Context, builder: ir.IRBuilder, sig: Signature, args: Values
        ) -> ir.Value:
            kind = context.call_conv.get_function_type(types.none, arguments)
            function = cgutils.get_or_insert_function(builder.module, kind, symbol)
            status, _ = context.call_conv.call_function(
                builder, function, types.none, arguments, args
            )
            with cgutils.if_unlikely(builder, status.is_error):
                context.call_conv.return_status_propagate(builder, status)
            return context.get_dummy_value()

        return types.none(*arguments), emit

    def _symbol(self, arguments: tuple[types.Type, ...]) -> str:
        """Loads the code for these arguments, and returns its symbol."""
        name = self._function.__qualname__

        def key() -> machine_code.Key:
            found = identify(self._function)
            return machine_code.Key(
                ('separate', repr(arguments), self._boundscheck, *found.parts), found.objects
            )

        try:
            return machine_code.load_separate(name, key, lambda: self._compile(arguments))
        except (UnfollowedError, machine_code.ProcessBoundError) as error:
            raise PluginError(f'{name} cannot be compiled separately: {error}') from None

    def _compile(self, arguments: tuple[types.Type, ...]) -> NativeCode:
        wrappers = {'no_cpython_wrapper': True, 'no_cfunc_wrapper': True}
        compiled = compile_function(
            self._function, arguments, boundscheck=self._boundscheck, **wrappers
        )
        returned = compiled.signature.return_type
        if returned != types.none:
            raise PluginError(
                f'{self._function.__qualname__} must return nothing; it returns {returned}'
            )
        return native_code(compiled.library, compiled.fndesc.llvm_func_name)
