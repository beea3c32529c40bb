"""Compiles each model in another process first, to survive models that crash their process."""

from __future__ import annotations

import ctypes
import logging
import os
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import mujoco

from ...engine.engine_plugins import EnginePlugin, carried, classes, stranded
from ...engine.resources import Lender, offered
from ...errors import IsolationError, ModelError
from ...mujoco_internals import address_of
from ...processes import MIB, Limits, Worker
from .compilation import ModelSource, compile_model, is_compiled
from .initial_state import InitialState
from .urdf_compilation import tell_left_out

_log = logging.getLogger(__name__)
TASK = f'{__package__}.model_trial:carry_out'
"""The task of the process, as `module:function`."""


class ModelCompiler:
    """Compiles each model in another process, and tries a forward pass there.

    If the model crashes that process, or takes too much time or memory, this process only raises
    ModelError. Otherwise the compiled model is transferred to this process; a model with engine
    plugins is compiled again here.
    """

    def __init__(self, limits: Limits, worker: Worker | None = None) -> None:
        """`worker` is an existing worker with the task `TASK`; by default, creates one."""
        self._limits = limits
        self._worker = worker or Worker(TASK)
        self._known: dict[str, type[EnginePlugin]] = {}

    def compile(self, source: ModelSource, initial: InitialState | None = None) -> mujoco.MjModel:
        """Compiles a model. Raises ModelError with the reason if this fails.

        Any thread may call this; models are compiled one after the other. A model in memory
        (`source.made`) is compiled in this process.
        """
        if source.made is not None:
            return compile_model(source)
        self._forget_replaced_classes()
        lender, start = Lender(), time.monotonic()
        try:
            model, answer = self._worker.ask(
                _request(source, initial or InitialState()),
                [source.xml.encode(errors='surrogateescape'), *source.assets.values()],
                limits=self._limits,
                calls=lender.calls(),
                take=_taken,
            )
        except IsolationError as error:
            told = ': '.join(filter(None, (self._reason(source), str(error))))
            self._prepare()
            raise ModelError(f'{source.name}: {told}') from error
        finally:
            lender.close()
        if 'error' in answer:
            return self._refused(source, answer)
        _log.debug(
            '%s was compiled in %.3f s, in a process with a peak memory of %.0f MiB',
            source.name, time.monotonic() - start, answer['peak'] / MIB,
        )  # fmt: skip
        tell_left_out(source.name, answer['left_out'])
        return compile_model(source, []) if model is None else model

    def close(self) -> None:
        """Ends the process. A call of `compile` in progress raises ModelError."""
        self._worker.close()

    def _reason(self, source: ModelSource) -> str:
        """Returns the reason why the model ended the process, if its files show it; else empty."""
        if source.xml or not source.path or is_compiled(source):
            return ''
        with suppress(IsolationError):
            answer = self._worker.ask({'examine': source.path}, limits=self._limits)
            return str(answer['reason'])
        return ''

    def _prepare(self) -> None:
        """Starts a new process in advance for the next model."""
        with suppress(IsolationError):  # the next request raises it again
            self._worker.start()

    def _refused(self, source: ModelSource, answer: Mapping[str, Any]) -> mujoco.MjModel:
        """Raises ModelError for a model that the other process has refused.

        If that process only lacked engine plugins that this process has, compiles the model here.
        """
        reason = self._limits.explained(answer['error'])
        if answer['spoilt'] or reason != answer['error']:
            self._worker.restart()
            self._prepare()
        unknown = *stranded(), *answer['missing']
        missing = [name for name in unknown if f'{name} not found' in reason]
        if not missing:
            raise ModelError(reason)
        _log.warning(
            '%s is compiled without the protection of a separate process, which cannot import the'
            ' class of engine plugin %s', source.name, ', '.join(missing),
        )  # fmt: skip
        return compile_model(source)

    def _forget_replaced_classes(self) -> None:
        """Ends the process if plugin classes were replaced, because it would keep the old ones."""
        now = classes()
        if any(now.get(name) is not plugin for name, plugin in self._known.items()):
            self._worker.restart()
        self._known = now


def _request(source: ModelSource, initial: InitialState) -> dict[str, Any]:
    return {
        'path': source.path,
        'origin': source.origin,
        'assets': list(source.assets),
        'initial': {
            'positions': {name: list(values) for name, values in initial.positions.items()},
            'velocities': {name: list(values) for name, values in initial.velocities.items()},
        },
        'environment': {
            'folder': os.getcwd(),
            'path': sys.path,
            'providers': offered(),
            'plugins': carried(),
        },
    }


def _taken(file: int, answer: Mapping[str, Any]) -> tuple[Any, Mapping[str, Any]]:
    """Returns the model that the other process wrote to the file (or None), and the answer."""
    if not answer.get('handed'):
        return None, answer
    model = mujoco.MjModel.from_binary_path(f'/proc/self/fd/{file}')
    os.ftruncate(file, 0)
    place, signature = answer['signature']  # MJB files do not contain the signature
    ctypes.c_uint64.from_address(address_of(model) + place).value = signature
    return model, answer
