"""Compiles functions of users with numba: callbacks, engine plugins, and the helpers they call.

Functions decorated with `numba.njit`, and implementations by `overload`, are compiled again for
the function that calls them, in their present form and with its options: `boundscheck` applies to
them, and the user's own compiled functions stay unchanged. Run-time errors tell the line, which
costs nothing as long as there is no error.
"""

from __future__ import annotations

import copy
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.extending import typeof_impl

from ...errors import PluginError
from ..cache import NativeCode
from ..foreign.llvmlite_internals import declared_names
from ..foreign.numba.numba_code import final_module, object_code, use_code_generator
from ..foreign.numba.numba_internals import (
    CompilerBase,
    CPUCallConv,
    CPUContext,
    DefaultPassBuilder,
    Dispatcher,
    Lower,
    NativeLowering,
    NativeParforLowering,
    ParforLower,
    _OverloadFunctionTemplate,
    has_given_types,
    parfor,
    register_pass,
    type_of,
)
from ..foreign.numba.numba_objects import (
    CodeLibrary,
    CompileResult,
    Context,
    Location,
    NumbaFunction,
    Signature,
    Template,
)
from ..foreign.numba.numba_templates import forget_compiled, overload_options, replace_decorator
from ..identity import user_templates
from ..inlined import Inlined
from ..machine_code import ProcessBoundError
from .calling_convention import LIBRARIES, CallConvention
from .emission import emission
from .explanation import explain, shown_place
from .index_checks import KnowsBounds
from .literal_types import without_literals
from .parallel_loops import raise_stored
from .recursion import define_pointer, stack_is_full

_log = logging.getLogger(__name__)


def compile_function(
    function: Callable[..., Any],
    signature: tuple[types.Type, ...],
    *,
    portable: bool = True,
    **options: Any,
) -> CompileResult:
    """Returns numba's result of compiling a function for arguments of these types.

    If it is `portable`, its library has object code, and is not loaded. Raises PluginError, which
    explains the reason in a sentence. Numba's own message is logged at debug level.
    """
    function, options = _taken_apart(function, options)
    with _copying(options, portable=portable) as copies:
        dispatcher = numba.njit(pipeline_class=_Compiler, **options)(function)
        try:
            dispatcher.compile(signature)
        except Exception as error:  # numba's own errors, and those of attributes of modules
            _log.debug('%s does not compile', function.__qualname__, exc_info=error)
            helpers = [each.py_func for each in copies]
            raise PluginError(explain(function, helpers, signature[0], error)) from None
        compiled = dispatcher.overloads[signature]
        compiled.metadata['copies'] = copies  # numba has only weak references to them
    return compiled


def native_code(library: CodeLibrary, symbol: str) -> NativeCode:
    """Returns the object code of what this thread has compiled last.

    Raises ProcessBoundError, which tells the line, if the code refers to objects of this process.
    """
    library.get_pointer_to_function(symbol)  # finishes the library
    code = object_code(library)
    if code is None:
        where = _thread.bound[0] if _thread.bound else ''
        raise ProcessBoundError(f'it refers to objects of this process{where}')
    return NativeCode(symbol, tuple(declared_names(final_module(library))), code)


def compiles_for_plugin() -> bool:
    """Returns whether this thread compiles a function of a plugin, or one that it calls."""
    return _thread.copies is not None


def is_checked() -> bool:
    """Returns whether this thread compiles with `boundscheck`."""
    return _thread.boundscheck


def _taken_apart(function: Any, options: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Returns the plain function and the options that belong to it.

    A function decorated with `numba.njit` or `inlined` is compiled from the undecorated function,
    with the options given to `numba.njit`.
    """
    inner = function.py_func if isinstance(function, Dispatcher | Inlined) else function
    if not isinstance(inner, FunctionType):
        name = getattr(inner, '__qualname__', repr(inner))
        raise PluginError(
            f'{name} does not compile: it is a {type(inner).__name__}, must be a function'
            ' that is written with def or lambda'
        )
    given = dict(function.targetoptions) if isinstance(function, Dispatcher) else {}
    given.pop('nopython', None)
    checked = options.get('boundscheck') or given.get('boundscheck')
    return inner, {**given, **options, 'nogil': True, 'boundscheck': checked}


class _Thread(threading.local):
    copies: dict[NumbaFunction, NumbaFunction] | None = None
    """The copies of functions by their originals, while the thread compiles. A recursive function
    finds its own copy there."""
    boundscheck = False
    portable = False
    """Whether the code is emitted, and not loaded."""
    bound: tuple[str, ...] = ()
    """The lines that may refer to objects of this process, as `print` does, in what the thread
    compiles or has compiled last."""
    awaited: set[str] | None = None
    """The LLVM names of functions that were called before they were compiled."""


_thread = _Thread()


@contextmanager
def _copying(
    options: dict[str, Any], *, portable: bool
) -> Iterator[dict[NumbaFunction, NumbaFunction]]:
    templates = user_templates()
    for template in templates:
        forget_compiled(template)  # dispatchers, with the constants of an earlier time
        replace_decorator(template, _decorator_of)
    before = _thread.copies, _thread.boundscheck, _thread.awaited, _thread.portable
    _thread.copies, _thread.boundscheck = {}, bool(options.get('boundscheck'))
    _thread.awaited, _thread.portable, _thread.bound = set(), portable, ()
    try:
        yield _thread.copies
    finally:
        _thread.copies, _thread.boundscheck, _thread.awaited, _thread.portable = before
        for template in templates:
            forget_compiled(template)  # functions compiled here are not for the user's own code


def _decorator_of(template: Template) -> Callable[..., Any]:
    """Returns the decorator that numba uses for an implementation by `overload`."""
    decorate: Callable[..., Any] = _OverloadFunctionTemplate._get_jit_decorator(template)
    if _thread.copies is None:
        return decorate
    boundscheck = _thread.boundscheck or overload_options(template)[1].get('boundscheck')
    ours = {'boundscheck': boundscheck, 'pipeline_class': _Compiler}
    return lambda **options: decorate(**{**options, **ours})


@typeof_impl.register(Dispatcher)
def _typeof_dispatcher(value: Any, context: Context) -> types.Dispatcher:
    return types.Dispatcher(_copy(value)) if _is_copied(value) else type_of(value)


@typeof_impl.register(Inlined)
def _typeof_inlined(value: Inlined[Any, Any], context: Context) -> types.Dispatcher:
    return types.Dispatcher(_copy(value.dispatcher))


def _is_copied(dispatcher: NumbaFunction) -> bool:
    return _thread.copies is not None and not _is_of_library(dispatcher.py_func.__module__)


def _is_of_library(module: str | None) -> bool:
    return f'{module}.'.startswith(tuple(f'{library}.' for library in LIBRARIES))


def _copy(dispatcher: NumbaFunction) -> NumbaFunction:
    """Returns a copy of the function, compiled as its caller is."""
    copies = _thread.copies
    if copies is None:
        return dispatcher
    if dispatcher not in copies:
        options = {
            **dispatcher.targetoptions,
            'no_cpython_wrapper': True,
            'no_cfunc_wrapper': True,
        }
        options['boundscheck'] = _thread.boundscheck or options.get('boundscheck')
        made = type(dispatcher)(
            dispatcher.py_func, dispatcher.locals, options, pipeline_class=_Compiler
        )
        copies[dispatcher] = without_literals(made)
        if has_given_types(dispatcher):
            for signature in dispatcher.nopython_signatures:
                made.compile(signature)
            made.disable_compile()
    return copies[dispatcher]


def compile_for_caller(dispatcher: NumbaFunction, signature: Signature) -> CompileResult:
    """Returns numba's result of compiling the function of a ufunc again, as its caller is."""
    copies = _thread.copies
    assert copies is not None
    if dispatcher not in copies:
        options = {'no_cpython_wrapper': True, 'no_cfunc_wrapper': True, 'error_model': 'numpy'}
        options['fastmath'] = dispatcher.targetoptions.get('fastmath', False)
        options['boundscheck'] = _thread.boundscheck or dispatcher.targetoptions.get('boundscheck')
        copies[dispatcher] = numba.njit(pipeline_class=_Compiler, **options)(dispatcher.py_func)
    made = copies[dispatcher]
    if signature.args not in made.overloads:
        made.compile(signature)
    return made.overloads[signature.args]


class _Compiler(CompilerBase):
    """The compiler of numba, with exceptions that know their place."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        context = copy.copy(self.state.targetctx)  # as numba does for each set of options
        context.__class__ = _Context
        if _thread.portable:
            use_code_generator(context, emission())
        self.state.targetctx = context

    def define_pipelines(self) -> list[ir.Value]:
        """Returns numba's passes, with this module's lowering in place of numba's."""
        made = DefaultPassBuilder.define_nopython_pipeline(self.state)
        made.passes = [(_OWN_PASSES.get(each, each), reason) for each, reason in made.passes]
        made.finalize()
        return [made]


class _Lower(Lower):
    def init(self) -> None:
        """Initializes the lowering once the context is that of the function."""
        super().init()
        self.context.error_model = type(self.context.error_model)(self.context.call_conv)
        outer = self.context.place  # that of the function with the parallel loop that this is
        self._name = outer[1] if outer else self.func_ir.func_id.func_name

    def lower_inst(self, inst: Any) -> None:
        """Emits the code of one instruction."""
        self.context.place = self.builder.function, self._name, self.loc
        super().lower_inst(inst)

    def lower_normal_function(self, fndesc: Any) -> None:
        """Emits the code of the function."""
        super().lower_normal_function(fndesc)
        if self.function.name in (_thread.awaited or ()):
            define_pointer(self.module, self.function)

    def _lower_call_RecursiveCall(self, callee: Any, expr: Any, signature: Any) -> Any:  # noqa: N802  (numba's name)
        """Emits a call that closes a cycle of functions."""
        with self.builder.if_then(stack_is_full(self.context, self.builder), likely=False):
            message = f'{self.func_ir.func_id.func_qualname} recurses too deep for the stack'
            self.return_exception(RecursionError, (message,), self.loc)
        dispatcher = callee.dispatcher_type
        if signature.args in dispatcher.dispatcher.overloads:  # compiled for these types already
            return self._lower_call_normal(dispatcher, expr, signature)
        return super()._lower_call_RecursiveCall(callee, expr, signature)


class _ParallelLower(_Lower, ParforLower):
    def lower_inst(self, inst: Any) -> None:
        """Emits the code of one instruction, which may be a parallel loop."""
        super().lower_inst(inst)
        if isinstance(inst, parfor.Parfor):
            raise_stored(self.context, self.builder)


def _parallel_lower(context: Context, *args: Any, **options: Any) -> Lower:
    """Returns what emits a function with parallel loops, or one of its loops."""
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
# numba chooses the passes of parallel loops by itself
NativeParforLowering.lowering_class = property(lambda _: _parallel_lower)


class _Context(KnowsBounds, CPUContext):
    """A context that knows what code is emitted for: LLVM function, name, file and line."""

    place: tuple[ir.Function, str, Location] | None = None
    called = ''
    """The LLVM name of the function that was called last."""

    @property
    def call_conv(self) -> CPUCallConv:
        """The calling convention, which defines how exceptions are raised."""
        return CallConvention(self)

    def place_in(self, builder: ir.IRBuilder) -> tuple[Location | None, str | None]:
        """Returns place and name of the user's function; None inside of a called function."""
        if self.place is None or self.place[0] is not builder.function:
            return None, None
        return self.place[2], self.place[1]

    def get_env_manager(self, builder: ir.IRBuilder, return_pyobject: bool = False) -> ir.Value:
        """Emits access to Python objects that belong to the function."""
        self._note_bound()
        return super().get_env_manager(builder, return_pyobject)

    def add_dynamic_addr(self, builder: ir.IRBuilder, intaddr: int, info: str) -> ir.Value:
        """Emits an address of this process."""
        self._note_bound()
        return super().add_dynamic_addr(builder, intaddr, info)

    def _note_bound(self) -> None:
        if self.place is not None:
            place = self.place[2]
            _thread.bound += (shown_place(place.filename, place.line),)

    def call_unresolved(
        self, builder: ir.IRBuilder, name: str, sig: Signature, args: Any
    ) -> ir.Value:
        """Calls a function that is not compiled yet."""
        assert _thread.awaited is not None, name
        _thread.awaited.add(name)
        return super().call_unresolved(builder, name, sig, args)
