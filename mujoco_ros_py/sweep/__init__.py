"""Parameter sweeps: many runs of a simulation with real controllers, on all cores or a cluster."""

from .finished_run import FinishedRun
from .full_sweep import SweepOptions, make_sweep
from .outcome import VERDICTS, Outcome
from .repeated_run import repeat
from .scenario_file import read_scenarios
from .scenarios import Judge, RandomValues, Scenarios, Until

__all__ = [
    'VERDICTS',
    'FinishedRun',
    'Judge',
    'Outcome',
    'RandomValues',
    'Scenarios',
    'SweepOptions',
    'Until',
    'make_sweep',
    'read_scenarios',
    'repeat',
]
