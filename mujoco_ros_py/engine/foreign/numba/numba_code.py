"""Code that numba has generated: libraries, their modules, and what generates them.

This relies on these facts of numba:

- Two calls lead from a compiled function to its object code, and to the LLVM module of it.
- A library has its LLVM module in `_final_module`, and its code generator in `_codegen`, which has
  LLVM's target machine in `_tm`. That emits object code.
- A context generates code with its `_internal_codegen`.
- Code that needs this very process has dynamic globals, or the text 'missing Environment' in it.
"""

from __future__ import annotations

from typing import Any


def object_code(library: Any) -> bytes | None:
    """Returns a finished library's object code, or None if it needs objects of this process.

    Such objects are large arrays, and what `print` needs.
    """
    code: bytes = library._get_compiled_object()
    return None if library.has_dynamic_globals or b'missing Environment' in code else code


def final_module(library: Any) -> Any:
    """Returns the LLVM module from which a finished library was made."""
    return library._final_module


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
