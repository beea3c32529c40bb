"""The parameters of the server: one table for descriptors, documentation and checks."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import ConfigError
from .parameter import Parameter, described
from .session import SessionConfig


@dataclass(frozen=True, kw_only=True, slots=True)
class ServerConfig(SessionConfig):
    """The parameters with fixed names: those of a session and those of a node.

    Raises ConfigError for a value outside of its range, and for values that contradict each other.
    """

    trust_network: bool = described(
        Parameter(
            default=False,
            description='Let whoever may set parameters also change what reaches code, hosts and'
            ' files: engine_plugins, http_hosts, the file of MujocoPlugins.',
            when='start',
        )
    )
    headless: bool = described(
        Parameter(
            default=True,
            description='Run without a window; false: show the simulation in a window of MuJoCo,'
            ' where there is a display.',
            when='start',
        )
    )
    viewer: str = described(
        Parameter(
            default='none',
            description='A viewer of the simulation: web, for browsers on this machine, at an'
            ' address that the server prints.',
            when='start',
            choices=('none', 'web'),
        )
    )
    viewer_port: int = described(
        Parameter(
            default=0,
            description='The port of the viewer on the loopback interface; 0: a free one.',
            when='start',
            minimum=0,
            maximum=65_535,
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
            default=100.0,
            description='Messages on /clock per second of wall time, at most, besides those that'
            ' plugins need by simulated time; the time after each step is published where steps'
            ' come no faster. In lockstep, the time of each period is published.',
            when='start',
            unit='Hz',
            above=0,
            maximum=10_000,
        )
    )
    compiled_topics: bool = described(
        Parameter(
            default=True,
            description='Write and take the messages of compiled topics without the GIL; false:'
            ' by rclpy, which is slower.',
            when='start',
        )
    )
    root_services: bool = described(
        Parameter(
            default=False,
            description='Offer the standard services of simulators also in the namespace of the'
            ' node, as /spawn_entity besides /mujoco_server/spawn_entity.',
            when='start',
        )
    )
    spawnables: tuple[str, ...] = described(
        Parameter(
            default=(),
            description='Files of models, and folders of them, that get_spawnables lists.',
            when='now',
        )
    )
    worlds: tuple[str, ...] = described(
        Parameter(
            default=(),
            description='Files of models, and folders of them, that get_available_worlds lists.',
            when='now',
        )
    )
    named_poses: tuple[str, ...] = described(
        Parameter(
            default=(),
            description='Names of sites that are named poses, with * for any characters: dock_*.',
            when='now',
        )
    )
    lockstep_period: float = described(
        Parameter(
            default=0.0,
            description='Make no step past such a period of simulated time until the commands on'
            ' lockstep_topics have answered its state; 0: never wait.',
            when='start',
            unit='s',
            minimum=1e-6,
            maximum=3600,
            special=0,
        )
    )
    lockstep_topics: tuple[str, ...] = described(
        Parameter(
            default=(),
            description='Topics whose messages answer the state of a period.',
            when='start',
        )
    )
    lockstep_match: str = described(
        Parameter(
            default='stamp',
            description='Which message answers: the one with the stamp of the state, or the first'
            ' one that arrives after the state was sent.',
            when='start',
            choices=('stamp', 'arrival'),
        )
    )
    lockstep_timeout: float = described(
        Parameter(
            default=1.0,
            description='Wall time after which a missing answer is told; 0: wait for ever.',
            when='start',
            unit='s',
            minimum=1e-3,
            maximum=86_400,
            special=0,
        )
    )
    lockstep_on_timeout: str = described(
        Parameter(
            default='pause',
            description='What follows: pause, or continue without the answer to this period.',
            when='start',
            choices=('pause', 'continue'),
        )
    )
    joint_states_rate: float = described(
        Parameter(
            default=100.0,
            description='Messages on joint_states per second of simulated time, and at most per '
            'second of wall time while realtime is -1; 0: none.',
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

    def __post_init__(self) -> None:
        SessionConfig.__post_init__(self)
        if self.eval_mode and not self.admin_hash.strip():
            raise ConfigError('admin_hash must not be empty where eval_mode is true')
        if self.lockstep_period and not self.lockstep_topics:
            raise ConfigError('lockstep_topics must name topics where lockstep_period is not 0')
        if self.lockstep_period and not self.compiled_topics:
            raise ConfigError('compiled_topics must be true where lockstep_period is not 0')
