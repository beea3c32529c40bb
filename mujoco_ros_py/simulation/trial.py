"""A model's trial, in a process of its own: it is compiled there, and makes its first steps."""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import mujoco

from ..engine import guard_bindings
from ..engine.extensions import adopt
from ..engine.resources import borrow
from ..errors import ModelError
from .initial_state import InitialState
from .model import ModelSource, compile_model, is_compiled, try_out

_STEPS = 5
"""Made with a compiled model, whose numbers no compiler has looked at."""
_MOST = 2**31 - 1
"""MuJoCo reads files of so many bytes."""


def carry_out(
    request: Mapping[str, Any], files: Sequence[bytearray], context: Any
) -> dict[str, Any]:
    """The `compiler`'s request; `error` if the model is refused.

    Unless the model has engine plugins, which may be others there, it is left in the shared file.
    """
    guard_bindings()
    warnings: list[str] = []
    mujoco.set_mju_user_warning(warnings.append)  # else MuJoCo writes a file of them
    _move(request['environment'], context)
    source = _source(request, files)
    try:
        model = compile_model(source)
        try_out(model, InitialState(**request['initial']), _STEPS if is_compiled(source) else 0)
    except ModelError as error:
        return {'error': str(error), 'warnings': warnings}
    handed = model.nplugin == 0 and mujoco.mj_sizeModel(model) <= _MOST
    if handed:
        mujoco.mj_saveModel(model, f'/proc/self/fd/{context.file}', None)
    return {
        'handed': handed,
        'signature': model.signature,
        'peak': 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
        'warnings': warnings,
    }


def _move(environment: Mapping[str, Any], context: Any) -> None:
    """To where the server is, with what it knows."""
    os.chdir(environment['folder'])
    sys.path[:] = environment['path']
    borrow(environment['providers'], context.call)
    adopt(environment['plugins'])


def _source(request: Mapping[str, Any], files: Sequence[bytearray]) -> ModelSource:
    xml, *contents = map(bytes, files)
    return ModelSource(
        path=request['path'],
        xml=xml.decode(errors='surrogateescape'),
        assets=dict(zip(request['assets'], contents, strict=True)),
        origin=request['origin'],
    )
