"""Recordings of runs as MCAP files: writing, and reading of complete or damaged files."""

from .files.mcap_library import check_mcap
from .files.mcap_scan import FoundRecord
from .files.recorded_parts import (
    EVENTS,
    RECORDER,
    ROWS,
    SAVED,
    RecordedMessage,
    RecordedTopic,
    Section,
    model_name,
)
from .files.recorded_run import RecordedRun
from .files.recording_file import Compression, RecordingFile, numbered_path
from .files.repaired_file import Repair, repair_file
from .files.ros_bytes import BYTES, TEXT, MessageType, write_bytes, write_text
from .files.state_rows import (
    ACTUATOR_NUMBERS,
    AFTER_STEP,
    BEFORE_STEP,
    BIASES,
    GAINS,
    HEAD,
    INPUTS,
    OWN,
    RowBlock,
    RowShape,
    row_shape,
    set_actuators,
    write_rows,
)

__all__ = [
    'ACTUATOR_NUMBERS',
    'AFTER_STEP',
    'BEFORE_STEP',
    'BIASES',
    'BYTES',
    'EVENTS',
    'GAINS',
    'HEAD',
    'INPUTS',
    'OWN',
    'RECORDER',
    'ROWS',
    'SAVED',
    'TEXT',
    'Compression',
    'FoundRecord',
    'MessageType',
    'RecordedMessage',
    'RecordedRun',
    'RecordedTopic',
    'RecordingFile',
    'Repair',
    'RowBlock',
    'RowShape',
    'Section',
    'check_mcap',
    'model_name',
    'numbered_path',
    'repair_file',
    'row_shape',
    'set_actuators',
    'write_bytes',
    'write_rows',
    'write_text',
]
