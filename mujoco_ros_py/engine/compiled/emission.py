"""Compiled: emits object code without loading it into numba's own execution engine.

`machine_code` loads the object code that this module emits. numba would also load each function
and helper into its own engine, and never free them: a callback that is edited and compiled
repeatedly would fill the memory.

numba also links and optimizes each helper with all the code that it calls, and again in each of
its callers. This module links and optimizes only the cached function, which halves the time of the
first start.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from ..foreign.numba.numba_code import (
    emitted,
    final_module,
    linked_libraries,
    optimize_defined,
)
from ..foreign.numba.numba_internals import JITCodeLibrary, JITCPUCodegen, global_compiler_lock
from ..foreign.numba.numba_objects import CodeLibrary, LlvmModule


class _Library(JITCodeLibrary):
    """A library of functions as LLVM modules; the modules are freed with the library."""

    _own: LlvmModule = None
    """The module with only this library's functions; None until another library links it."""
    _is_complete = False

    def get_pointer_to_function(self, name: str) -> int:
        """Finalizes the library; the functions are not loaded, so the address is 0."""
        self._ensure_finalized()
        # numba requests addresses in order to finalize libraries; it does not call this address.
        return 0

    def finalize(self) -> None:
        """Closes the library for new functions. `complete` resolves references to other libraries.

        `recursion.define_pointer` resolves references to functions that are compiled later.
        """
        self._raise_if_finalized()
        # numba's own method would optimize, emit and load the library here.
        self._finalized = True

    def complete(self) -> None:
        """Links all called functions into the library, and optimizes the result as a whole."""
        if self._is_complete:
            return
        with global_compiler_lock:
            self._ensure_finalized()
            modules = [_module_of(library) for library in self._called()]
            left: set[str] = set()
            while modules:
                for module in modules:
                    # `preserve`, because other functions link the same helper, and LLVM would
                    # consume the module.
                    final_module(self).link_in(module, preserve=True)
                # LLVM only links droppable functions that were already referenced, so repeat until
                # no new references appear.
                before, left = left, _declared(final_module(self))
                modules = [module for module in modules if left & _defined(module)]
                if left == before:
                    break
            # Optimizes once, after linking, so that helpers are inlined into the cached function.
            self._optimize_final_module()
            final_module(self).verify()
            self._finalize_dynamic_globals()
            self._verify_declare_only_symbols()
        self._is_complete = True

    def own_module(self) -> LlvmModule:
        """Returns the module with this library's functions, for linking into others."""
        if self._own is None:
            self._own = super()._get_module_for_linking()
            # numba also caches the module here, which would keep a second copy in memory.
            self._shared_module = None
        return self._own

    def _called(self) -> Iterator[CodeLibrary]:
        """Yields all libraries that this library calls, directly or indirectly, each once."""
        waiting, passed = list(linked_libraries(self)), {self}
        for library in waiting:  # grows during the loop
            if library not in passed:
                passed.add(library)
                yield library
                if isinstance(library, _Library):
                    waiting += linked_libraries(library)

    def _get_module_for_linking(self) -> LlvmModule:
        """Returns the functions with their callees, for a library of numba's own engine."""
        self.complete()
        return super()._get_module_for_linking()

    def _optimize_functions(self, ll_module: LlvmModule) -> None:
        """Runs numba's function passes, but only on functions with a body."""
        optimize_defined(self, ll_module)

    def get_llvm_str(self) -> str:
        """Returns the text of the final code."""
        self.complete()
        return str(super().get_llvm_str())

    def _get_compiled_object(self) -> bytes:
        self.complete()
        with global_compiler_lock:
            return emitted(self)


def _module_of(library: CodeLibrary) -> LlvmModule:
    """Returns the module with the functions of a library, for linking into others."""
    if isinstance(library, _Library):
        return library.own_module()
    return library._get_module_for_linking()


def _defined(module: LlvmModule) -> set[str]:
    return {each.name for each in module.functions if not each.is_declaration}


def _declared(module: LlvmModule) -> set[str]:
    return {each.name for each in module.functions if each.is_declaration}


class Emission(JITCPUCodegen):
    """Generates code with numba's options, but does not load it."""

    _library_class = _Library

    def _add_module(self, module: LlvmModule) -> None:
        """Does nothing: the library keeps the module."""

    def set_env(self, env_name: str, env: Any) -> None:
        """Does nothing: code that needs an environment is not portable."""


@cache
def emission() -> Emission:
    """Returns the generator of all cached code."""
    return Emission('mujoco_ros_py')


def complete(library: CodeLibrary) -> None:
    """Links and optimizes a library if this has not been done; its module is then final."""
    if isinstance(library, _Library):
        library.complete()
