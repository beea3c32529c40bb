"""The folder of a sweep: the outcomes so far, the kept runs, and the data to resume it."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..config.wording import shell_command
from ..errors import SweepError
from .outcome import Outcome
from .run_spec import RunSpec
from .single_run import Files
from .sweep_sources import Sources, changes

RESULTS, REPORT = 'results.parquet', 'report.html'
_ABOUT, _JOURNAL, _RUNS, _REPEAT = 'sweep.json', 'outcomes.jsonl', 'runs', 'repeat.txt'


class SweepFolder:
    """The folder of a sweep; each outcome is on the disk before the next one is added."""

    def __init__(
        self, path: Path, runs: Sequence[RunSpec], sources: Sources, *, resume: bool
    ) -> None:
        """Creates the folder, or resumes an existing sweep.

        Raises SweepError if the folder exists and `resume` is false, or if it belongs to a sweep
        with other scenarios or other sources.
        """
        self.path = path
        self.outcomes: dict[int, Outcome] = {}
        """The outcomes so far, by run number."""
        about = {'runs': len(runs), 'scenarios': _fingerprint(runs), 'sources': dict(sources)}
        there = (path / _ABOUT).exists()
        try:
            if not there and path.exists() and (not path.is_dir() or any(path.iterdir())):
                raise SweepError(f'{path} already exists, and is not the folder of a sweep')
            if there and not resume:
                raise SweepError(
                    f'{path} already exists; use --resume to continue it, or -o for another folder'
                )
            if there:
                self._check(about)
                self._read()
            path.mkdir(parents=True, exist_ok=True)
            if not there:
                (path / _ABOUT).write_text(json.dumps(about))
            self._journal = (path / _JOURNAL).open('a')
        except OSError as error:
            raise SweepError(f'{path}: {error.strerror or error}') from None

    def add(self, spec: RunSpec, outcome: Outcome, files: Files) -> None:
        """Writes the kept files of a run, and then its outcome."""
        if outcome.number in self.outcomes:
            return
        if files:
            self._keep(spec, files)
        self.outcomes[outcome.number] = outcome
        self._journal.write(json.dumps(outcome.as_written()) + '\n')
        self._journal.flush()
        os.fsync(self._journal.fileno())

    def folder_of(self, number: int) -> Path:
        """Returns the folder of a kept run; it does not exist if the run is not kept."""
        return self.path / _RUNS / f'{number:04}'

    def close(self) -> None:
        """Closes the journal."""
        self._journal.close()

    def remove(self) -> None:
        """Removes the folder of a sweep without outcomes."""
        for name in (_ABOUT, _JOURNAL):
            (self.path / name).unlink(missing_ok=True)
        with suppress(OSError):  # the folder has other files
            self.path.rmdir()

    def _keep(self, spec: RunSpec, files: Files) -> None:
        folder = self.folder_of(spec.number)
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            (folder / name).write_bytes(content)
        command = shell_command('sweep', '--repeat', str(folder.absolute()))
        (folder / _REPEAT).write_text(f'{command}\n')

    def _check(self, about: dict[str, Any]) -> None:
        try:
            there = json.loads((self.path / _ABOUT).read_text())
        except ValueError:  # the process was killed while it wrote the file
            raise SweepError(
                f'{self.path / _ABOUT} is not complete; remove {self.path}, or use -o for another'
                ' folder'
            ) from None
        if there['scenarios'] != about['scenarios']:
            raise SweepError(
                f'{self.path} has {there["runs"]} runs of other scenarios: the scenario file has'
                f' changed; use -o to put these {about["runs"]} runs into another folder'
            )
        if changed := changes(there.get('sources', {}), about['sources']):
            raise SweepError(
                f'{self.path} has older runs; changed since then: {", ".join(changed)}; use -o for'
                ' another folder'
            )

    def _read(self) -> None:
        """Reads the outcomes; drops a last line that a killed process left incomplete."""
        path = self.path / _JOURNAL
        content = path.read_bytes() if path.exists() else b''
        whole = content[: content.rfind(b'\n') + 1]
        if whole != content:
            path.write_bytes(whole)
        for line in whole.decode().splitlines():
            outcome = Outcome.from_written(json.loads(line))
            self.outcomes[outcome.number] = outcome


def _fingerprint(runs: Sequence[RunSpec]) -> str:
    """Returns a hash of everything in the scenario file that the outcomes depend on."""
    text = json.dumps([each.as_written() for each in runs], sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()
