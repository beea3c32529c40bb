"""The last pass of numba's compiler for users' functions, which emits their code.

It adds the user's line to exceptions, adds stack checks to recursive calls, and records the lines
whose code refers to objects of this process.
"""

from __future__ import annotations

import copy
from typing import Any

from llvmlite import ir
from numba import types

from ..foreign.numba.numba_code import use_code_generator
from ..foreign.numba.numba_internals import (
    CompilerBase,
    CPUCallConv,
    CPUContext,
    DefaultPassBuilder,
    Lower,
    NativeLowering,
    NativeParforLowering,
    ParforLower,
    SetAttr,
    TypingError,
    parfor,
    register_pass,
)
from ..foreign.numba.numba_objects import Context, Location, Signature
from .calling_convention import CallConvention
from .compiling_thread import thread
from .emission import emission
from .explanation import shown_place
from .index_checks import KnowsBounds
from .parallel_loops import raise_stored
from .recursion import define_pointer, stack_is_full


class Compiler(CompilerBase):
    """numba's compiler, with exceptions that record their source line."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        context = copy.copy(self.state.targetctx)  # as numba does for each set of options
        # Replaces only the class: a new context would have to load numba's large registries.
        context.__class__ = _Context
        if thread.portable:
            use_code_generator(context, emission())
        self.state.targetctx = context

    def define_pipelines(self) -> list[ir.Value]:
        """Returns numba's passes, with this module's lowering instead of numba's."""
        made = DefaultPassBuilder.define_nopython_pipeline(self.state)
        # Replaces the emitting pass instead of adding one: numba's pass would emit the function
        # again.
        made.passes = [(_OWN_PASSES.get(each, each), reason) for each, reason in made.passes]
        made.finalize()
        return [made]


class _Lower(Lower):
    def init(self) -> None:
        """Initializes the lowering; `self.context` is now a copy for this function."""
        super().init()
        # numba's error model raises with the calling convention of the context that created it, so
        # this context needs its own.
        self.context.error_model = type(self.context.error_model)(self.context.call_conv)
        outer = self.context.place  # set if this function is a parallel loop of another function
        self._name = outer[1] if outer else self.func_ir.func_id.func_name

    def lower_inst(self, inst: Any) -> None:
        """Emits the code of one instruction."""
        # The LLVM function is stored too: numba also emits helper functions in between, whose
        # exceptions must not get a line of this function.
        self.context.place = self.builder.function, self._name, self.loc
        if isinstance(inst, SetAttr):
            self._check_stored(inst)
        super().lower_inst(inst)

    def lower_normal_function(self, fndesc: Any) -> None:
        """Emits the code of the function."""
        super().lower_normal_function(fndesc)
        if self.function.name in (thread.awaited or ()):
            define_pointer(self.module, self.function)

    def _check_stored(self, inst: Any) -> None:
        """Raises TypingError for a float in an integer field, which numba would truncate."""
        record, value = self.typeof(inst.target.name), self.typeof(inst.value.name)
        if not isinstance(record, types.Record) or not isinstance(value, types.Float):
            return
        if isinstance(record.typeof(inst.attr), types.Integer):
            message = (
                f'the field {inst.attr!r} of the state is an integer and cannot hold a float:'
                f' create it as a float, {inst.attr}=0.0, or store int(...)'
            )
            raise TypingError(message, inst.loc)

    def _lower_call_RecursiveCall(self, callee: Any, expr: Any, signature: Any) -> Any:  # noqa: N802  (numba's name)
        """Emits a recursive call, with a check for a full stack."""
        with self.builder.if_then(stack_is_full(self.context, self.builder), likely=False):
            message = f'{self.func_ir.func_id.func_qualname} recurses too deep for the stack'
            self.return_exception(RecursionError, (message,), self.loc)
        dispatcher = callee.dispatcher_type
        # numba would call through a pointer that it sets when loading the code, but this code is
        # not loaded by numba.
        if signature.args in dispatcher.dispatcher.overloads:  # already compiled for these types
            return self._lower_call_normal(dispatcher, expr, signature)
        return super()._lower_call_RecursiveCall(callee, expr, signature)


class _ParallelLower(_Lower, ParforLower):
    def lower_inst(self, inst: Any) -> None:
        """Emits the code of one instruction, which may be a parallel loop."""
        super().lower_inst(inst)
        if isinstance(inst, parfor.Parfor):
            raise_stored(self.context, self.builder)


def _parallel_lower(context: Context, *args: Any, **options: Any) -> Lower:
    """Returns the lowering for a function with parallel loops, or for one of its loops."""
    kind = _ParallelLower if isinstance(context, _Context) else ParforLower
    return kind(context, *args, **options)


@register_pass(mutates_CFG=True, analysis_only=False)
class _Lowering(NativeLowering):
    _name = 'mujoco_ros_py_lowering'

    @property
    def lowering_class(self) -> type[Lower]:
        """The class that emits the code."""
        return _Lower


_OWN_PASSES = {NativeLowering: _Lowering}
# numba itself selects the passes of parallel loops, so they are not in `_OWN_PASSES`.
NativeParforLowering.lowering_class = property(lambda _: _parallel_lower)


class _Context(KnowsBounds, CPUContext):
    """A context that records the user's function and line for which code is being emitted."""

    place: tuple[ir.Function, str, Location] | None = None
    called = ''
    """The LLVM name of the last called function."""

    @property
    def call_conv(self) -> CPUCallConv:
        """The calling convention, which defines how exceptions are raised."""
        return CallConvention(self)

    def place_in(self, builder: ir.IRBuilder) -> tuple[Location | None, str | None]:
        """Returns the line and the name of the user's function; None for other LLVM functions."""
        if self.place is None or self.place[0] is not builder.function:
            return None, None
        return self.place[2], self.place[1]

    def get_env_manager(self, builder: ir.IRBuilder, return_pyobject: bool = False) -> ir.Value:
        """Emits access to Python objects that belong to the function."""
        self._note_bound()
        return super().get_env_manager(builder, return_pyobject)

    def add_dynamic_addr(self, builder: ir.IRBuilder, intaddr: int, info: str) -> ir.Value:
        """Emits an address in this process."""
        self._note_bound()
        return super().add_dynamic_addr(builder, intaddr, info)

    def _note_bound(self) -> None:
        if self.place is not None:
            place = self.place[2]
            # If the code cannot be cached, the error names the first of these lines.
            thread.bound += (shown_place(place.filename, place.line),)

    def call_unresolved(
        self, builder: ir.IRBuilder, name: str, sig: Signature, args: Any
    ) -> ir.Value:
        """Calls a function that is not compiled yet."""
        assert thread.awaited is not None, name
        # numba sets a pointer to the function when loading it; `define_pointer` makes the pointer
        # part of the code.
        thread.awaited.add(name)
        return super().call_unresolved(builder, name, sig, args)
