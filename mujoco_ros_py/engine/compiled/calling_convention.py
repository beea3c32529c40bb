"""Adds source lines and portable arguments to exceptions of compiled code."""

from __future__ import annotations

import hashlib
import re
from typing import Any

from llvmlite import ir
from numba import types

from ..foreign.numba.numba_internals import CPUCallConv
from ..foreign.numba.numba_objects import Location, Status
from ..symbols import PLACE

LIBRARIES = ('numba', __package__)
"""Packages that users do not know. Errors in their functions are reported at the line of the
user's code that calls them."""
_MANGLED = tuple(
    '_ZN' + ''.join(f'{len(part)}{part}' for part in package.split('.')) for package in LIBRARIES
)
"""Prefixes of the LLVM names of these packages' functions."""
_PLAIN = types.Number | types.Boolean | types.UnicodeType | types.StringLiteral
"""Types whose Python objects can be created in any process, as can tuples of these types."""
_OLD_PLACE = re.compile(r'\nFile ".*", line \d+, $')
"""Matches the location that numba adds to some messages, which is not the line that raises."""
_BYTES = ir.IntType(8).as_pointer()


class CallConvention(CPUCallConv):
    """A calling convention whose exceptions record their line and hold plain numbers and strings.

    numba's own exceptions only have a line where the user wrote `raise`, and code that raises them
    with numbers or strings cannot be loaded by other processes.
    """

    def call_function(
        self, builder: ir.IRBuilder, callee: ir.Function, *args: Any, **options: Any
    ) -> ir.Value:
        """Calls a compiled function."""
        # `return_status_propagate` only gets the status, but needs the name of the function that
        # raised.
        self.context.called = callee.name
        return super().call_function(builder, callee, *args, **options)

    def return_status_propagate(self, builder: ir.IRBuilder, status: Status) -> None:
        """Propagates an exception; exceptions of libraries get the line of the user's call."""
        place, name = self.context.place_in(builder)
        if place is not None and self.context.called.startswith(_MANGLED):
            noted = f'{place.filename}\n{name}\n{place.line}'
            text = self.context.insert_const_string(builder.module, noted)
            # This store only runs when an exception is raised.
            builder.store(text, self.context.get_c_value(builder, _BYTES, PLACE))
        super().return_status_propagate(builder, status)

    def set_static_user_exc(
        self,
        builder: ir.IRBuilder,
        exc: Any,
        exc_args: Any = None,
        loc: Location | None = None,
        func_name: str | None = None,
    ) -> None:
        """Emits an exception whose arguments are compile-time constants."""
        if func_name is None:  # numba ignores the line of divisions, although it knows the line
            loc, func_name = self.context.place_in(builder)
        if exc_args and isinstance(exc_args[0], str):
            exc_args = _OLD_PLACE.sub('', exc_args[0]), *exc_args[1:]
        super().set_static_user_exc(builder, exc, exc_args, loc, func_name)

    def set_dynamic_user_exc(
        self,
        builder: ir.IRBuilder,
        exc: Any,
        exc_args: Any,
        nb_types: Any,
        loc: Location | None = None,
        func_name: str | None = None,
    ) -> None:
        """Emits an exception whose arguments are only known at run time."""
        if func_name is None:
            loc, func_name = self.context.place_in(builder)
        super().set_dynamic_user_exc(builder, exc, exc_args, nb_types, loc, func_name)

    def return_dynamic_user_exc(
        self, builder: ir.IRBuilder, *exception: Any, **options: Any
    ) -> None:
        """Emits an exception that a `try` of the function can catch, as `return_user_exc` does."""
        try_block = getattr(builder, '_in_try_block', None)
        if try_block is None:
            super().return_dynamic_user_exc(builder, *exception, **options)
        else:
            self.set_dynamic_user_exc(builder, *exception, **options)
            builder.branch(try_block['target'])

    def emit_unwrap_dynamic_exception_fn(
        self, module: ir.Module, st_type: ir.Type, nb_types: Any
    ) -> ir.Function:
        """Emits the function that creates Python objects for the arguments of an exception."""
        kinds = [each for each in nb_types if each is not None]
        if not all(map(_is_plain, kinds)):
            return super().emit_unwrap_dynamic_exception_fn(module, st_type, nb_types)
        digest = hashlib.sha256(f'{st_type} {kinds}'.encode()).hexdigest()[:16]
        name = f'mujoco_ros_py.arguments_{digest}'
        # The function exists already if another line raises with arguments of the same types.
        if name in module.globals:
            return module.globals[name]
        function = ir.Function(module, ir.FunctionType(_BYTES, [_BYTES]), name)
        function.linkage = 'internal'
        builder = ir.IRBuilder(function.append_basic_block())
        python = self.context.get_python_api(builder)
        (address,) = function.args
        values = builder.load(builder.bitcast(address, st_type.as_pointer()))
        arguments = [
            python.from_native_value(kind, builder.extract_value(values, index))
            for index, kind in enumerate(kinds)
        ]
        # numba allocates the arguments and expects this function to free them.
        self.context.nrt.free(builder, address)
        builder.ret(python.tuple_pack(arguments))
        return function


def _is_plain(kind: types.Type) -> bool:
    if isinstance(kind, types.Tuple | types.UniTuple):
        return all(map(_is_plain, kind.types))
    return isinstance(kind, _PLAIN)
