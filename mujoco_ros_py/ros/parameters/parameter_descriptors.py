"""Makes ROS's descriptors from the descriptions of parameters."""

from __future__ import annotations

from typing import Any

from rcl_interfaces.msg import FloatingPointRange, IntegerRange, ParameterDescriptor

from ...config import Parameter

_EFFECT = {'now': '', 'start': ' Read at the start.', 'reload': ' Read at the next reload.'}


def descriptor(row: Parameter[Any], trusted: bool = False) -> ParameterDescriptor:
    """Describes a parameter whose type is fixed; `trusted` tells about the network."""
    when = row.when if row.when != 'trusted' else 'reload' if trusted else 'start'
    made = _in_words(row, when)
    made.read_only = when == 'start' and not row.secret
    if row.bounds is not None:
        low, high = row.bounds
        if row.value_type is int:
            made.integer_range = [IntegerRange(from_value=int(low), to_value=int(high))]
        else:
            made.floating_point_range = [FloatingPointRange(from_value=low, to_value=high)]
    return made


def free_descriptor(row: Parameter[Any]) -> ParameterDescriptor:
    """Describes a parameter of any type, as integers pass for floats; its range is in words."""
    made = _in_words(row, row.when)
    made.dynamic_typing = True
    return made


def _in_words(row: Parameter[Any], when: str) -> ParameterDescriptor:
    rule = f'{row.rule}{" " + row.unit if row.unit else ""}' if row.rule else ''
    return ParameterDescriptor(
        description=f'{row.description}{_EFFECT[when]}'.strip(), additional_constraints=rule
    )


def plain(value: Any) -> Any:
    """Returns an array of the middleware as a list, and any other value as it is."""
    return value.tolist() if hasattr(value, 'tolist') else value
