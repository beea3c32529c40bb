"""Options of the rooms below that follow from the configuration of a session."""

from __future__ import annotations

from ..config import SessionConfig
from ..processes import MIB, Limits, Worker
from ..rendering import RenderOptions
from ..simulation import ModelCompiler, Scheduling


def render_options(config: SessionConfig) -> RenderOptions:
    """Returns how images are drawn."""
    return RenderOptions(
        backend=config.render_backend,
        shadows=config.render_shadows,
        reflections=config.render_reflections,
        samples=config.render_samples,
    )


def model_limits(config: SessionConfig) -> Limits:
    """Returns how much memory and time the compilation of a model may take."""
    return Limits(
        memory=config.model_memory_limit * MIB,
        time_s=config.model_time_limit,
        memory_name='model_memory_limit',
        time_name='model_time_limit',
    )


def thread_scheduling(config: SessionConfig) -> Scheduling:
    """Returns how the physics thread is scheduled."""
    return Scheduling(
        thread_priority=config.thread_priority,
        cpu_affinity=frozenset(config.cpu_affinity),
        lock_memory=config.lock_memory,
    )


def model_compiler(config: SessionConfig, worker: Worker | None) -> ModelCompiler | None:
    """Makes the compiler in another process; None: models are compiled in this one.

    `worker` is a process for models, if one has been started.
    """
    if config.model_guard:
        return ModelCompiler(model_limits(config), worker)
    if worker is not None:
        worker.close()
    return None
