"""Reads sequences from recordings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from collections.abc import Sequence as Items
from dataclasses import replace
from pathlib import Path

import mujoco

from ...config.wording import unknown
from ...errors import ConfigError, RecordingError
from ...recording import RecordedRun
from ...recording.files.bag_folder import single_file
from ..sequences import Sequence, Source
from .cutting import held_out, sequences_of
from .options import MeasurementOptions
from .topics import Recording, recorded_parts

Tell = Callable[[str], None]


def read_sequences(
    files: Items[Path],
    model: mujoco.MjModel,
    options: MeasurementOptions,
    plugin_topics: Mapping[str, str],
    tell: Tell = lambda note: None,
) -> list[Sequence]:
    """Reads the measurements in MCAP files, or in the folders of bags, cut into sequences.

    `plugin_topics` has the plugin for each topic whose messages are goals, by the topic's name in
    the recordings. `tell` receives a note about each part of the data that is not used. Raises
    RecordingError if a file cannot be used, and ConfigError for options that do not fit.
    """
    sequences: list[Sequence] = []
    topics, names = set[str](), set[str]()
    notes: dict[str, None] = {}
    for path in files:
        with RecordedRun(single_file(path)) as run:
            for part in recorded_parts(run, model, options, plugin_topics):
                topics |= part.topics
                names |= part.joint_names
                _check(part, plugin_topics)
                sequences += sequences_of(part.name, part.measured, options)
                notes |= dict.fromkeys(part.measured.notes)
            notes |= dict.fromkeys(f'{run.path}: {problem}' for problem in run.problems)
    _check_options(options, plugin_topics, topics, names)
    for note in notes:
        tell(note)
    return [
        replace(each, held_out=held)
        for each, held in zip(sequences, held_out(len(sequences), options.hold_out), strict=True)
    ]


def _check_options(
    options: MeasurementOptions, plugins: Mapping[str, str], topics: set[str], joints: set[str]
) -> None:
    """Raises ConfigError if the options name topics or joints that no recording has."""
    for topic in options.topics:
        if topic not in topics:
            raise ConfigError(f'topics: {unknown("topic of the recordings", topic, topics)}')
    for joint in options.joints:
        if joint not in joints:
            raise ConfigError(f'joints: {unknown("joint of the recordings", joint, joints)}')


def _check(part: Recording, plugins: Mapping[str, str]) -> None:
    """Raises RecordingError if nothing is measured, or two topics have the same signal."""
    measured = part.measured
    if not measured.signals:
        notes = ''.join(f'; {note}' for note in measured.notes)
        raise RecordingError(
            f'{part.name}: no topic has measurements of the model; topics:'
            f' {", ".join(sorted(part.kinds))}{notes}'
        )
    if not measured.commands and not measured.goals:
        wanted = f'; goals are expected in {", ".join(sorted(plugins))}' if plugins else ''
        measured.notes.append(f'{part.name}: it has no commands and no goals{wanted}')
    _check_once(part.name, ((each.source, each.topic) for each in measured.signals))
    _check_once(
        part.name, ((name, each.topic) for each in measured.commands for name in each.actuators)
    )


def _check_once(where: str, found: Iterable[tuple[Source | str, str]]) -> None:
    """Raises RecordingError if two topics have the same signal or command."""
    topics: dict[Source | str, str] = {}
    for what, topic in found:
        other = topics.setdefault(what, topic)
        if other != topic:
            name = (
                f'the actuator {what}'
                if isinstance(what, str)
                else f'the {what.quantity} of {what.name}'
            )
            raise RecordingError(
                f'{where}: both {other} and {topic} have values of {name}; set'
                f' topics.{topic}.use to nothing, or prefix if they are of two robots'
            )
