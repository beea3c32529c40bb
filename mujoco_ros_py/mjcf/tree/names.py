"""The names of a model's elements; each name is unique in its namespace."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..write.form import SEPARATOR, WORLD, Form

if TYPE_CHECKING:
    from ..attributes import Reference
    from ..compose.root import RootElement
    from .placed import Placed


class NameScope:
    """Finds the elements of one model, excluding attached models, by namespace and name."""

    def __init__(self, model: RootElement) -> None:
        self.mjcf_model = model
        self.by_namespace: dict[str, dict[str, Placed]] = defaultdict(dict)
        self.follows = True
        """Whether names in reference attributes are resolved to elements when they are read."""
        self._resolved = False
        self._waiting: list[tuple[Any, Reference]] = []
        """References by name that have not been resolved yet."""

    @property
    def name(self) -> str:
        """The name of the model."""
        return self.mjcf_model.model

    @property
    def parent(self) -> NameScope | None:
        """The name scope of the model that this model is attached to, or None."""
        above = self.mjcf_model.parent_model
        return None if above is None else above.namescope

    @property
    def root(self) -> NameScope:
        """The name scope of the topmost model."""
        return self.mjcf_model.root_model.namescope

    def full_prefix(self, prefix_root: RootElement | None = None) -> str:
        """Returns the prefix of this model's names in `prefix_root`, or in the topmost model."""
        return Form(prefix_root=model_of(prefix_root or self.root)).prefix(self.mjcf_model)

    def get(self, namespace: str, name: str) -> Placed:
        """Returns the element with this name. Raises KeyError for an unknown name."""
        found = self.known(namespace, name)
        if found is None:
            raise KeyError(f'unknown {namespace} {name!r}')
        return found

    def known(self, namespace: str, name: str) -> Placed | None:
        """Returns the element with this name, or None."""
        return self.by_namespace[namespace].get(name)

    def rename(self, element: Placed, old: str | None, new: str | None) -> None:
        """Stores the element under `new` instead of `old`; either can be None."""
        names = self.by_namespace[element._scope]
        if old is not None and names.get(old) is element:
            self.resolve()
            del names[old]
        if new is not None:
            names[new] = element

    def check(self, element: Placed, name: str) -> None:
        """Raises ValueError if the name is invalid or belongs to another element."""
        if name == WORLD and element.spec.namespace == 'body':
            raise ValueError("name must not be 'world', MuJoCo's name for the worldbody")
        if SEPARATOR in name:
            raise ValueError(f'name must not contain {SEPARATOR!r}, got {name!r}')
        other = self.by_namespace[element._scope].get(name)
        if other is not None and other is not element:
            raise ValueError(f'name {name!r} is already used by {other}')

    def restorer(self) -> Callable[[], None]:
        """Returns a function that restores all current names."""
        names = {space: dict(elements) for space, elements in self.by_namespace.items()}
        waiting = list(self._waiting)

        def restore() -> None:
            self.by_namespace.clear()
            self.by_namespace.update(names)
            self._waiting = waiting

        return restore

    def wait(self, element: Placed, reference: Reference) -> None:
        """Registers a reference by name; it is resolved before any name changes."""
        self._waiting.append((element, reference))

    def resolve(self) -> None:
        """Resolves references by name, before one of these names changes."""
        scope = self
        while scope.follows:
            if scope._waiting or not scope._resolved:
                scope._resolve_own()
            frame = scope.mjcf_model._frame
            if frame is None:
                return
            scope = frame.root._namescope

    def _resolve_own(self) -> None:
        waiting, self._waiting = self._waiting, []
        if not self._resolved:  # references read from text are not in `_waiting`
            self._resolved = True
            self.mjcf_model.resolve_references()
        for element, reference in waiting:
            if element.root is self.mjcf_model:
                reference.resolve(element)


def model_of(scope: object) -> Any:
    """Returns the model of a scope, or the model itself."""
    return scope.mjcf_model if isinstance(scope, NameScope) else scope
