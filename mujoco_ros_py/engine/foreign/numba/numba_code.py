"""Code that numba has generated: libraries, their modules, and what generates them.

This relies on these facts of numba:

- Two calls lead from a compiled function to its object code, and to the LLVM module of it.
- A library has its LLVM module in `_final_module`, the libraries whose functions it calls in
  `_linking_libraries`, and its code generator in `_codegen`, which has LLVM's target machine in
  `_tm`. That emits object code.
- The code generator makes passes for functions, and has the layout of data in `_data_layout`.
- A context generates code with its `_internal_codegen`.
- Code that needs this very process has dynamic globals, or the text 'missing Environment' in it.
"""

from __future__ import annotations

from typing import Any

from .numba_objects import CodeLibrary, Context, LlvmModule


def object_code(library: CodeLibrary) -> bytes | None:
    """Returns a finished library's object code, or None if it needs objects of this process.

    Such objects are large arrays, and what `print` needs.
    """
    code: bytes = library._get_compiled_object()
    return None if library.has_dynamic_globals or b'missing Environment' in code else code


def final_module(library: CodeLibrary) -> LlvmModule:
    """Returns the LLVM module from which a finished library was made."""
    return library._final_module


def linked_libraries(library: CodeLibrary) -> list[CodeLibrary]:
    """Returns the libraries whose functions those of a library call."""
    libraries: list[CodeLibrary] = library._linking_libraries
    return libraries


def optimize_defined(library: CodeLibrary, module: LlvmModule) -> None:
    """Runs numba's passes for functions on those that a module of the library defines.

    Numba runs them on declarations too, which are most of the functions.
    """
    module.data_layout = library._codegen._data_layout
    for function in module.functions:
        if not function.is_declaration:
            passes, builder = library._codegen._function_pass_manager()
            passes.run(function, builder)


def emitted(library: CodeLibrary) -> bytes:
    """Returns the object code that LLVM emits for a library's module."""
    code: bytes = library._codegen._tm.emit_object(library._final_module)
    return code


def use_code_generator(context: Context, generator: Any) -> None:
    """Has a target context generate code with this generator."""
    context._internal_codegen = generator
