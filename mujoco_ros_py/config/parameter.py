"""The properties of a parameter, and the dataclass fields that carry them."""

from __future__ import annotations

import ast
import inspect
import math
import sys
import typing
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from functools import cache
from itertools import pairwise
from typing import Any, Generic, Literal, TypeVar, get_args, get_origin, get_type_hints, overload

from ..errors import ConfigError
from .wording import shown

When = Literal['now', 'reload', 'trusted', 'start']
"""When a change takes effect: at once, at the next reload, at the next reload if the network is
trusted, or never after startup."""

T = TypeVar('T')

_BOUNDS_OF_TYPE = {
    int: (-(2**63), 2**63 - 1),
    float: (-sys.float_info.max, sys.float_info.max),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Parameter(Generic[T]):
    """A row of the parameter table; ROS descriptors, docs and checks are derived from it."""

    default: T
    """The default value; `dataclasses.MISSING` if the parameter is required."""
    description: str = ''
    """A description for `ros2 param describe` and the documentation."""
    when: When = 'reload'
    unit: str = ''
    minimum: float | None = None
    above: float | None = None
    """The exclusive lower bound, instead of `minimum`."""
    maximum: float | None = None
    choices: tuple[Any, ...] = ()
    """The allowed values; empty if they are not restricted to a list."""
    special: float | None = None
    """A value outside the range with a special meaning, such as -1."""
    secret: bool = False
    """Whether messages and the configuration's repr hide the value."""
    hint: Any = None
    """The resolved type hint of the field."""

    @property
    def required(self) -> bool:
        """Whether the parameter has no default."""
        return self.default is MISSING

    @property
    def live(self) -> bool:
        """Whether a change takes effect at once."""
        return self.when == 'now'

    @property
    def value_type(self) -> Any:
        """The type of the values; for unions, Literal and so on, the result of `get_origin`."""
        return get_origin(self.hint) or self.hint

    @property
    def rule(self) -> str:
        """The range in words, ``-1 or at least 0.01``; empty if every value is allowed."""
        if self.choices:
            named = ', '.join(str(each) for each in self.choices if each != '')
            return f'{"empty or " if "" in self.choices else ""}one of {named}'
        lower = 'at least' if self.above is None else 'greater than'
        bounds = ((lower, self.lowest), ('at most', self.maximum))
        told = (f'{word} {bound:.10g}' for word, bound in bounds if bound is not None)
        inside = ' and '.join(told)
        return f'{self.special:g} or {inside}' if inside and self.special is not None else inside

    @property
    def lowest(self) -> float | None:
        """The lower bound, inclusive or exclusive."""
        return self.minimum if self.above is None else self.above

    @property
    def bounds(self) -> tuple[float, float] | None:
        """The smallest closed range that contains all allowed values; None if all are allowed.

        A ROS descriptor holds a single closed range, so it may admit values that `check` refuses.
        """
        if not self.rule or self.choices or self.value_type not in _BOUNDS_OF_TYPE:
            return None
        low, high = _BOUNDS_OF_TYPE[self.value_type]
        low = low if self.lowest is None else self.lowest
        high = high if self.maximum is None else self.maximum
        special = low if self.special is None else self.special
        number: Any = self.value_type
        return number(min(low, special)), number(max(high, special))

    def check(self, name: str, value: object) -> None:
        """Raises ConfigError if a value of the right type is out of range or not a valid choice.

        The range applies to numbers, including numbers in a tuple.
        """
        if self.choices and value not in self.choices:
            raise ConfigError(f'{name} must be {self.rule}, got {shown(value)}')
        if isinstance(value, tuple):
            for index, each in enumerate(value):
                self._check_element(f'{name}[{index}]', each)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            self._check_number(name, value)

    def _check_element(self, name: str, value: object) -> None:
        if isinstance(value, str) and not value.strip():
            raise ConfigError(f'{name} must not be empty, got {shown(value)}')
        self.check(name, value)

    def _check_number(self, name: str, value: float) -> None:
        if value == self.special:
            return
        if not math.isfinite(value):
            raise ConfigError(f'{name} must be finite{self._in_brackets}, got {value}')
        if not self._in_range(value):
            came = repr(value).removesuffix('.0')
            raise ConfigError(f'{name} must be {self.rule}, got {came}')

    @property
    def _in_brackets(self) -> str:
        return f' ({self.rule})' if self.rule else ''

    def _in_range(self, value: float) -> bool:
        return (
            (self.minimum is None or value >= self.minimum)
            and (self.above is None or value > self.above)
            and (self.maximum is None or value <= self.maximum)
        )


def described(parameter: Parameter[T], factory: Any = MISSING) -> T:
    """Returns the dataclass field of a parameter, typed as its value for type checkers.

    A `factory` creates a new default for each configuration, if the default is mutable.
    """
    default: Any = {'default': parameter.default}
    if factory is not MISSING:
        default = {'default_factory': factory}
    made: T = field(**default, repr=not parameter.secret, metadata={'parameter': parameter})
    return made


@overload
def ranged(default: T, **rules: Any) -> T: ...


@overload
def ranged(**rules: Any) -> Any: ...


def ranged(
    default: Any = MISSING, *, default_factory: Any = MISSING, live: bool = False, **rules: Any
) -> Any:
    """Creates a field with a rule for its value, for the `Config` of a plugin.

    The rules are `minimum`, `above` (an exclusive lower bound), `maximum`, `special` (a value
    outside the range), `choices`, `unit` and `secret`; they also apply to numbers in a tuple. With
    `live` the value can change while the plugin runs. A field without a default is required;
    `default_factory` creates a mutable default such as a mapping, as in `dataclasses.field`. The
    docstring below the field is its description. Raises ConfigError if the default breaks a rule.
    """
    if default_factory is not MISSING:
        default = default_factory()
    row = Parameter(default=default, when='now' if live else 'reload', **rules)
    if not row.required:
        row.check('the default', default)
    return described(row, default_factory)


def parameters_of(config: object) -> dict[str, Parameter[Any]]:
    """Returns the parameter table of a configuration or its class, by name in field order.

    Raises ConfigError if a type hint cannot be resolved.
    """
    return _table(config if isinstance(config, type) else type(config))


def forget_classes() -> None:
    """Clears the tables of all classes; otherwise they would keep replaced modules alive."""
    _table.cache_clear()
    for clear in getattr(typing, '_cleanups', ()):  # `typing` caches `MujocoPlugin[Config]`
        clear()


@cache
def _table(cls: type) -> dict[str, Parameter[Any]]:
    try:
        hints = get_type_hints(cls)
    except (NameError, TypeError) as error:
        raise ConfigError(
            f'the type hints of {cls.__qualname__} cannot be resolved: {error}'
        ) from None
    rows = {each.name: _row(each, hints[each.name]) for each in fields(cls) if each.init}
    if all(row.description for row in rows.values()):
        return rows
    docs = _field_docs(cls)
    return {
        name: replace(row, description=row.description or docs.get(name, ''))
        for name, row in rows.items()
    }


def _row(each: Field[Any], hint: object) -> Parameter[Any]:
    """Returns a field's row, or a new row with its default; a Literal type sets the choices."""
    factory = each.default_factory
    default = each.default if factory is MISSING else factory()
    row: Parameter[Any] = each.metadata.get('parameter', Parameter(default=default))
    choices = get_args(hint) if get_origin(hint) is Literal else row.choices
    return replace(row, hint=hint, choices=choices)


def _field_docs(cls: type) -> dict[str, str]:
    """Returns the docstrings of fields, one line each; empty if the source is unavailable."""
    docs: dict[str, str] = {}
    for each in reversed(cls.__mro__[:-1]):
        docs |= _own_docs(each)
    return docs


def _own_docs(cls: type) -> dict[str, str]:
    docs = {}
    for declared, below in pairwise(_body(cls)):
        text = below.value.value if _is_constant(below) else None  # type: ignore[attr-defined]
        if isinstance(declared, ast.AnnAssign) and isinstance(text, str):
            docs[ast.unparse(declared.target)] = ' '.join(text.split())
    return docs


def _body(cls: type) -> list[ast.stmt]:
    """Returns the statements of a class; empty if its source is unavailable, as after `exec`."""
    try:
        # faster than inspect.getsource, which runs a tokenizer to find the end of the class
        lines, start = inspect.findsource(cls)
        nodes = ast.walk(ast.parse(''.join(lines)))
    except (OSError, TypeError, SyntaxError, ValueError):
        return []
    for node in nodes:
        if isinstance(node, ast.ClassDef):
            begins = [node.lineno, *(each.lineno for each in node.decorator_list)]
            if min(begins) == start + 1:
                return node.body
    return []


def _is_constant(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
