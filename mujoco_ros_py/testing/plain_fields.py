"""Values of commands as JSON has them, so that a recording repeats them to the bit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..config.wording import shown
from ..errors import ConfigError


def plain(value: Any, name: str = '') -> Any:
    """Returns a copy of numbers, texts, arrays, lists and structs in the types that JSON reads.

    Raises ConfigError for any other value; `name` is that of the field.
    """
    if hasattr(value, 'tolist'):  # an array or a number of NumPy
        value = value.tolist()
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Mapping):
        return {str(key): plain(each, name or str(key)) for key, each in value.items()}
    if isinstance(value, Sequence):
        return [plain(each, name) for each in value]
    raise ConfigError(f'{name} must be numbers, texts, lists or structs, got {shown(value)}')
