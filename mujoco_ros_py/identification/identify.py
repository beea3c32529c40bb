"""Fits a model to recordings of a robot."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import ConfigError
from ..session.content import PluginList
from .adjustable_model import AdjustableModel
from .advice import advice_for
from .closed_loop import SETTLE_S, ClosedLoop
from .fit import Fit, Progress, fit, squares_of
from .fitted_parameters import fitted_parameters
from .measurements import MeasurementOptions, read_sequences
from .options import FitOptions
from .pieces import joined, pieces
from .prepared import SignalReader, measured_joints, prepared
from .problem import Problem
from .result import Direction, JudgedSequence, Result, Trace
from .rollouts import OpenLoop, Simulator
from .selection import parameters_of_fit
from .sequences import Sequence as MeasuredSequence
from .sets import Measured
from .uncertainty import Uncertainty, uncertainty

_SHOWN = 0.2
"""The least effect of a parameter that is named in a direction, relative to the largest."""
_WORSE = 1.5
"""The ratio of the errors of held-out and fitted sequences above which a warning is given."""
_CORRELATED = 5.0
"""The samples that are one independent measurement above which a warning is given."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """A model to fit, and the recordings to fit it to."""

    files: tuple[Path, ...]
    """The recordings (MCAP), or the folders of bags."""
    model: Path
    """The model before the fit, MJCF or URDF."""
    plugins: PluginList = ()
    """The plugins in the loop, such as the controllers of recorded goals, or the path of a file
    with their list."""
    goals: Mapping[str, str] = field(default_factory=dict)
    """The plugin for each topic of goals; by default, the command topics of the plugins."""
    fit: FitOptions
    measurements: MeasurementOptions = field(default_factory=MeasurementOptions)


def identify(question: Question, progress: Progress | None = None) -> Result:
    """Fits a model to recordings.

    Raises ConfigError for options that do not fit, RecordingError for recordings that cannot be
    used, ModelError if MuJoCo refuses the model, and PluginError if a plugin fails.
    """
    begin = time.monotonic()
    progress = progress or Progress(None)
    with ExitStack() as stack:
        study = _Study(question, stack)
        found = fit(study.problem, question.fit, progress)
        progress.end()
        return study.result(found, time.monotonic() - begin)


class _Study:
    """Reads the sequences, states the problem, and judges its solution."""

    def __init__(self, question: Question, stack: ExitStack) -> None:
        self._question = question
        self._model = AdjustableModel(question.model)
        loop = None
        if question.plugins:
            settle = question.fit.settle
            loop = ClosedLoop(self._model, question.plugins, question.goals, settle)
            stack.callback(loop.close)
        topics = loop.find_topics() if loop else {}
        self._notes: list[str] = []
        sequences = read_sequences(
            question.files, self._model.model, question.measurements, topics, self._notes.append
        )
        self._joints = measured_joints(self._model.model, sequences)
        # Other joints start from their initial state in the model, and come to rest.
        all_measured = len(self._joints.dofs) == self._model.model.nv
        if loop or not all_measured:
            sequences = self._resting(sequences)
        self._parameters = parameters_of_fit(
            self._model.root, self._model.model, question.fit, _measured(sequences)
        )
        sources = {signal.source: None for each in sequences for signal in each.signals}
        self._model.add_sensors(sources)
        if loop:
            loop.close()  # its worlds lack the sensors
        settle = question.fit.settle if all_measured else max(question.fit.settle, SETTLE_S)
        self._simulator: Simulator = loop or OpenLoop(self._joints, settle)
        self._reader = SignalReader(self._model.model, list(sources))
        self._starts = not loop and all_measured and question.fit.starts == 'fitted'
        step = float(self._model.model.opt.timestep)
        self._sequences = [prepared(each, self._joints, step) for each in sequences]
        if self._starts and question.fit.horizon:
            self._sequences = pieces(self._sequences, self._joints, step, question.fit.horizon)
        self.problem = Problem(
            self._model, self._parameters,
            [each for each in self._sequences if not each.sequence.held_out],
            self._joints, self._simulator, self._reader, starts=self._starts,
        )  # fmt: skip

    def result(self, found: Fit, wall_s: float) -> Result:
        """Judges all sequences with the model before and after the fit."""
        errors = uncertainty(self.problem, found.x)
        values = self.problem.values(found.x)
        parameters, correlation = fitted_parameters(self._model, self._parameters, values, errors)
        judged = tuple(self._judged(values))
        return Result(
            parameters=tuple(parameters),
            correlation=correlation,
            noise=found.noise,
            sequences=judged,
            directions=tuple(self._directions(found, errors)),
            warnings=tuple(self._warnings(found, errors, parameters, judged)),
            edits=self._model.edits(self._parameters, values),
            iterations=found.iterations,
            wall_s=wall_s,
        )

    def _resting(self, sequences: list[MeasuredSequence]) -> list[MeasuredSequence]:
        """Returns the sequences that begin at rest, as the others cannot be simulated.

        Raises ConfigError if none does.
        """
        found = [each for each in sequences if each.rests]
        if not found:
            raise ConfigError(
                'no sequence begins at rest: with plugins in the loop, or joints whose positions'
                ' are not measured, the robot must rest before it moves'
            )
        self._notes += [
            f'{each.name}: not used, as it does not begin at rest'
            for each in sequences
            if not each.rests
        ]
        if all(each.held_out for each in found):
            found[0] = replace(found[0], held_out=False)
        return found

    def _judged(self, values: Sequence[float]) -> Iterable[JudgedSequence]:
        """Yields each sequence with the model's signals before and after the fit."""
        found = []
        for at in ([each.initial for each in self._parameters], values):
            problem = self.problem.over(self._sequences)
            x = problem.coordinates(at)
            found.append((problem.predictions(x), squares_of(problem, x)))
        (before, old), (after, new) = found
        names = dict.fromkeys(each.sequence.name for each in self._sequences)
        for name in names:
            places = [k for k, e in enumerate(self._sequences) if e.sequence.name == name]
            pieces_of = [self._sequences[k].sequence for k in places]
            samples = sum(self._sequences[k].samples for k in places)
            yield JudgedSequence(
                sequence=joined(pieces_of),
                traces=tuple(
                    Trace(
                        source=signal.source,
                        times=np.concatenate([e.signals[n].times for e in pieces_of]),
                        measured=np.concatenate([e.signals[n].values for e in pieces_of]),
                        before=np.concatenate([before[k][n] for k in places]),
                        after=np.concatenate([after[k][n] for k in places]),
                    )
                    for n, signal in enumerate(pieces_of[0].signals)
                ),
                error_before=float(np.sqrt(sum(old[k] for k in places) / samples)),
                error_after=float(np.sqrt(sum(new[k] for k in places) / samples)),
            )

    def _directions(self, found: Fit, errors: Uncertainty) -> Iterable[Direction]:
        """Yields the directions that the data do not determine."""
        for direction in errors.directions:
            # The effects of the parameters in a direction cancel, so they are of similar size.
            effects = np.abs(direction) * errors.effects
            weights = {
                each.name: float(weight)
                for each, weight, effect in zip(self._parameters, direction, effects, strict=True)
                if effect >= _SHOWN * np.max(effects)
            }
            advice = advice_for(self.problem, found.x, direction)
            yield Direction(weights=weights, advice=advice)

    def _warnings(
        self, found: Fit, errors: Uncertainty, parameters: Iterable[Any], judged: Iterable[Any]
    ) -> Iterable[str]:
        """Yields a sentence for each limit of the result."""
        yield from self._notes
        if not found.converged:
            most = self._question.fit.max_iterations
            yield f'the fit did not converge within {most} iterations; raise max_iterations'
        for each in parameters:
            if each.at_bound:
                low, high = each.bounds
                yield (
                    f'{each.name} is at a bound ({low:.4g} to {high:.4g}): the bound is wrong, or'
                    ' the model lacks an effect that this value makes up for'
                )
        pairs = zip(self._parameters, errors.jumping, strict=True)
        if jumping := [parameter.name for parameter, jumps in pairs if jumps]:
            yield (
                f'the simulation changes in jumps with {", ".join(jumping)}, as contacts come and'
                ' go: the fit may be far from the best values, and no interval is known'
            )
        for source, repeats in errors.repeats.items():
            if repeats > _CORRELATED:
                yield (
                    f'the residual of {source.quantity} of {source.name} is correlated over'
                    f' {repeats:.0f} samples: the model lacks an effect; the intervals are widened'
                )
        fitted = [each.error_after for each in judged if not each.sequence.held_out]
        mean = float(np.sqrt(np.mean(np.square(fitted))))
        for each in judged:
            if each.sequence.held_out and each.error_after > max(_WORSE * mean, 0.0):
                yield (
                    f'{each.sequence.name} (held out) has an error of {each.error_after:.3g}, the'
                    f' fitted sequences of {mean:.3g}: the model does not generalise to it'
                )
            elif each.error_after > each.error_before:
                yield f'{each.sequence.name} has a larger error than before the fit'


def _measured(sequences: Sequence[MeasuredSequence]) -> Measured:
    """Returns the joints and topics that the sequences have, in their order."""
    joints: dict[str, None] = {}
    commands: dict[str, None] = {}
    signals: dict[str, None] = {}
    for each in sequences:
        for signal in each.signals:
            signals[signal.topic] = None
            if signal.source.quantity == 'position':
                joints[signal.source.name] = None
        commands.update(dict.fromkeys(command.topic for command in each.commands))
        commands.update(dict.fromkeys(goal.topic for goal in each.goals))
    return Measured(joints=tuple(joints), commands=tuple(commands), signals=tuple(signals))
