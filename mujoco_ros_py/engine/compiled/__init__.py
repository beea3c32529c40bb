"""The compiled code and its compiler. Importing this package imports numba."""

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
