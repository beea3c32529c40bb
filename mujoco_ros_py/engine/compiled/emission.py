"""Compiled: emits object code without loading it into numba's own engine, which keeps it for ever.

Code that is kept for other processes is loaded from its object code in any case. Numba would load
each function and each helper too, and could never free them: a callback that is edited and
compiled again and again would fill the memory.

Numba also links and optimizes each helper with everything that it calls, and then once more
in each of its callers. Here only the function that is kept is linked and optimized as a whole,
which halves the time of a first start.
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
    """A library of functions as LLVM's text, which is freed with it."""

    _own: LlvmModule = None
    """The module of its own functions alone, once another library has asked for it."""
    _is_complete = False

    def get_pointer_to_function(self, name: str) -> int:
        """Finishes the library; its functions have no address, as they are not loaded."""
        self._ensure_finalized()
        # numba asks for addresses to finish the libraries; nobody calls this one.
        return 0

    def finalize(self) -> None:
        """Takes no more functions. References between libraries are left to `complete`.

        Those to functions that are compiled later are left to `recursion.define_pointer`.
        """
        self._raise_if_finalized()
        # numba's own method would optimize, emit and load the library here.
        self._finalized = True

    def complete(self) -> None:
        """Links everything that the functions call, and optimizes it as a whole."""
        if self._is_complete:
            return
        with global_compiler_lock:
            self._ensure_finalized()
            modules = [_module_of(library) for library in self._called()]
            left: set[str] = set()
            while modules:
                for module in modules:
                    # Preserved, as other functions link the same helper; LLVM would use the module
                    # up.
                    final_module(self).link_in(module, preserve=True)
                # of functions that may be left out, LLVM has taken those that were called before
                before, left = left, _declared(final_module(self))
                modules = [module for module in modules if left & _defined(module)]
                if left == before:
                    break
            # Once, after all is linked: helpers are inlined into the function that is kept.
            self._optimize_final_module()
            final_module(self).verify()
            self._finalize_dynamic_globals()
            self._verify_declare_only_symbols()
        self._is_complete = True

    def own_module(self) -> LlvmModule:
        """Returns the functions of this library, to be linked into others."""
        if self._own is None:
            self._own = super()._get_module_for_linking()
            # numba caches the module here too, and would hold it in memory twice.
            self._shared_module = None
        return self._own

    def _called(self) -> Iterator[CodeLibrary]:
        """Returns the libraries that this one calls, and those that they call, each once."""
        waiting, passed = list(linked_libraries(self)), {self}
        for library in waiting:  # it grows meanwhile
            if library not in passed:
                passed.add(library)
                yield library
                if isinstance(library, _Library):
                    waiting += linked_libraries(library)

    def _get_module_for_linking(self) -> LlvmModule:
        """Returns the functions with all that they call, for a library of numba's own engine."""
        self.complete()
        return super()._get_module_for_linking()

    def _optimize_functions(self, ll_module: LlvmModule) -> None:
        """Runs numba's passes on each function of a module, but not on those only declared."""
        optimize_defined(self, ll_module)

    def get_llvm_str(self) -> str:
        """Returns the text of the code as it runs."""
        self.complete()
        return str(super().get_llvm_str())

    def _get_compiled_object(self) -> bytes:
        self.complete()
        with global_compiler_lock:
            return emitted(self)


def _module_of(library: CodeLibrary) -> LlvmModule:
    """Returns the functions of a library, to be linked into others."""
    if isinstance(library, _Library):
        return library.own_module()
    return library._get_module_for_linking()


def _defined(module: LlvmModule) -> set[str]:
    return {each.name for each in module.functions if not each.is_declaration}


def _declared(module: LlvmModule) -> set[str]:
    return {each.name for each in module.functions if each.is_declaration}


class Emission(JITCPUCodegen):
    """Generates code as numba does, with the same options, and does not load it."""

    _library_class = _Library

    def _add_module(self, module: LlvmModule) -> None:
        """Leaves the module to its library."""

    def set_env(self, env_name: str, env: Any) -> None:
        """Sets nothing: code that needs an environment is not portable."""


@cache
def emission() -> Emission:
    """Returns the generator of all code that is kept."""
    return Emission('mujoco_ros_py')


def complete(library: CodeLibrary) -> None:
    """Has the module of a library be the code that runs, wherever numba has left that open."""
    if isinstance(library, _Library):
        library.complete()
