"""The parameters of the server: one table for descriptors, documentation and checks."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import ConfigError
from .parameter import Parameter, described
from .session import SessionConfig


@dataclass(frozen=True, kw_only=True, slots=True)
class ServerConfig(SessionConfig):
    """The parameters with fixed names: the parameters of a session and of the node.

    Raises ConfigError for values that are out of range or contradict each other.
    """

    trust_network: bool = described(
        Parameter(
            default=False,
            description='Let anyone who can set parameters also change those that give access to'
            ' code, hosts and files: engine_plugins, http_hosts, the file of MujocoPlugins.',
            when='start',
        )
    )
    headless: bool = described(
        Parameter(
            default=True,
            description='Run without a window; false: show the simulation in a MuJoCo window, if'
            ' a display is available.',
            when='start',
        )
    )
    viewer: str = described(
        Parameter(
            default='none',
            description='Viewer of the simulation; web: a page for browsers on this machine, at'
            ' the address that the server prints.',
            when='start',
            choices=('none', 'web'),
        )
    )
    viewer_port: int = described(
        Parameter(
            default=0,
            description='Port of the viewer on the loopback interface; 0: any free port.',
            when='start',
            minimum=0,
            maximum=65_535,
        )
    )
    eval_mode: bool = described(
        Parameter(
            default=False,
            description='Protected evaluation: actions that would let a contestant cheat require'
            ' the admin hash.',
            when='start',
        )
    )
    admin_hash: str = described(
        Parameter(
            default='',
            description='Secret that protected actions require in eval_mode.',
            when='start',
            secret=True,
        )
    )
    clock_rate: float = described(
        Parameter(
            default=100.0,
            description='Maximum messages on /clock per second of wall time, not counting those'
            ' that plugins request by simulated time. If steps are no faster than this, the time'
            ' after each step is published. In lockstep, the time of each period is published.',
            when='start',
            unit='Hz',
            above=0,
            maximum=10_000,
        )
    )
    compiled_topics: bool = described(
        Parameter(
            default=True,
            description='Send and receive the messages of compiled topics without the GIL; false:'
            ' use rclpy, which is slower.',
            when='start',
        )
    )
    root_services: bool = described(
        Parameter(
            default=False,
            description='Offer the standard services of simulators also in the namespace of the'
            ' node: /spawn_entity in addition to /mujoco_server/spawn_entity.',
            when='start',
        )
    )
    spawnables: tuple[str, ...] = described(
        Parameter(
            default=(),
            description='Model files, or folders of model files, that get_spawnables lists.',
            when='now',
        )
    )
    worlds: tuple[str, ...] = described(
        Parameter(
            default=(),
            description='Model files, or folders of model files, that get_available_worlds lists.',
            when='now',
        )
    )
    named_poses: tuple[str, ...] = described(
        Parameter(
            default=(),
            description='Sites to offer as named poses; * matches any characters: dock_*.',
            when='now',
        )
    )
    lockstep_period: float = described(
        Parameter(
            default=0.0,
            description='After each period of this much simulated time, wait until the commands'
            ' on lockstep_topics have answered the state; 0: never wait.',
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
            description='Topics whose messages answer the state of each period.',
            when='start',
        )
    )
    lockstep_match: str = described(
        Parameter(
            default='stamp',
            description='Which message counts as the answer: the message with the stamp of the'
            ' state (stamp), or the first that arrives after the state was sent (arrival).',
            when='start',
            choices=('stamp', 'arrival'),
        )
    )
    lockstep_timeout: float = described(
        Parameter(
            default=1.0,
            description='Wall time after which a missing answer is reported; 0: wait for ever.',
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
            description='Action after the timeout: pause, or continue without the answer.',
            when='start',
            choices=('pause', 'continue'),
        )
    )
    joint_states_rate: float = described(
        Parameter(
            default=100.0,
            description='Messages on joint_states per second of simulated time; while realtime is '
            '-1, also the maximum per second of wall time; 0: no messages.',
            when='start',
            unit='Hz',
            minimum=0,
            maximum=10_000,
        )
    )
    report_interval: float = described(
        Parameter(
            default=0.0,
            description='Wall time between status lines in the log; 0: no status lines.',
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
            raise ConfigError('admin_hash must not be empty if eval_mode is true')
        if self.lockstep_period and not self.lockstep_topics:
            raise ConfigError('lockstep_topics must list topics if lockstep_period is not 0')
        if self.lockstep_period and not self.compiled_topics:
            raise ConfigError('compiled_topics must be true if lockstep_period is not 0')
