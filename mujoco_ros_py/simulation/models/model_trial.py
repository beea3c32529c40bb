"""Tries a model in a separate process: compiles the model, and runs a forward pass and steps."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import mujoco

from ...engine import guard_bindings
from ...engine.engine_plugins import adopt
from ...engine.resources import borrow, provides, read
from ...engine.struct_layout import struct_layout
from ...errors import ModelError, ResourceError
from ...processes import peak_memory
from .compilation import ModelSource, compile_model, is_compiled, try_out
from .initial_state import InitialState

_STEPS = 50
"""The number of trial steps with an MJB model, which no compiler has checked."""
_MOST = 2**31 - 1
"""The maximum size of a file that MuJoCo reads, in bytes."""


def prepare() -> None:
    """Caches the offset of the signature, which each answer needs, before the first request."""
    _place_of_signature()


def carry_out(
    request: Mapping[str, Any], files: Sequence[bytearray], context: Any
) -> dict[str, Any]:
    """Carries out a request of `ModelCompiler`. The answer has `error` if the model is refused.

    Writes the compiled model to the shared file, unless it has engine plugins, whose numbers may
    differ in the parent process.
    """
    if 'examine' in request:
        return {'reason': _reason(request['examine'])}
    guard_bindings()
    missing = _move(request['environment'], context)
    source = _source(request, files)
    left_out: list[str] = []
    try:
        model = compile_model(source, left_out)
        try_out(model, InitialState(**request['initial']), _STEPS if is_compiled(source) else 0)
    except ModelError as error:
        spoilt = _may_have_left_locks(error)
        return {'error': str(error), 'spoilt': spoilt, 'missing': missing}
    handed = model.nplugin == 0 and mujoco.mj_sizeModel(model) <= _MOST
    if handed:
        mujoco.mj_saveModel(model, f'/proc/self/fd/{context.file}', None)
    return {
        'handed': handed,
        'left_out': left_out,
        'signature': (_place_of_signature(), model.signature),
        'peak': peak_memory(),
    }


@cache
def _place_of_signature() -> int:
    """Returns the offset in bytes of the signature in an mjModel."""
    return struct_layout('mjModel').fields['signature'].offset


def _may_have_left_locks(error: ModelError) -> bool:
    """Returns whether MuJoCo may still hold locks after the error, which block the next model."""
    expected = isinstance(error.__cause__, ValueError | OSError | ResourceError | None)
    return not expected or 'engine error' in str(error)


def _reason(path: str) -> str:
    """Returns why the model may have ended this process; empty if the reason is unknown."""
    # Imported only when needed, because it imports all of MJCF.
    from ...mjcf.files.circles import refuse_circle

    def content(path: str) -> bytes:
        return read(path) if provides(path) else Path(path).read_bytes()

    try:
        refuse_circle(content(path), path, content)
    except ModelError as error:
        return str(error)
    return ''


def _move(environment: Mapping[str, Any], context: Any) -> list[str]:
    """Adopts the server's working directory, paths, resource providers and engine plugins.

    Returns the names of the plugins that cannot be adopted.
    """
    os.chdir(environment['folder'])
    sys.path[:] = environment['path']
    borrow(environment['providers'], context.call)
    return adopt(environment['plugins'])


def _source(request: Mapping[str, Any], files: Sequence[bytearray]) -> ModelSource:
    xml, *contents = map(bytes, files)
    return ModelSource(
        path=request['path'],
        xml=xml.decode(errors='surrogateescape'),
        assets=dict(zip(request['assets'], contents, strict=True)),
        origin=request['origin'],
    )
