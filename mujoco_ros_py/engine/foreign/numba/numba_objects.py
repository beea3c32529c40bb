"""Names for numba's and LLVM's objects in annotations.

Neither library has type hints. Type checkers treat each name as Any; readers learn from it which
class of the library an object has.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from llvmlite import ir  # imported at run time only where code is emitted

Typing: TypeAlias = Any
"""`numba.core.typing.Context`, which finds the types of functions and attributes."""
Context: TypeAlias = Any
"""`numba.core.cpu.CPUContext`, which emits code for types and functions."""
Signature: TypeAlias = Any
"""`numba.core.typing.Signature`: the types of arguments and of the result."""
NumbaFunction: TypeAlias = Any
"""`numba.core.dispatcher.Dispatcher`, a function decorated with `numba.njit`."""
Template: TypeAlias = Any
"""A class derived from `numba.core.typing.templates.Template`, which types one function."""
CompileResult: TypeAlias = Any
"""`numba.core.compiler.CompileResult`: a compiled function, its library and its signature."""
CodeLibrary: TypeAlias = Any
"""`numba.core.codegen.CPUCodeLibrary`: the code of a function, and links to its callees."""
Status: TypeAlias = Any
"""`numba.core.callconv.Status`: whether a call has raised, and the exception."""
DataManager: TypeAlias = Any
"""`numba.core.datamodel.DataModelManager`, which knows the memory layout of types."""
Unboxing: TypeAlias = Any
"""`numba.core.pythonapi._UnboxContext`: context, builder and Python API of a conversion."""
Location: TypeAlias = Any
"""`numba.core.ir.Loc`: a file and a line of the source."""
LlvmModule: TypeAlias = Any
"""`ModuleRef` of the binding of llvmlite: an LLVM module."""

Values: TypeAlias = 'Sequence[ir.Value]'
"""The arguments of an emitted call."""
Emit: TypeAlias = 'Callable[[Context, ir.IRBuilder, Signature, Values], ir.Value]'
"""Emits a call to an intrinsic, and returns its result value."""
Typed: TypeAlias = 'tuple[Signature, Emit]'
"""The result of an intrinsic for given argument types."""
