"""Compiles models where they can do no harm, before the simulation takes them."""

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
from ...engine.struct_layout import struct_layout
from ...errors import IsolationError, ModelError
from ...isolation import MIB, Limits, Worker
from .compilation import ModelSource, compile_model, is_compiled
from .initial_state import InitialState

_log = logging.getLogger(__name__)
TASK = f'{__package__}.model_trial:carry_out'
"""What the process does."""


class ModelCompiler:
    """Compiles each model in a process of its own first, in which it also makes a forward pass.

    There it may crash, take too long or too much memory: that is a ModelError here. A model that
    passes comes over as it was compiled; one with engine plugins is compiled here again.
    """

    def __init__(self, limits: Limits, worker: Worker | None = None) -> None:
        """`worker` is one whose task is `TASK`, if there is one already."""
        self._limits = limits
        self._worker = worker or Worker(TASK)
        self._known: dict[str, type[EnginePlugin]] = {}

    def compile(self, source: ModelSource, initial: InitialState | None = None) -> mujoco.MjModel:
        """The compiled model. Raises ModelError that says what happened.

        Any thread may call it; models are compiled one after the other. One that is made already
        is not tried there.
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
            '%s was compiled in %.3f s, in a process that had %.0f MiB at most',
            source.name, time.monotonic() - start, answer['peak'] / MIB,
        )  # fmt: skip
        return compile_model(source) if model is None else model

    def close(self) -> None:
        """Ends the process; a model that is being compiled is refused."""
        self._worker.close()

    def _reason(self, source: ModelSource) -> str:
        """Why the process died of a model, as far as its text tells."""
        if source.xml or not source.path or is_compiled(source):
            return ''
        with suppress(IsolationError):
            answer = self._worker.ask({'examine': source.path}, limits=self._limits)
            return str(answer['reason'])
        return ''

    def _prepare(self) -> None:
        """The next model need not wait for a new process."""
        with suppress(IsolationError):  # who needs it is told then
            self._worker.start()

    def _refused(self, source: ModelSource, answer: Mapping[str, Any]) -> mujoco.MjModel:
        """An error, unless it is only for want of classes that cannot be taken over."""
        reason = self._limits.explained(answer['error'])
        if answer['spoilt'] or reason != answer['error']:
            self._worker.restart()
            self._prepare()
        unknown = *stranded(), *answer['missing']
        missing = [name for name in unknown if f'{name} not found' in reason]
        if not missing:
            raise ModelError(reason)
        _log.warning(
            '%s is compiled without the protection of another process: no other can import the'
            ' class of engine plugin %s', source.name, ', '.join(missing),
        )  # fmt: skip
        return compile_model(source)

    def _forget_replaced_classes(self) -> None:
        """Python has one version of a class: that process would keep the old one."""
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
    """The model that was left in the file, and the answer."""
    if not answer.get('handed'):
        return None, answer
    model = mujoco.MjModel.from_binary_path(f'/proc/self/fd/{file}')
    os.ftruncate(file, 0)
    place = model._address + struct_layout('mjModel').fields['signature'].offset
    ctypes.c_uint64.from_address(place).value = answer['signature']  # not part of a file
    return model, answer
