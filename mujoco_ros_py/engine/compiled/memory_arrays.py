"""Compiled: what lies at an address: numbers as an array, and models."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import typeof, types
from numba.extending import typeof_impl

from ..hidden_geoms import ModelAt
from ..memory_views import NumbersAt
from .addresses import array_at
from .own_functions import own_function
from .struct_attributes import model_at


@own_function(forceinline=True)
def _numbers_at(address: int, count: int) -> Any:
    return array_at(address, count, np.float64)


@own_function(forceinline=True)
def _model_at(address: int) -> Any:
    return model_at(address)


@typeof_impl.register(ModelAt)
def _typeof_model_at(value: ModelAt, context: Any) -> types.Type:
    return typeof(_model_at)


@typeof_impl.register(NumbersAt)
def _typeof_numbers_at(value: NumbersAt, context: Any) -> types.Type:
    return typeof(_numbers_at)
