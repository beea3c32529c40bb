"""Simulates one model at a time: compilation, steps, commands, snapshots, saved states."""

from .. import requirements as _requirements  # noqa: F401  (refuses unsupported MuJoCo versions)
from .beat import Beat
from .clock_needs import ClockNeeds
from .edits.edit import Edit
from .edits.edit import ModelChange as ModelChange
from .edits.model_frames import BODY, SITE, WORLD, model_frames
from .edits.physics_options import Option, read_options
from .listener import Listener
from .loan import Loan
from .lockstep import Lockstep
from .message_exchange import MessageExchange
from .message_filters import FilteredEnd, MessageFilter
from .meters import Lateness, LatenessMeter, RealtimeMeter
from .models.compilation import ModelSource, archive_of, compile_model, is_compiled
from .models.embedded_textures import embed_textures
from .models.initial_state import DataBefore, InitialState
from .models.isolated_compiler import ModelCompiler
from .models.model_checks import check_engine
from .models.model_factories import compose, is_factory, source_at
from .models.object_names import given_name, keyframes, name_of, names_of
from .models.urdf_compilation import urdf_as_mjcf
from .models.urdf_texts import urdf_text
from .plugin_set import NoPlugins, PluginSet
from .prepared_model import prepare
from .simulation import Simulation
from .snapshot_feed import Follower, SnapshotFeed
from .snapshots import Snapshot, SnapshotReceiver
from .states.bytes import read_state, write_state
from .states.checks import check_alike, check_places
from .states.layout import state_layout
from .states.saved import SavedState
from .status import Status
from .step_requests import check_steps
from .threadless_simulation import ThreadlessSimulation, for_another
from .threads.callback_thread import Backlog
from .threads.command_queue import CommandQueue, StartTimeouts
from .threads.owner import OwnedCallback, Owner, activity
from .threads.repeating_thread import RepeatingThread
from .threads.scheduling import Scheduling
from .threads.watchdog import STANDSTILL_S, Standstill, Watchdog, WatchedThread
from .warning_log import UNSTABLE

__all__ = [
    'BODY',
    'SITE',
    'STANDSTILL_S',
    'UNSTABLE',
    'WORLD',
    'Backlog',
    'Beat',
    'ClockNeeds',
    'CommandQueue',
    'DataBefore',
    'Edit',
    'FilteredEnd',
    'Follower',
    'InitialState',
    'Lateness',
    'LatenessMeter',
    'Listener',
    'Loan',
    'Lockstep',
    'MessageExchange',
    'MessageFilter',
    'ModelCompiler',
    'ModelSource',
    'NoPlugins',
    'Option',
    'OwnedCallback',
    'Owner',
    'PluginSet',
    'RealtimeMeter',
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
    'ThreadlessSimulation',
    'Watchdog',
    'WatchedThread',
    'activity',
    'archive_of',
    'check_alike',
    'check_engine',
    'check_places',
    'check_steps',
    'compile_model',
    'compose',
    'embed_textures',
    'for_another',
    'given_name',
    'is_compiled',
    'is_factory',
    'keyframes',
    'model_frames',
    'name_of',
    'names_of',
    'prepare',
    'read_options',
    'read_state',
    'source_at',
    'state_layout',
    'urdf_as_mjcf',
    'urdf_text',
    'write_state',
]
