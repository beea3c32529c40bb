"""Executes a sweep: all runs of a scenario file, with their results and the report."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import ConfigError, SweepError
from ..testing import serve
from .outcome import FAILED, Outcome, write_results
from .ray_workers import ray_workers
from .run_measures import RunExpression
from .run_spec import CONDITIONS, RunSpec
from .scenario_file import read_scenarios, runs_of
from .single_run import Files
from .sweep_folder import REPORT, RESULTS, SweepFolder
from .sweep_progress import SweepProgress
from .sweep_report import summary, write_report
from .sweep_sources import Sources, sources_of
from .value_places import joints_of, model_of, modules_of

_LIBRARIES = 'ray', 'pyarrow', 'plotly', 'rich'
_SAME = 2
"""The sweep ends if this many runs at its beginning fail to start for the same reason."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SweepOptions:
    """The options of a sweep."""

    output: Path | None = None
    """The folder of the results; if None, `<name of the scenario file>_sweep` next to the file."""
    resume: bool = False
    """Whether to continue an existing sweep folder with its missing runs."""
    address: str = ''
    """The address of a Ray cluster; if empty, the sweep uses only this machine."""
    jobs: int = 0
    """The number of simultaneous runs on this machine; 0 for one run per core."""
    only_list: bool = False
    """Whether to only list the runs, without executing them."""


def make_sweep(file: Path, options: SweepOptions) -> bool:
    """Executes the runs of a scenario file; returns whether all have passed.

    Raises ConfigError and ModelError for a faulty file, and SweepError if the sweep cannot be
    executed. After an error or Ctrl-C, the finished runs are kept, with results and report.
    """
    runs = runs_of(read_scenarios(file), file)
    if options.only_list:
        for spec in runs:
            print(f'{spec.name} {spec.described()}')
        return True
    _check_libraries()
    sources = check_start(runs[0], file)
    output = options.output or file.with_name(f'{file.stem}_sweep')
    folder = SweepFolder(output, runs, sources, resume=options.resume)
    try:
        _make_missing(runs, folder, options)
    finally:
        folder.close()
        outcomes = list(folder.outcomes.values())
        if not outcomes:
            folder.remove()
        else:
            write_results(output / RESULTS, outcomes)
            write_report(output / REPORT, file.name, folder)
            print(f'{summary(outcomes)}; {output / REPORT}', flush=True)
    return all(each.passed for each in folder.outcomes.values())


def check_start(spec: RunSpec, file: Path) -> Sources:
    """Checks a run by evaluating its expressions once, without controllers and plugins.

    Returns the sources that the outcomes depend on besides the scenario file. Raises ConfigError
    for a faulty expression, model value or initial joint state, and ModelError.
    """
    options: dict[str, Any] = {
        **joints_of(spec),
        'model_modules': modules_of(spec),
        'engine_plugins': tuple(spec.parameters.get('engine_plugins', ())),
    }
    try:
        with serve(model_of(spec), recording_s=0.0, **options) as server:
            state = server.state
            for where, text in spec.expressions():
                expression = RunExpression(text, where, spec.values)
                expression.see(state)
                _ = expression.holds if where in CONDITIONS else expression.value
            return sources_of(spec, server.model)
    except ConfigError as error:
        raise ConfigError(f'{file}: {error}') from None


def _make_missing(runs: Sequence[RunSpec], folder: SweepFolder, options: SweepOptions) -> None:
    missing = [spec for spec in runs if spec.number not in folder.outcomes]
    if len(missing) < len(runs):
        print(f'{len(runs) - len(missing)} runs are already done', file=sys.stderr)
    if not missing:
        return
    refused: list[tuple[RunSpec, Outcome, Files]] | None = None if folder.outcomes else []
    with (
        ray_workers(options.address, options.jobs) as workers,
        SweepProgress(runs, folder.outcomes) as progress,
    ):
        for ended in workers.outcomes(missing, lambda: progress.going(workers.going)):
            taken = [ended]
            if refused is not None:
                refused.append(ended)
                if _may_be_refused(refused, len(missing)):
                    continue
                taken, refused = refused, None
            for spec, outcome, files in taken:
                folder.add(spec, outcome, files)
                progress.ended(outcome)


def _may_be_refused(ended: Sequence[tuple[RunSpec, Outcome, Files]], count: int) -> bool:
    """Returns whether all runs so far (of `count`) failed to start for the same reason.

    Raises SweepError if these are at least `_SAME` runs, or all runs of the sweep: other runs
    would fail the same way.
    """
    reasons = {
        None if outcome.started else outcome.reason.partition('\n')[0] for _, outcome, _ in ended
    }
    failed = all(outcome.verdict == FAILED for _, outcome, _ in ended)
    if len(reasons) > 1 or None in reasons or not failed:
        return False
    if len(ended) >= min(_SAME, count):
        raise SweepError(f'no run can start: {reasons.pop()}')
    return True


def _check_libraries() -> None:
    """Raises SweepError, with the command to install them, if libraries are missing."""
    missing = [name for name in _LIBRARIES if importlib.util.find_spec(name) is None]
    if missing:
        verb = 'is' if len(missing) == 1 else 'are'
        raise SweepError(
            f'sweeps need libraries: {", ".join(missing)} {verb} not installed; '
            "pip install 'mujoco_ros_py[sweep]' installs them"
        )
