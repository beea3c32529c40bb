"""The code that numba compiles and its compiler; nothing imports it before it is needed."""

from .build import (
    callback_here,
    compile_engine_plugin_call,
    compile_kernel,
    entry_here,
    portable_callback,
    portable_entry,
)
from .struct_types import Data, Model

__all__ = [
    'Data',
    'Model',
    'callback_here',
    'compile_engine_plugin_call',
    'compile_kernel',
    'entry_here',
    'portable_callback',
    'portable_entry',
]
