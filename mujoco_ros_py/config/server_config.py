"""The server's own parameters: the one table that descriptors, documentation and checks read."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..errors import ConfigError
from .parameter import Parameter, described
from .reader import check_ranges

_MODULE = re.compile(r'[^\W\d]\w*(\.[^\W\d]\w*)*')
_HOST = re.compile(r'[\w.-]+(:\d+)?', re.ASCII)


@dataclass(frozen=True, kw_only=True, slots=True)
class ServerConfig:
    """The parameters with fixed names; what each means stands in its description.

    Raises ConfigError for a value outside of its range and for values that contradict each other.
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
            description='Memory that a model may take while it is compiled and makes its first'
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
    engine_plugins: tuple[str, ...] = described(
        Parameter(
            default=(),
            description='Engine plugins that the model may use, beside those that come along:'
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
    trust_network: bool = described(
        Parameter(
            default=False,
            description='Let whoever may set parameters also change what reaches code, hosts and'
            ' files: engine_plugins, http_hosts, the file of MujocoPlugins.',
            when='start',
        )
    )
    unpause: bool = described(
        Parameter(
            default=True,
            description='Run at once, instead of waiting for a step or an unpause.',
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
    busy_wait: float = described(
        Parameter(
            default=1e-4,
            description='The last part of the wait for a step that is spun instead of slept: costs'
            ' CPU, makes steps punctual.',
            when='start',
            unit='s',
            minimum=0.0,
            maximum=0.01,
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
    headless: bool = described(
        Parameter(default=True, description='Run without the viewer.', when='start')
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
            description='Draw shadows in images: without a GPU, most of their cost.',
            when='start',
        )
    )
    render_reflections: bool = described(
        Parameter(default=False, description='Draw reflections in images.', when='start')
    )
    render_samples: int = described(
        Parameter(
            default=0,
            description='Samples for each pixel of a colour image, against jagged edges.',
            when='start',
            minimum=0,
            maximum=16,
        )
    )
    frame_prefix: str = described(
        Parameter(
            default='',
            description='Put before the name of every TF frame, as in robot1/.',
            when='start',
        )
    )
    eval_mode: bool = described(
        Parameter(
            default=False,
            description='Protected evaluation: what would let a contestant cheat'
            ' needs the admin hash.',
            when='start',
        )
    )
    admin_hash: str = described(
        Parameter(
            default='',
            description='The secret that eval_mode asks for.',
            when='start',
            secret=True,
        )
    )
    clock_rate: float = described(
        Parameter(
            default=1000.0,
            description='Messages on /clock per second of wall time, at most.',
            when='start',
            unit='Hz',
            above=0,
            maximum=10_000,
        )
    )
    joint_states_rate: float = described(
        Parameter(
            default=100.0,
            description='Messages on joint_states per second of simulated time, or of wall time '
            'while realtime is -1; 0: none.',
            when='start',
            unit='Hz',
            minimum=0,
            maximum=10_000,
        )
    )
    report_interval: float = described(
        Parameter(
            default=0.0,
            description='Wall time between two status lines in the log; 0: none.',
            when='start',
            unit='s',
            minimum=0.1,
            maximum=86_400,
            special=0,
        )
    )
    strict: bool = described(
        Parameter(
            default=False,
            description='Every plugin has to be ready: else the start fails with exit code 2, and'
            ' a reload is taken back.',
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
        if self.eval_mode and not self.admin_hash.strip():
            raise ConfigError('admin_hash must not be empty where eval_mode is true')
