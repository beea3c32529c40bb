"""Adds to numba's exceptions the line that raises, and numbers that need no Python objects."""

from __future__ import annotations

import hashlib
from typing import Any

from llvmlite import ir
from numba import types

from ..foreign.numba.numba_internals import CPUCallConv
from ..symbols import PLACE

LIBRARIES = ('numba', __package__)
"""The packages of functions that users do not know; their errors show the line of the call."""
_MANGLED = tuple(
    '_ZN' + ''.join(f'{len(part)}{part}' for part in package.split('.')) for package in LIBRARIES
)
"""The prefixes of the names of these packages' functions in LLVM."""
_BYTES = ir.IntType(8).as_pointer()


class CallConvention(CPUCallConv):
    """A calling convention whose exceptions know their line and hold plain numbers.

    Numba's own exceptions know a line only where the user wrote `raise`, and code with numbers in
    numba's exceptions cannot be loaded by another process.
    """

    def call_function(self, builder: Any, callee: Any, *args: Any, **options: Any) -> Any:
        """Calls a compiled function."""
        self.context.called = callee.name
        return super().call_function(builder, callee, *args, **options)

    def return_status_propagate(self, builder: Any, status: Any) -> None:
        """Passes an exception on; that of a library's function gets the line of the call."""
        place, name = self.context.place_in(builder)
        if place is not None and self.context.called.startswith(_MANGLED):
            noted = f'{place.filename}\n{name}\n{place.line}'
            text = self.context.insert_const_string(builder.module, noted)
            builder.store(text, self.context.get_c_value(builder, _BYTES, PLACE))
        super().return_status_propagate(builder, status)

    def set_static_user_exc(
        self,
        builder: Any,
        exc: Any,
        exc_args: Any = None,
        loc: Any = None,
        func_name: str | None = None,
    ) -> None:
        """Emits an exception with arguments that are known at compile time."""
        if func_name is None:  # numba knows the line of divisions, but ignores it
            loc, func_name = self.context.place_in(builder)
        super().set_static_user_exc(builder, exc, exc_args, loc, func_name)

    def set_dynamic_user_exc(
        self,
        builder: Any,
        exc: Any,
        exc_args: Any,
        nb_types: Any,
        loc: Any = None,
        func_name: str | None = None,
    ) -> None:
        """Emits an exception with arguments that are known only at run time."""
        if func_name is None:
            loc, func_name = self.context.place_in(builder)
        super().set_dynamic_user_exc(builder, exc, exc_args, nb_types, loc, func_name)

    def emit_unwrap_dynamic_exception_fn(self, module: Any, st_type: Any, nb_types: Any) -> Any:
        """Emits the function that makes Python objects of the arguments."""
        kinds = [each for each in nb_types if each is not None]
        if not all(isinstance(each, types.Number | types.Boolean) for each in kinds):
            return super().emit_unwrap_dynamic_exception_fn(module, st_type, nb_types)
        digest = hashlib.sha256(f'{st_type} {kinds}'.encode()).hexdigest()[:16]
        name = f'mujoco_ros_py.numbers_{digest}'
        if name in module.globals:
            return module.globals[name]
        function = ir.Function(module, ir.FunctionType(_BYTES, [_BYTES]), name)
        function.linkage = 'internal'
        builder = ir.IRBuilder(function.append_basic_block())
        python = self.context.get_python_api(builder)
        (address,) = function.args
        values = builder.load(builder.bitcast(address, st_type.as_pointer()))
        numbers = [
            python.from_native_value(kind, builder.extract_value(values, index))
            for index, kind in enumerate(kinds)
        ]
        self.context.nrt.free(builder, address)
        builder.ret(python.tuple_pack(numbers))
        return function
