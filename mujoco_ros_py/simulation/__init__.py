"""The simulation of one model at a time: compilation, steps, commands, snapshots, states."""

from .. import requirements as _requirements  # noqa: F401  (refuses a MuJoCo that will not do)
from .beat import Beat
from .clock_needs import ClockNeeds
from .edits.body_state import (
    BodyMotion,
    BodyState,
    body_motions,
    move_body,
    place_body,
    put_back,
    read_body,
    weigh_body,
)
from .edits.edit import Edit
from .edits.edit import ModelChange as ModelChange  # what plugins are told: see there
from .edits.equality_parameters import EqualityParameters, read_equality, set_equality
from .edits.geom_properties import GeomProperties, read_geom, rub_geom, shape_geom
from .edits.model_frames import BODY, SITE, WORLD, model_frames, pose_in_world, twist_in_world
from .edits.named_elements import find_body, find_element, find_mocap, place_mocap
from .edits.named_values import Kind as NumbersKind
from .edits.named_values import NamedNumbers, read_numbers, set_numbers
from .edits.physics_options import Option, read_options, set_gravity, set_options
from .edits.subtree_bounds import subtree_bounds
from .listener import Listener
from .loan import Loan
from .lockstep import Lockstep
from .message_exchange import MessageExchange
from .meters import Lateness, LatenessMeter, RealtimeMeter
from .models.compilation import ModelSource, archive_of, compile_model, is_compiled
from .models.embedded_textures import embed_textures
from .models.initial_state import DataBefore, InitialState
from .models.isolated_compiler import ModelCompiler
from .models.model_checks import check_engine
from .models.model_factories import compose, is_factory
from .models.object_names import given_name, keyframes, name_of, names_of
from .models.urdf_compilation import urdf_as_mjcf
from .plugin_set import NoPlugins, PluginSet
from .prepared_model import PreparedModel, prepare
from .readable_simulation import ReadableSimulation
from .saved_state import SavedState
from .simulation import Simulation
from .snapshot_feed import Follower, SnapshotFeed
from .snapshots import Snapshot, SnapshotReceiver
from .state_bytes import read_state, write_state
from .state_checks import check_alike, check_places
from .state_layout import state_layout
from .state_transfer import StateTransfer
from .status import Status
from .step_requests import check_steps
from .threadless_simulation import ThreadlessSimulation, for_another
from .threads.callback_thread import Backlog, CallbackThread
from .threads.command_queue import CommandQueue, StartTimeouts, settle
from .threads.owner import Activity, OwnedCallback, Owner, activity
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
    'Activity',
    'Backlog',
    'Beat',
    'BodyMotion',
    'BodyState',
    'CallbackThread',
    'ClockNeeds',
    'CommandQueue',
    'DataBefore',
    'Edit',
    'EqualityParameters',
    'Follower',
    'GeomProperties',
    'InitialState',
    'Lateness',
    'LatenessMeter',
    'Listener',
    'Loan',
    'Lockstep',
    'MessageExchange',
    'ModelCompiler',
    'ModelSource',
    'NamedNumbers',
    'NoPlugins',
    'NumbersKind',
    'Option',
    'OwnedCallback',
    'Owner',
    'PluginSet',
    'PreparedModel',
    'ReadableSimulation',
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
    'StateTransfer',
    'Status',
    'ThreadlessSimulation',
    'Watchdog',
    'WatchedThread',
    'activity',
    'archive_of',
    'body_motions',
    'check_alike',
    'check_engine',
    'check_places',
    'check_steps',
    'compile_model',
    'compose',
    'embed_textures',
    'find_body',
    'find_element',
    'find_mocap',
    'for_another',
    'given_name',
    'is_compiled',
    'is_factory',
    'keyframes',
    'model_frames',
    'move_body',
    'name_of',
    'names_of',
    'place_body',
    'place_mocap',
    'pose_in_world',
    'prepare',
    'put_back',
    'read_body',
    'read_equality',
    'read_geom',
    'read_numbers',
    'read_options',
    'read_state',
    'rub_geom',
    'set_equality',
    'set_gravity',
    'set_numbers',
    'set_options',
    'settle',
    'shape_geom',
    'state_layout',
    'subtree_bounds',
    'twist_in_world',
    'urdf_as_mjcf',
    'weigh_body',
    'write_state',
]
