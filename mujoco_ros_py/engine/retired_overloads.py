"""Takes the overloads of replaced modules out of use: what compiled code runs for a function."""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType

from .foreign.numba.numba_registry import forget_functions, remove, restore, silence, templates_in
from .identity import read_anew


class RetiredOverloads:
    """The overloads that modules have registered with numba, out of use from now on.

    Two modules that implement the same function of a package would get into each other's way:
    numba would compile the older implementation.
    """

    def __init__(self, modules: Iterable[ModuleType]) -> None:
        namespaces = {id(vars(module)) for module in modules}
        self._before = {template: silence(template) for template in templates_in(namespaces)}
        read_anew()

    def restore(self) -> None:
        """Puts the overloads back into use."""
        for template, before in self._before.items():
            restore(template, before)
        read_anew()

    def drop(self) -> None:
        """Has numba forget the overloads, which otherwise would keep their modules alive."""
        remove(self._before)
        forget_functions()
        self._before = {}
        read_anew()
