"""Designs a motion that determines parameters as well as possible."""

from __future__ import annotations

import glob
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import mujoco
import numpy as np

from ...config import check_ranges, ranged
from ...config.wording import listed, unknown
from ...errors import ConfigError
from ..adjustable_model import AdjustableModel
from ..fitted_parameters import fitted_parameters
from ..options import FitOptions
from ..result import FittedParameter
from ..selection import parameters_of_fit
from ..sequences import Array
from ..sets import Measured
from ..uncertainty import WITHIN_95, Uncertainty
from .inverse_dynamics import CLEARANCE_M, InverseDynamics
from .joint_limits import LimitOptions, dofs_of, limits_of
from .parameter_effects import ParameterEffects
from .random_motion import random_motion
from .sines import Motion, Sines

SETS = 'friction', 'armature', 'masses', 'inertia'
"""Motions are designed for these sets."""
_PERIOD_S = 0.01
"""The time between the positions of a motion at which limits are checked."""
_SAMPLES = 60
"""The number of times at which a motion is judged while it is optimised."""
_RANDOM = 11
"""The number of random motions for comparison, and of random starts."""
_WEAK = 0.1
"""The information about each coordinate without measurements, which keeps determinants above 0."""
_NOISE = 0.01
"""The noise of efforts, as a share of the largest effort."""
_STEPS = 30
"""The number of halvings of the share of a motion that is within all limits."""
_PENALTY = 5.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    """The joints to move, and the sets of parameters to determine."""

    model: Path
    joints: tuple[str, ...]
    fit: FitOptions = field(default_factory=lambda: FitOptions(fit=('friction', 'armature')))
    limits: LimitOptions = field(default_factory=LimitOptions)
    keyframe: str = ''
    """The keyframe with the start; by default, the model's initial positions."""
    length: float = ranged(10.0, minimum=1.0, maximum=300.0, unit='s')
    harmonics: int = ranged(0, minimum=3, maximum=50, special=0)
    """The number of sines of each joint; 0 chooses by the length."""
    noise: float | None = ranged(None, above=0.0)
    """The standard deviation of measured efforts in N m or N; by default, 1 % of the largest
    effort of each joint."""
    rate: float = ranged(100.0, minimum=1.0, maximum=10_000.0, unit='Hz')
    """The rate of the measurements."""
    iterations: int = ranged(40, minimum=0, maximum=10_000)
    seed: int = ranged(0, minimum=0)

    def __post_init__(self) -> None:
        """Raises ConfigError for a value outside its range."""
        check_ranges(self)


@dataclass(frozen=True, kw_only=True, slots=True)
class Design:
    """A designed motion."""

    joints: tuple[str, ...]
    motion: Motion
    parameters: tuple[FittedParameter, ...]
    """The parameters with the predicted intervals."""
    random: tuple[Array, ...]
    """The widths of the intervals of each parameter after random motions of the same length."""
    ratio: float
    """The mean width of the confidence region, relative to that after a random motion: the root
    of the volume, with a dimension for each parameter."""
    used: float
    """The share of the motion that efforts and distances of bodies permit."""


Progress = Callable[[float], None]


def design(request: Request, progress: Progress = lambda share: None) -> Design:
    """Designs a motion by D-optimality: the least volume of the parameters' confidence region.

    `progress` is called with the present volume per parameter, relative to the first. Raises
    ConfigError for options that do not fit, and ModelError for an invalid model.
    """
    return _Designer(request).design(progress)


class _Designer:
    """The model, its parameters, and the limits of a request."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._model = AdjustableModel(request.model)
        model = self._model.model
        dofs = dofs_of(model, request.joints)
        qpos = _start(model, request.keyframe)
        joints = [int(model.dof_jntid[dof]) for dof in dofs]
        self._start = qpos[[int(model.jnt_qposadr[joint]) for joint in joints]]
        self._limits = limits_of(model, request.joints, self._start, request.limits)
        options = _only_moved(model, request, dofs)
        nothing = Measured(joints=(), commands=(), signals=())
        self._parameters = parameters_of_fit(self._model.root, model, options, nothing)
        self._effects = ParameterEffects(self._model, self._parameters, dofs)
        self._dynamics = InverseDynamics(model, qpos, dofs)
        harmonics = request.harmonics or int(np.clip(round(1.2 * request.length), 5, 16))
        self._sines = Sines(self._start, self._limits, request.length, harmonics)
        self._random = np.random.default_rng(request.seed)
        self._dense = np.arange(0.0, request.length + _PERIOD_S / 2.0, _PERIOD_S)
        self._noise = np.ones(len(dofs))

    def design(self, progress: Progress) -> Design:
        """Returns the best motion that was found."""
        rivals = [
            random_motion(self._random, self._start, self._limits, self._dense)
            for _ in range(_RANDOM)
        ]
        rivals = [self._permitted(each)[0] for each in rivals]
        self._noise = self._noise_of(rivals)
        weights = self._optimised(progress)
        motion, used = self._permitted(self._sines.motion(weights, self._dense))
        information = self._information(motion)
        others = [self._information(each) for each in rivals]
        rows = self._intervals(information)
        widths = [[row.high - row.low for row in self._intervals(each)] for each in others]
        volume = float(np.median([_log_volume(each) for each in others]))
        return Design(
            joints=self._request.joints,
            motion=motion,
            parameters=tuple(rows),
            random=tuple(np.array(widths).T),
            ratio=float(np.exp((_log_volume(information) - volume) / len(information))),
            used=used,
        )

    def _noise_of(self, motions: Sequence[Motion]) -> Array:
        """Returns the standard deviation of the measured effort of each joint."""
        if self._request.noise is not None:
            return np.full(len(self._start), self._request.noise)
        found = [
            np.max(np.abs(self._dynamics.efforts(each, regressor=False).efforts), axis=0)
            for each in motions
        ]
        largest = np.where(
            np.isfinite(self._limits.effort), self._limits.effort, np.median(found, axis=0)
        )
        return np.maximum(_NOISE * largest, 1e-9)

    def _optimised(self, progress: Progress) -> Array:
        """Returns the weights of the best motion."""
        from scipy.optimize import minimize  # type: ignore[import-untyped]

        shape = self._sines.shape
        starts = [self._random.normal(size=shape) for _ in range(_RANDOM)]
        costs = [self._cost(each.ravel()) for each in starts]
        first, weights = min(costs), starts[int(np.argmin(costs))].ravel()
        if not self._request.iterations:
            return weights.reshape(shape)

        def shown(intermediate_result: object) -> None:
            now = float(intermediate_result.fun)  # type: ignore[attr-defined]
            progress(float(np.exp((now - first) / len(self._parameters))))

        found = minimize(
            self._cost, weights, method='L-BFGS-B', callback=shown,
            options={'maxiter': self._request.iterations, 'maxfun': 10**9, 'eps': 1e-5},
        )  # fmt: skip
        best: Array = found.x.reshape(shape)
        return best

    def _cost(self, weights: Array) -> float:
        """Returns the logarithm of the volume of the confidence region, with penalties."""
        times = np.linspace(0.0, self._request.length, _SAMPLES + 1)
        motion = self._sines.motion(weights.reshape(self._sines.shape), times, smooth=True)
        efforts = self._dynamics.efforts(motion)
        information = self._information_of(self._effects.jacobian(motion, efforts))
        excess = np.max(np.abs(efforts.efforts), axis=0) / self._limits.effort - 1.0
        penalty = float(np.sum(np.maximum(excess, 0.0)))
        penalty += efforts.intrusion / CLEARANCE_M / len(times)
        return _log_volume(information) + _PENALTY * len(information) * penalty

    def _information(self, motion: Motion) -> Array:
        """Returns the information about the parameters that a motion gives."""
        return self._information_of(self._effects.jacobian(motion, self._dynamics.efforts(motion)))

    def _information_of(self, jacobian: Array) -> Array:
        rows = (jacobian / self._noise[None, :, None]).reshape(-1, jacobian.shape[-1])
        count = self._request.rate * self._request.length / len(jacobian)
        information: Array = count * rows.T @ rows
        return information

    def _permitted(self, motion: Motion) -> tuple[Motion, float]:
        """Returns the largest part of a motion within the limits of efforts and distances.

        Raises ConfigError if not even the start is permitted.
        """
        if self._is_permitted(motion):
            return motion, 1.0
        low, high = 0.0, 1.0
        for _ in range(_STEPS):
            middle = (low + high) / 2.0
            low, high = (
                (middle, high) if self._is_permitted(motion.shrunk(middle)) else (low, middle)
            )
            if high - low < 0.01:
                break
        if low == 0.0:
            raise ConfigError(
                'the joints cannot move from their start within the limits of their efforts and'
                f' {CLEARANCE_M:g} m away from other bodies; choose another --keyframe'
            )
        return motion.shrunk(low), low

    def _is_permitted(self, motion: Motion) -> bool:
        found = self._dynamics.efforts(motion, regressor=False)
        return bool(
            found.intrusion == 0.0 and (np.abs(found.efforts) <= self._limits.effort).all()
        )

    def _intervals(self, information: Array) -> list[FittedParameter]:
        """Returns the parameters with their intervals."""
        values, vectors = np.linalg.eigh(information)
        errors = 1.0 / np.sqrt(np.maximum(values, 1e-12 * max(float(values[-1]), 1e-12)))
        covariance = (vectors * np.square(errors)) @ vectors.T
        half = WITHIN_95 * np.sqrt(np.diag(covariance))
        uncertainty = Uncertainty(
            half_widths=half,
            jumping=(False,) * len(half),
            covariance=covariance,
            repeats={},
            effects=np.sqrt(np.diag(information)),
            directions=(),
        )
        nominal = [each.initial for each in self._parameters]
        rows, _ = fitted_parameters(self._model, self._parameters, nominal, uncertainty)
        return rows


def _log_volume(information: Array) -> float:
    """Returns the logarithm of the volume of the confidence region, up to a constant."""
    _, volume = np.linalg.slogdet(information + _WEAK * np.eye(len(information)))
    return -0.5 * float(volume)


def _start(model: mujoco.MjModel, keyframe: str) -> Array:
    """Returns the positions at the start. Raises ConfigError for an unknown keyframe."""
    if not keyframe:
        start: Array = model.qpos0.copy()
        return start
    names = [model.key(k).name for k in range(model.nkey)]
    if keyframe not in names:
        raise ConfigError(f'--keyframe: {unknown("keyframe", keyframe, filter(None, names))}')
    start = model.key_qpos[names.index(keyframe)].copy()
    return start


def _only_moved(model: mujoco.MjModel, request: Request, dofs: list[int]) -> FitOptions:
    """Returns the options with the sets of moved joints and bodies alone.

    Raises ConfigError for other sets.
    """
    options = request.fit
    for name in options.fit:
        if name not in SETS:
            raise ConfigError(f'--fit: motions are designed for {listed(SETS)}, not for {name}')
    if options.only or not options.fit:
        return options
    only: list[str] = []
    if {'friction', 'armature'} & {*options.fit}:
        only += request.joints
    if {'masses', 'inertia'} & {*options.fit}:
        # the bodies below a link without moved joints of their own are part of the link
        only += [model.body(int(model.dof_bodyid[dof])).name for dof in dofs]
    return replace(options, only=tuple(glob.escape(each) for each in only))
