"""The configuration of a session: the model, how it runs, and what protects it."""

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
    """The settings of a session; the server has a parameter of the same name for each.

    The description of each parameter tells its meaning. Raises ConfigError for a value outside of
    its range.
    """

    modelfile: str = described(
        Parameter(
            default='',
            description='MJCF file or zip to simulate, a path or package://<package>/<path>'
            ' (or data:, mem:, zip:, http:, python:); empty: an empty world.',
            when='reload',
        )
    )
    mujoco_xml: str = described(
        Parameter(
            default='',
            description='MJCF text to simulate; where it is not empty, modelfile is ignored.',
            when='reload',
        )
    )
    model_modules: tuple[str, ...] = described(
        Parameter(
            default=(),
            description='Modules whose functions may make the model'
            ' (modelfile: python://<module>:<function>), packages with all that is in them:'
            ' their code runs in the server.',
            when='start',
        )
    )
    model_guard: bool = described(
        Parameter(
            default=True,
            description='Compile each model in a process of its own first, where it can do no harm'
            ' to the server.',
            when='start',
        )
    )
    model_memory_limit: int = described(
        Parameter(
            default=4096,
            description='Maximum memory of a model while it is compiled and makes its first'
            ' forward pass.',
            when='start',
            unit='MiB',
            minimum=64,
            maximum=1_000_000,
        )
    )
    model_time_limit: float = described(
        Parameter(
            default=60.0,
            description='Wall time in which a model must be compiled and make its first forward'
            ' pass.',
            when='start',
            unit='s',
            minimum=0.1,
            maximum=86_400.0,
        )
    )
    step_time_limit: float = described(
        Parameter(
            default=30.0,
            description='Wall time after which a step is given up, and the simulation goes back'
            ' to a state before it and is paused; 0 or -1: never.',
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
            description='Largest absolute value of a control, and of a force or torque that is'
            ' applied (N, N m): larger ones are limited to it, whoever sets them; 0: none.',
            when='start',
            minimum=0.0,
        )
    )
    engine_plugins: tuple[str, ...] = described(
        Parameter(
            default=(),
            description='Engine plugins that the model may use, besides the shipped ones:'
            ' package/Class, shared libraries, directories of them.',
            when='trusted',
        )
    )
    http_hosts: tuple[str, ...] = described(
        Parameter(
            default=(),
            description='Hosts that models and what they name are loaded from by http: and https:,'
            ' each a name or <name>:<port>.',
            when='trusted',
        )
    )
    unpause: bool = described(
        Parameter(
            default=True,
            description='Run at once, instead of waiting for a step or an unpause.',
            when='start',
        )
    )
    update_in_pause: bool = described(
        Parameter(
            default=True,
            description='Make a forward pass 60 times a second during a pause, so that poses,'
            ' sensors and what control callbacks write follow what is set meanwhile.',
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
            description='The time of stamps and of /clock after a reset, a reload or a restored'
            ' state: restart, with the time of the model; continue, so that it never goes back.',
            when='start',
            choices=('restart', 'continue'),
        )
    )
    busy_wait: float = described(
        Parameter(
            default=1e-4,
            description='The last part of the wait for a step that is spun instead of slept, which'
            ' costs CPU and makes steps punctual.',
            when='start',
            unit='s',
            minimum=0.0,
            maximum=0.01,
        )
    )
    thread_priority: int = described(
        Parameter(
            default=0,
            description='Priority of the physics thread in the real-time class SCHED_FIFO; 0:'
            ' normal scheduling.',
            when='start',
            minimum=0,
            maximum=99,
        )
    )
    cpu_affinity: tuple[int, ...] = described(
        Parameter(
            default=(),
            description='Cores on which the physics thread runs; empty: all that the process may'
            ' use.',
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
            description='Where OpenGL comes from; auto: the first of egl and osmesa that works.',
            when='start',
            choices=('auto', 'egl', 'osmesa'),
        )
    )
    render_shadows: bool = described(
        Parameter(
            default=False,
            description='Draw shadows in images, which is most of their cost without a GPU.',
            when='start',
        )
    )
    render_reflections: bool = described(
        Parameter(default=False, description='Draw reflections in images.', when='start')
    )
    render_samples: int = described(
        Parameter(
            default=0,
            description='Samples for each pixel of a colour image, for anti-aliasing.',
            when='start',
            minimum=0,
            maximum=16,
        )
    )
    frame_prefix: str = described(
        Parameter(
            default='',
            description='Prefix of the name of every TF frame, such as robot1/.',
            when='start',
        )
    )
    strict: bool = described(
        Parameter(
            default=False,
            description='Require every plugin to be ready, and a model that no known fault of'
            ' MuJoCo makes wrong; otherwise the start fails with exit code 2, and a reload is'
            ' undone.',
            when='reload',
        )
    )
    strict_options: bool = described(
        Parameter(
            default=False,
            description='Refuse an entity whose model asks for other options than the world has;'
            ' otherwise the answer names them.',
            when='reload',
        )
    )
    reload_modules: bool = described(
        Parameter(
            default=False,
            description='Import modules of plugins and scenes anew at a reload if they have been'
            ' edited since, for developing.',
            when='reload',
        )
    )
    boundscheck: bool = described(
        Parameter(
            default=False,
            description='Check indices, and arrays given to libmujoco, in compiled code:'
            ' slower, for developing.',
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
                raise ConfigError(f'model_modules must be names of modules, got {module!r}')
