"""The configuration of a session: the model, how it runs, and protective limits."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..errors import ConfigError
from .parameter import Parameter, described
from .reader import check_ranges

_MODULE = re.compile(r'[^\W\d]\w*(\.[^\W\d]\w*)*')
_HOST = re.compile(r'[\w.-]+(:\d+)?', re.ASCII)


@dataclass(frozen=True, kw_only=True, slots=True)
class SessionConfig:
    """The settings of a session; each is also a parameter of the server.

    The parameters' descriptions explain them. Raises ConfigError for a value out of range.
    """

    modelfile: str = described(
        Parameter(
            default='',
            description='MJCF file or zip archive to simulate: a path, package://<package>/<path>,'
            ' or another URI (data:, mem:, zip:, http:, python:); empty: an empty world.',
            when='reload',
        )
    )
    mujoco_xml: str = described(
        Parameter(
            default='',
            description='MJCF text to simulate; if it is set, modelfile is ignored.',
            when='reload',
        )
    )
    model_modules: tuple[str, ...] = described(
        Parameter(
            default=(),
            description='Modules whose functions can create the model'
            ' (modelfile: python://<module>:<function>); a package includes all its modules.'
            ' Their code runs in the server.',
            when='start',
        )
    )
    model_guard: bool = described(
        Parameter(
            default=True,
            description='Compile each model in a separate process first, where it cannot harm the'
            ' server.',
            when='start',
        )
    )
    model_memory_limit: int = described(
        Parameter(
            default=4096,
            description='Maximum memory for compiling a model and for its first forward pass.',
            when='start',
            unit='MiB',
            minimum=64,
            maximum=1_000_000,
        )
    )
    model_time_limit: float = described(
        Parameter(
            default=60.0,
            description='Maximum wall time for compiling a model and for its first forward pass.',
            when='start',
            unit='s',
            minimum=0.1,
            maximum=86_400.0,
        )
    )
    step_time_limit: float = described(
        Parameter(
            default=30.0,
            description='Wall time after which a step is aborted; the simulation then returns to a'
            ' state before this step and is paused. 0 or -1: never.',
            when='start',
            unit='s',
            minimum=0.0,
            special=-1,
            maximum=86_400.0,
        )
    )
    command_limit: float = described(
        Parameter(
            default=0.0,
            description='Maximum absolute value of a control, and of an applied force or torque'
            ' (N, N m): larger values are clamped, no matter where they come from; 0: no limit.',
            when='start',
            minimum=0.0,
        )
    )
    engine_plugins: tuple[str, ...] = described(
        Parameter(
            default=(),
            description='Engine plugins that the model can use, in addition to the shipped ones:'
            ' package/Class, shared libraries, or directories of libraries.',
            when='trusted',
        )
    )
    http_hosts: tuple[str, ...] = described(
        Parameter(
            default=(),
            description='Hosts from which models and their files can be loaded with http: and'
            ' https:, each a name or <name>:<port>.',
            when='trusted',
        )
    )
    unpause: bool = described(
        Parameter(
            default=True,
            description='Start running at once, instead of paused.',
            when='start',
        )
    )
    update_in_pause: bool = described(
        Parameter(
            default=True,
            description='While paused, compute a forward pass 60 times per second, so that poses,'
            ' sensors and the output of control callbacks follow changes of the state.',
            when='start',
        )
    )
    realtime: float = described(
        Parameter(
            default=1.0,
            description='Simulated seconds per second of wall time; -1: as fast as possible.',
            when='now',
            minimum=0.01,
            special=-1,
        )
    )
    time_after_reset: str = described(
        Parameter(
            default='restart',
            description='Time of stamps and of /clock after a reset, a reload or a restored state:'
            ' restart with the time of the model, or continue, so that it never goes back.',
            when='start',
            choices=('restart', 'continue'),
        )
    )
    busy_wait: float = described(
        Parameter(
            default=1e-4,
            description='How long to spin instead of sleep at the end of the wait for a step. This'
            ' costs CPU time, and makes steps punctual.',
            when='start',
            unit='s',
            minimum=0.0,
            maximum=0.01,
        )
    )
    thread_priority: int = described(
        Parameter(
            default=0,
            description='Real-time priority (SCHED_FIFO) of the physics thread; 0: normal'
            ' scheduling.',
            when='start',
            minimum=0,
            maximum=99,
        )
    )
    cpu_affinity: tuple[int, ...] = described(
        Parameter(
            default=(),
            description='Cores on which the physics thread runs; empty: all cores available to the'
            ' process.',
            when='start',
            minimum=0,
            maximum=8191,
        )
    )
    lock_memory: bool = described(
        Parameter(
            default=False,
            description='Keep the memory of the process in RAM, so that no step waits for the'
            ' disk.',
            when='start',
        )
    )
    num_steps: int = described(
        Parameter(
            default=-1,
            description='Stop and exit after this many steps; -1: never.',
            when='start',
            unit='steps',
            minimum=1,
            special=-1,
        )
    )
    render_offscreen: bool = described(
        Parameter(default=True, description='Publish the images of the cameras.', when='start')
    )
    render_backend: str = described(
        Parameter(
            default='auto',
            description='OpenGL backend; auto: the first of egl and osmesa that works.',
            when='start',
            choices=('auto', 'egl', 'osmesa'),
        )
    )
    render_shadows: bool = described(
        Parameter(
            default=False,
            description='Draw shadows in images. Without a GPU, this is most of their cost.',
            when='start',
        )
    )
    render_reflections: bool = described(
        Parameter(default=False, description='Draw reflections in images.', when='start')
    )
    render_samples: int = described(
        Parameter(
            default=0,
            description='Samples per pixel of a colour image, for anti-aliasing.',
            when='start',
            minimum=0,
            maximum=16,
        )
    )
    frame_prefix: str = described(
        Parameter(
            default='',
            description='Prefix of all TF frame names, such as robot1/.',
            when='start',
        )
    )
    strict: bool = described(
        Parameter(
            default=False,
            description='Require that every plugin is ready, and that no known fault of MuJoCo'
            ' affects the model; otherwise the start fails with exit code 2, and a reload is'
            ' undone.',
            when='reload',
        )
    )
    strict_options: bool = described(
        Parameter(
            default=False,
            description='Refuse an entity whose model requests options that differ from the'
            " world's; otherwise the response lists them.",
            when='reload',
        )
    )
    reload_modules: bool = described(
        Parameter(
            default=False,
            description='At a reload, import modules of plugins and scenes again if they have been'
            ' edited; for development.',
            when='reload',
        )
    )
    boundscheck: bool = described(
        Parameter(
            default=False,
            description='Check indices, and arrays passed to libmujoco, in compiled code; slower,'
            ' for development.',
            when='reload',
        )
    )

    def __post_init__(self) -> None:
        check_ranges(self)
        for host in self.http_hosts:
            if not _HOST.fullmatch(host):
                raise ConfigError(f'http_hosts must be <name> or <name>:<port>, got {host!r}')
        for module in self.model_modules:
            if not _MODULE.fullmatch(module):
                raise ConfigError(f'model_modules must be module names, got {module!r}')
