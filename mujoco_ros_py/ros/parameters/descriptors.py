"""Converts descriptions of parameters to ROS descriptors."""

from __future__ import annotations

from typing import Any, get_args

from rcl_interfaces.msg import FloatingPointRange, IntegerRange, ParameterDescriptor, ParameterType
from rclpy.parameter import Parameter

from ...config import Parameter as Row

_ARRAYS = {str: Parameter.Type.STRING_ARRAY, int: Parameter.Type.INTEGER_ARRAY}
_EFFECT = {'now': '', 'start': ' Read at startup.', 'reload': ' Read at the next reload.'}
TYPE_WORDS = {
    ParameterType.PARAMETER_BOOL: 'true or false',
    ParameterType.PARAMETER_INTEGER: 'a whole number',
    ParameterType.PARAMETER_DOUBLE: 'a number',
    ParameterType.PARAMETER_STRING: 'a string',
    ParameterType.PARAMETER_BYTE_ARRAY: 'a list of bytes',
    ParameterType.PARAMETER_BOOL_ARRAY: 'a list of true and false',
    ParameterType.PARAMETER_INTEGER_ARRAY: 'a list of whole numbers',
    ParameterType.PARAMETER_DOUBLE_ARRAY: 'a list of numbers',
    ParameterType.PARAMETER_STRING_ARRAY: 'a list of strings',
}
"""The values of each ROS type in words."""


def descriptor(row: Row[Any], trusted: bool = False) -> ParameterDescriptor:
    """Describes a parameter of a fixed type; `trusted` is the value of `trust_network`."""
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


def free_descriptor(row: Row[Any]) -> ParameterDescriptor:
    """Describes a parameter that accepts any type, so that integers can be set for floats.

    The range is described in words, not as a range of the descriptor.
    """
    made = _in_words(row, row.when)
    made.dynamic_typing = True
    return made


def _in_words(row: Row[Any], when: str) -> ParameterDescriptor:
    rule = f'{row.rule}{" " + row.unit if row.unit else ""}' if row.rule else ''
    return ParameterDescriptor(
        description=f'{row.description}{_EFFECT[when]}'.strip(), additional_constraints=rule
    )


def array_type(row: Row[Any]) -> Parameter.Type | None:
    """Returns the ROS type of a list parameter, or None for other parameters.

    The type cannot be inferred from a value, which may be an empty list.
    """
    return _ARRAYS[get_args(row.hint)[0]] if row.value_type is tuple else None


def plain(value: object) -> object:
    """Converts an array of the middleware to a list, and returns any other value unchanged."""
    return value.tolist() if hasattr(value, 'tolist') else value
