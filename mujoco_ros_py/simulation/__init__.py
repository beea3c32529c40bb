"""The simulation: compile, step, pace, commands, snapshots, reset and reload."""

from .. import requirements as _requirements  # noqa: F401  (refuses a MuJoCo that will not do)
from .commands import CommandQueue, settle
from .compiler import ModelCompiler
from .duty import Activity, Duty, Owner, activity
from .errands import Backlog, Errands
from .factories import compose, is_factory
from .feed import Follower, SnapshotFeed
from .initial_state import InitialState
from .interfaces import Extensions, Listener, NoExtensions
from .model import ModelSource, compile_model
from .names import given_name, name_of
from .patience import Patience
from .simulation import Simulation, Status
from .snapshots import Snapshot, SnapshotReceiver
from .state import SavedState
from .ticker import Ticker
from .watch import STANDSTILL_S, Standstill, Watch, Watched

__all__ = [
    'STANDSTILL_S',
    'Activity',
    'Backlog',
    'CommandQueue',
    'Duty',
    'Errands',
    'Extensions',
    'Follower',
    'InitialState',
    'Listener',
    'ModelCompiler',
    'ModelSource',
    'NoExtensions',
    'Owner',
    'Patience',
    'SavedState',
    'Simulation',
    'Snapshot',
    'SnapshotFeed',
    'SnapshotReceiver',
    'Standstill',
    'Status',
    'Ticker',
    'Watch',
    'Watched',
    'activity',
    'compile_model',
    'compose',
    'given_name',
    'is_factory',
    'name_of',
    'settle',
]
