"""The simulation: compile, step, pace, commands, snapshots, reset and reload."""

from .. import requirements as _requirements  # noqa: F401  (refuses a MuJoCo that will not do)
from .commands import CommandQueue
from .compiler import ModelCompiler
from .factories import compose, is_factory
from .feed import Follower, SnapshotFeed
from .initial_state import InitialState
from .interfaces import Extensions, Listener, NoExtensions
from .model import ModelSource, compile_model
from .names import name_of
from .simulation import Simulation, Status
from .snapshots import Snapshot, SnapshotReceiver
from .ticker import Ticker

__all__ = [
    'CommandQueue',
    'Extensions',
    'Follower',
    'InitialState',
    'Listener',
    'ModelCompiler',
    'ModelSource',
    'NoExtensions',
    'Simulation',
    'Snapshot',
    'SnapshotFeed',
    'SnapshotReceiver',
    'Status',
    'Ticker',
    'compile_model',
    'compose',
    'is_factory',
    'name_of',
]
