"""Safe expressions on states: arithmetic, comparisons and listed functions only.

The evaluator is our own, because simpleeval and asteval allow calls of array methods. In
simpleeval 1.0.8, `qpos.tofile('name')` writes a file.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..config.wording import shown, unknown
from ..errors import ConfigError, MujocoRosError

ATTRIBUTES = (
    *('position', 'orientation', 'linear_velocity', 'angular_velocity', 'velocity'),
    *('ctrl', 'force'),
)
"""The attributes that an expression can read."""
FUNCTIONS: dict[str, Callable[..., Any]] = {
    'abs': np.abs, 'all': np.all, 'any': np.any, 'atan2': np.arctan2, 'cos': np.cos,
    'isfinite': np.isfinite, 'len': len, 'max': np.max, 'min': np.min, 'norm': np.linalg.norm,
    'round': np.round, 'sin': np.sin, 'sqrt': np.sqrt, 'sum': np.sum,
}  # fmt: skip
"""The functions of numbers and arrays. Callers of `value` add functions of states and runs."""
CONSTANTS: dict[str, Any] = {
    'pi': math.pi,
    'x': np.array([1.0, 0.0, 0.0]),
    'y': np.array([0.0, 1.0, 0.0]),
    'z': np.array([0.0, 0.0, 1.0]),
}
"""The named numbers and directions."""
_MAX_LENGTH = 4000
_MAX_EXPONENT = 64
_MAX_DEPTH = 200
"""The maximum nesting depth of an expression; a sum of this many terms has this depth."""
_OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.Div: operator.truediv, ast.Mod: operator.mod, ast.FloorDiv: operator.floordiv,
    ast.MatMult: operator.matmul, ast.USub: operator.neg, ast.UAdd: operator.pos,
    ast.Not: operator.not_, ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt,
    ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
}  # fmt: skip
_NUMBER = bool, int, float, np.ndarray, np.generic
Names = Mapping[str, Any]


class Expression:
    """A parsed expression; it can be evaluated any number of times."""

    def __init__(self, text: str, where: str) -> None:
        """Raises ConfigError, with the location in the file, if `text` is not an expression."""
        self.text, self.where = text, where
        if len(text) > _MAX_LENGTH:
            raise ConfigError(f'{where} must have at most {_MAX_LENGTH} characters')
        try:
            self.tree: ast.expr = ast.parse(text.strip(), mode='eval').body
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            told = getattr(error, 'msg', None) or error
            raise ConfigError(f'{where} is not an expression: {told}; got {shown(text)}') from None
        if _depth(self.tree) > _MAX_DEPTH:
            raise ConfigError(f'{where}: {shown(text)} is nested too deeply')

    def value(self, names: Names) -> Any:
        """Evaluates the expression; `names` maps names to values and functions.

        Raises ConfigError for an unknown name, for Python syntax that expressions do not allow,
        and for errors in the computation.
        """
        return self.value_of(self.tree, names)

    def value_of(self, tree: ast.expr, names: Names) -> Any:
        """Evaluates a part of the expression."""
        try:
            return _value(tree, names)
        except MujocoRosError as error:
            raise ConfigError(f'{self.where}: {error}') from None
        except (ArithmeticError, TypeError, ValueError, LookupError) as error:
            told = f'{type(error).__name__}: {error}'
            raise ConfigError(f'{self.where}: {shown(self.text)}: {told}') from None


def _depth(tree: ast.AST) -> int:
    """Returns the nesting depth of a tree."""
    depth, level = 0, [tree]
    while level:
        depth, level = depth + 1, [each for node in level for each in ast.iter_child_nodes(node)]
    return depth


def _value(node: ast.expr, names: Names) -> Any:
    made = _KINDS.get(type(node))
    if made is None:
        word = type(node).__name__
        raise ConfigError(f'{ast.unparse(node)!r} ({word}) is not allowed in an expression')
    return made(node, names)


def _constant(node: ast.Constant, names: Names) -> Any:
    if isinstance(node.value, bool | int | float | str):
        return node.value
    raise ConfigError(f'{node.value!r} is not allowed in an expression')


def _name(node: ast.Name, names: Names) -> Any:
    known = {**CONSTANTS, **names}
    if node.id not in known or callable(known[node.id]):
        usable = [name for name, value in known.items() if not callable(value)]
        raise ConfigError(unknown('name', node.id, usable))
    return known[node.id]


def _attribute(node: ast.Attribute, names: Names) -> Any:
    if node.attr not in ATTRIBUTES:
        raise ConfigError(unknown('attribute', node.attr, ATTRIBUTES))
    owner = _value(node.value, names)
    fields = getattr(owner, '_fields', ())
    if node.attr not in fields:
        text = f'{ast.unparse(node.value)} has no {node.attr}'
        raise ConfigError(f'{text}; it has: {", ".join(fields) or "no attributes"}')
    return getattr(owner, node.attr)


def _call(node: ast.Call, names: Names) -> Any:
    known = {**FUNCTIONS, **{name: each for name, each in names.items() if callable(each)}}
    if not isinstance(node.func, ast.Name) or node.func.id not in known:
        raise ConfigError(unknown('function', ast.unparse(node.func), known))
    if node.keywords:
        raise ConfigError(f'{node.func.id} takes no keyword arguments')
    return known[node.func.id](*(_value(each, names) for each in node.args))


def _binary(node: ast.BinOp, names: Names) -> Any:
    left, right = (_value(each, names) for each in (node.left, node.right))
    for each in (left, right):
        if not isinstance(each, _NUMBER):
            raise ConfigError(f'{ast.unparse(node)!r} must combine numbers, got {shown(each)}')
    if isinstance(node.op, ast.Pow):
        if np.any(np.abs(right) > _MAX_EXPONENT):
            raise ConfigError(f'an exponent must be at most {_MAX_EXPONENT}, got {shown(right)}')
        return np.power(np.asarray(left, float), right)
    if type(node.op) not in _OPERATORS:
        raise ConfigError(f'{ast.unparse(node)!r} is not allowed in an expression')
    return _OPERATORS[type(node.op)](left, right)


def _unary(node: ast.UnaryOp, names: Names) -> Any:
    if type(node.op) not in _OPERATORS:
        raise ConfigError(f'{ast.unparse(node)!r} is not allowed in an expression')
    return _OPERATORS[type(node.op)](_value(node.operand, names))


def _bool(node: ast.BoolOp, names: Names) -> Any:
    wanted = isinstance(node.op, ast.Or)
    value: Any = not wanted
    for each in node.values:
        value = _value(each, names)
        if bool(value) is wanted:
            return value
    return value


def _compare(node: ast.Compare, names: Names) -> Any:
    left = _value(node.left, names)
    for kind, each in zip(node.ops, node.comparators, strict=True):
        right = _value(each, names)
        if type(kind) not in _OPERATORS:
            raise ConfigError(f'{ast.unparse(node)!r} is not allowed in an expression')
        made = _OPERATORS[type(kind)](left, right)
        if len(node.ops) == 1:
            return made
        if not made:
            return False
        left = right
    return True


def _choice(node: ast.IfExp, names: Names) -> Any:
    return _value(node.body if _value(node.test, names) else node.orelse, names)


def _item(node: ast.Subscript, names: Names) -> Any:
    return _value(node.value, names)[_index(node.slice, names)]


def _index(node: ast.expr, names: Names) -> Any:
    if isinstance(node, ast.Slice):
        ends = (node.lower, node.upper, node.step)
        return slice(*(None if each is None else _value(each, names) for each in ends))
    return _value(node, names)


def _list(node: ast.List | ast.Tuple, names: Names) -> Any:
    return np.array([_value(each, names) for each in node.elts], float)


_KINDS: dict[type[ast.AST], Callable[[Any, Names], Any]] = {
    ast.Constant: _constant, ast.Name: _name, ast.Attribute: _attribute, ast.Call: _call,
    ast.BinOp: _binary, ast.UnaryOp: _unary, ast.BoolOp: _bool, ast.Compare: _compare,
    ast.IfExp: _choice, ast.Subscript: _item, ast.List: _list, ast.Tuple: _list,
}  # fmt: skip
