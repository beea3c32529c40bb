"""The simulation of one model at a time: compilation, steps, commands, snapshots, states."""

from .. import requirements as _requirements  # noqa: F401  (refuses a MuJoCo that will not do)
from .lateness import Lateness, LatenessMeter
from .listener import Listener
from .loan import Loan
from .lockstep import Lockstep
from .message_exchange import MessageExchange
from .models.compilation import ModelSource, compile_model
from .models.initial_state import InitialState
from .models.model_compiler import ModelCompiler
from .models.model_factories import compose, is_factory
from .models.object_names import given_name, name_of, names_of
from .plugin_set import NoPlugins, PluginSet
from .saved_state import SavedState
from .simulation import Simulation
from .snapshot_feed import Follower, SnapshotFeed
from .snapshots import Snapshot, SnapshotReceiver
from .status import Status
from .threads.callback_thread import Backlog, CallbackThread
from .threads.command_queue import CommandQueue, settle
from .threads.owner import Activity, OwnedCallback, Owner, activity
from .threads.repeating_thread import RepeatingThread
from .threads.scheduling import Scheduling
from .threads.start_timeouts import StartTimeouts
from .threads.watchdog import STANDSTILL_S, Standstill, Watchdog, WatchedThread

__all__ = [
    'STANDSTILL_S',
    'Activity',
    'Backlog',
    'CallbackThread',
    'CommandQueue',
    'Follower',
    'InitialState',
    'Lateness',
    'LatenessMeter',
    'Listener',
    'Loan',
    'Lockstep',
    'MessageExchange',
    'ModelCompiler',
    'ModelSource',
    'NoPlugins',
    'OwnedCallback',
    'Owner',
    'PluginSet',
    'RepeatingThread',
    'SavedState',
    'Scheduling',
    'Simulation',
    'Snapshot',
    'SnapshotFeed',
    'SnapshotReceiver',
    'Standstill',
    'StartTimeouts',
    'Status',
    'Watchdog',
    'WatchedThread',
    'activity',
    'compile_model',
    'compose',
    'given_name',
    'is_factory',
    'name_of',
    'names_of',
    'settle',
]
