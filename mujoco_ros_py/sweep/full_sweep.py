"""Makes a sweep: all runs of a file of scenarios, with their results and their report."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import ConfigError
from ..testing import serve
from .ray_workers import ray_workers
from .result_table import write_results
from .run_measures import RunExpression
from .run_spec import RunSpec
from .scenario_file import read_scenarios, runs_of
from .sweep_folder import REPORT, RESULTS, SweepFolder
from .sweep_libraries import check_libraries
from .sweep_progress import SweepProgress
from .sweep_report import summary, write_report
from .value_places import model_of, modules_of


@dataclass(frozen=True, kw_only=True, slots=True)
class SweepOptions:
    """How a sweep is made."""

    output: Path | None = None
    """The folder of the results; None: a folder named after the file of scenarios."""
    resume: bool = False
    """Whether a folder that is there is gone on with."""
    address: str = ''
    """The address of a cluster of Ray; empty: this machine."""
    jobs: int = 0
    """The number of runs at once on this machine; 0: one for each core."""
    only_list: bool = False
    """Whether the runs are listed, and none is made."""


def make_sweep(file: Path, options: SweepOptions) -> bool:
    """Makes the runs of a file, and returns whether all have passed.

    Raises ConfigError and ModelError for what is wrong with the file, and SweepError. What has
    been done until an error or Ctrl-C is kept, with results and report.
    """
    runs = runs_of(read_scenarios(file), file)
    if options.only_list:
        for spec in runs:
            print(f'{spec.name} {spec.described()}')
        return True
    check_libraries()
    check_expressions(runs[0], file)
    output = options.output or file.with_name(f'{file.stem}_sweep')
    folder = SweepFolder(output, runs, resume=options.resume)
    try:
        _make_missing(runs, folder, options)
    finally:
        folder.close()
        outcomes = list(folder.outcomes.values())
        if outcomes:
            write_results(output / RESULTS, outcomes)
            write_report(output / REPORT, file.name, folder)
            print(f'{summary(outcomes)}; {output / REPORT}', flush=True)
    return all(each.passed for each in folder.outcomes.values())


def check_expressions(spec: RunSpec, file: Path) -> None:
    """Computes all expressions of a run once, for the model's first state.

    Raises ConfigError for what is wrong with one, or with a value of the model, and ModelError.
    """
    if not spec.expressions():
        return
    options = {
        'model_modules': modules_of(spec),
        'engine_plugins': tuple(spec.parameters.get('engine_plugins', ())),
    }
    try:
        with serve(model_of(spec), recording_s=0.0, **options) as server:
            state = server.state
            for where, text in spec.expressions():
                expression = RunExpression(text, where, spec.values)
                expression.see(state)
                _ = expression.value
    except ConfigError as error:
        raise ConfigError(f'{file}: {error}') from None


def _make_missing(runs: Sequence[RunSpec], folder: SweepFolder, options: SweepOptions) -> None:
    missing = [spec for spec in runs if spec.number not in folder.outcomes]
    if len(missing) < len(runs):
        print(f'{len(runs) - len(missing)} runs are there already', file=sys.stderr)
    if not missing:
        return
    with (
        ray_workers(options.address, options.jobs) as workers,
        SweepProgress(runs, folder.outcomes) as progress,
    ):
        for spec, outcome, files in workers.outcomes(
            missing, lambda: progress.going(workers.going)
        ):
            folder.add(spec, outcome, files)
            progress.ended(outcome)
