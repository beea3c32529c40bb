"""Expressions on a whole run: values at its end, and functions of all its states, like `ever`."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..config.wording import shown, unknown
from ..errors import ConfigError
from ..testing.state import State
from .checked_expressions import Expression

Fold = Callable[[Any, Any, float], Any]
"""Computes the new value from the previous value, the current argument and the current time."""
_NEVER = float('inf')

FOLDS: dict[str, tuple[Any, Fold]] = {
    'ever': (False, lambda before, now, time: before or bool(np.all(now))),
    'always': (True, lambda before, now, time: before and bool(np.all(now))),
    'highest': (-_NEVER, lambda before, now, time: max(before, float(np.max(now)))),
    'lowest': (_NEVER, lambda before, now, time: min(before, float(np.min(now)))),
    'first_time': (_NEVER, lambda before, now, time: before if before < _NEVER
                   else time if np.all(now) else _NEVER),
    'last_time': (-_NEVER, lambda before, now, time: time if np.all(now) else before),
}  # fmt: skip
"""The functions of a run: the initial value, and the update with each state."""


class RunExpression:
    """An expression of a run; call `see` with each state of the run in turn."""

    def __init__(self, text: str, where: str, values: Mapping[str, Any]) -> None:
        """`values` are the run's values. Raises ConfigError if `text` is not an expression."""
        self._expression = Expression(text, where)
        self._values = values
        self._folds = [
            _Folded(node)
            for node in ast.walk(self._expression.tree)
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in FOLDS
        ]
        for fold in self._folds:
            fold.check(where)
        self._tree = _Places(self._folds).visit(self._expression.tree)
        self._last: dict[str, Any] = {}

    def see(self, state: State) -> None:
        """Updates the expression with the next state of the run."""
        names = names_of(state, self._values)
        for fold in self._folds:
            value = self._expression.value_of(fold.inner, names)
            fold.value = fold.fold(fold.value, value, state.time)
        self._last = names

    @property
    def value(self) -> Any:
        """The value after the last seen state. Raises ConfigError like `Expression.value`."""
        folded = {fold.name: fold.value for fold in self._folds}
        return plain(self._expression.value_of(self._tree, {**self._last, **folded}))

    @property
    def holds(self) -> bool:
        """Whether the expression is true after the last seen state.

        Raises ConfigError like `Expression.value`, and for a value that is not a bool.
        """
        value = self.value
        if np.asarray(value).dtype != bool:
            where = self._expression.where
            raise ConfigError(f'{where} must be true or false, got {shown(value)}: compare values')
        return bool(np.all(value))


class _Folded:
    """A call of a function of the run (see `FOLDS`) in an expression."""

    def __init__(self, node: ast.Call) -> None:
        assert isinstance(node.func, ast.Name)
        self.node, self.function = node, node.func.id
        self.value, self.fold = FOLDS[self.function]
        self.name = f'{self.function} {id(node)}'

    @property
    def inner(self) -> ast.expr:
        return self.node.args[0]

    def check(self, where: str) -> None:
        if len(self.node.args) != 1 or self.node.keywords:
            raise ConfigError(f'{where}: {self.function} takes one expression')
        inside = [each for each in ast.walk(self.inner) if isinstance(each, ast.Name)]
        if any(each.id in FOLDS for each in inside):
            raise ConfigError(f'{where}: {self.function} must not contain such a function')


class _Places(ast.NodeTransformer):
    """Replaces each call of a function of the run with a name for its current value."""

    def __init__(self, folds: list[_Folded]) -> None:
        self._folds = {id(fold.node): fold.name for fold in folds}

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name = self._folds.get(id(node))
        return self.generic_visit(node) if name is None else ast.Name(name, ast.Load())


def names_of(state: State, values: Mapping[str, object]) -> dict[str, Any]:
    """Returns the names for expressions: the state's numbers and methods, and the run's values."""

    def value(name: str) -> Any:
        if name not in values:
            raise ConfigError(unknown('value of the run', str(name), values))
        return _usable(values[name])

    words = {name: _usable(each) for name, each in values.items() if name.isidentifier()}
    return {
        **words,
        'time': state.time, 'qpos': state.qpos, 'qvel': state.qvel, 'act': state.act,
        'controls': state.ctrl, 'joint': state.joint, 'body': state.body, 'site': state.site,
        'sensor': state.sensor, 'actuator': state.actuator, 'value': value,
    }  # fmt: skip


def plain(value: object) -> Any:
    """Converts NumPy values to plain Python values, which JSON can represent."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    json.dumps(value)
    return value


def _usable(value: object) -> Any:
    return np.array(value, float) if isinstance(value, list | tuple) else value
