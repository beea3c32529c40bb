"""Compiled: emits object code without loading it into numba's own engine, which keeps it for ever.

Code that is kept for other processes is loaded from its object code in any case. Numba would load
each function and each helper too, and could never free them: a callback that is edited and
compiled again and again would fill the memory.
"""

from __future__ import annotations

from typing import Any

from ..foreign.numba.numba_code import emitted
from ..foreign.numba.numba_internals import JITCodeLibrary, JITCPUCodegen, global_compiler_lock


class _Library(JITCodeLibrary):
    """A library of functions as LLVM's text, which is freed with it."""

    def get_pointer_to_function(self, name: str) -> int:
        """Finishes the library; its functions have no address, as they are not loaded."""
        self._ensure_finalized()
        return 0

    def _finalize_specific(self) -> None:
        """Leaves references between libraries to `recursion.define_pointer`."""

    def _get_compiled_object(self) -> Any:
        with global_compiler_lock:
            return emitted(self)


class Emission(JITCPUCodegen):
    """Generates code as numba does, with the same options, and does not load it."""

    _library_class = _Library

    def _add_module(self, module: Any) -> None:
        """Leaves the module to its library."""

    def set_env(self, env_name: str, env: Any) -> None:
        """Sets nothing: code that needs an environment is not portable."""
