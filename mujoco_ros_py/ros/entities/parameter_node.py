"""The node on which plugins declare parameters and add parameter callbacks."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from rcl_interfaces.msg import SetParametersResult
from rclpy.node import Node

from ...simulation import Owner
from ..rclpy_internals import (
    give_post_set_callbacks,
    parameters_on,
    remove_parameter,
    remove_parameter_callback,
)
from .plugin_callbacks import current_owner, owned_parameter_callback


class ParameterNode(Node):
    """A node whose parameters and parameter callbacks end with the plugin that added them.

    A callback is removed as soon as its plugin fails or is unloaded. A parameter is undeclared
    after its plugin has been unloaded, so the next plugin can declare it again.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self._declared_by: dict[str, Owner] = {}
        self._changing = threading.Lock()
        """Guards the lists of callbacks against concurrent changes."""
        super().__init__(*arguments, **options)
        give_post_set_callbacks(self)

    def declare_parameters(
        self, namespace: str, parameters: Sequence[Any], ignore_override: bool = False
    ) -> Any:
        """Declares parameters as rclpy does; `declare_parameter` calls this."""
        owner, before = current_owner(), parameters_on(self)
        try:
            return super().declare_parameters(namespace, parameters, ignore_override)
        finally:  # if rclpy refuses a parameter, those before it are already declared
            if owner is not None:
                for name in _names(namespace, parameters):
                    if name not in before and self.has_parameter(name):
                        self._declared_by[name] = owner
                        owner.on_end(partial(self._undeclare, name, owner))

    def undeclare_parameter(self, name: str) -> None:
        """Undeclares a parameter as rclpy does."""
        super().undeclare_parameter(name)
        self._declared_by.pop(name, None)

    def add_on_set_parameters_callback(self, callback: Any) -> None:
        """Adds a callback as rclpy does."""
        yes = SetParametersResult(successful=True)
        self._add(super().add_on_set_parameters_callback, callback, lambda _: yes)

    def add_pre_set_parameters_callback(self, callback: Any) -> None:
        """Adds a callback as rclpy does."""
        self._add(super().add_pre_set_parameters_callback, callback, lambda given: given)

    def add_post_set_parameters_callback(self, callback: Any) -> None:
        """Adds a callback as rclpy does."""
        humble = self._post_set_parameters_callbacks.append
        add = getattr(super(), 'add_post_set_parameters_callback', humble)
        self._add(add, callback, lambda _: None)

    def _add(
        self, add: Callable[[Any], None], callback: Any, otherwise: Callable[[Any], Any]
    ) -> None:
        called = owned_parameter_callback(callback, otherwise)
        with self._changing:
            add(called)
        if (owner := current_owner()) is not None:
            owner.on_close(partial(self._remove, called))

    def _remove(self, callback: Any) -> None:
        with self._changing:
            remove_parameter_callback(self, callback)

    def _undeclare(self, name: str, owner: Owner) -> None:
        """Undeclares a parameter, unless another owner has declared it again in the meantime."""
        if self._declared_by.get(name) is owner:
            del self._declared_by[name]
            remove_parameter(self, name)


def _names(namespace: str, parameters: Sequence[Any]) -> Iterator[str]:
    """Yields the full names of the given parameters."""
    for name, *_ in parameters:
        yield f'{namespace}.{name}' if namespace else name
