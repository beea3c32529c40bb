"""Writes the folder with the result of an identification."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from tempfile import mkdtemp

from ...errors import ConfigError
from ..result import Result
from .imperfection_entries import imperfections_text
from .model_files import read_twin, write_model
from .report import report_text
from .result_file import result_text
from .written_numbers import written_edits

RESULT, REPORT, IMPERFECTIONS = 'result.json', 'report.html', 'imperfections.yaml'


def write_outputs(
    folder: str | PathLike[str],
    model: str | PathLike[str],
    result: Result,
    *,
    files: Iterable[str | PathLike[str]] = (),
    modules: Sequence[str] = (),
    force: bool = False,
) -> tuple[Path, ...]:
    """Writes the fitted model, its overlay and diff, the result and the report; returns the files.

    `model` is the path or the URI of the model before the fit; `modules` may make the model of a
    `python://` URI. `files` are the recordings and configurations, for the report. An interrupted
    call leaves no files. Raises ConfigError if the folder has files and `force` is false, or if a
    file would replace an input; with `force`, other files in the folder stay.
    """
    final, place = Path(folder), fspath(model)
    given = [Path(each) for each in files]
    check_folder(final, force=force)
    edits = written_edits(result)
    twin = read_twin(place, edits, modules)
    final.parent.mkdir(parents=True, exist_ok=True)
    made = Path(mkdtemp(prefix=f'.{final.name}.', dir=final.parent))
    try:
        write_model(twin, made, final)
        if twin.not_in_urdf:
            told = f'URDF cannot hold {", ".join(twin.not_in_urdf)}; the overlay has these values'
            result = replace(result, warnings=(*result.warnings, told))
        inputs = [*twin.sources, *given]
        text = result_text(
            result, model=place, files=inputs, edits=edits, not_in_urdf=twin.not_in_urdf
        )
        (made / RESULT).write_text(text)
        (made / REPORT).write_text(report_text(result, place, given))
        if (entries := imperfections_text(result)) is not None:
            (made / IMPERFECTIONS).write_text(entries)
        return _moved(made, final, inputs)
    finally:
        shutil.rmtree(made, ignore_errors=True)


def check_folder(folder: str | PathLike[str], *, force: bool = False) -> None:
    """Raises ConfigError if the outputs cannot be written to the folder."""
    path = Path(folder)
    if path.exists() and not path.is_dir():
        raise ConfigError(f'{path} exists and is not a folder')
    if path.is_dir() and any(path.iterdir()) and not force:
        raise ConfigError(
            f'{path} already exists; use --force to replace its files, or -o for another folder'
        )


def _moved(made: Path, final: Path, inputs: Sequence[Path]) -> tuple[Path, ...]:
    """Moves all files to the final folder, and returns their paths."""
    names = sorted(each.relative_to(made) for each in made.rglob('*') if each.is_file())
    targets = [final / name for name in names]
    for target in targets:
        if any(target.exists() and each.exists() and target.samefile(each) for each in inputs):
            raise ConfigError(f'{target} is an input, and must not be replaced; use another -o')
    for name, target in zip(names, targets, strict=True):
        target.parent.mkdir(parents=True, exist_ok=True)
        (made / name).chmod(0o644)
        (made / name).replace(target)
    return tuple(targets)
