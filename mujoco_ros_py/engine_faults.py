"""Known faults of MuJoCo that silently make results wrong, and how the package avoids them.

A fault belongs here if MuJoCo's own changelog lists it and a test reproduces it. The package
changes the options of an affected model, and reports the change; with `strict`, it refuses the
model.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import mujoco


@dataclass(frozen=True, slots=True)
class EngineFault:
    """A fault of some versions of MuJoCo."""

    name: str
    """The name of the fault in recordings."""
    versions: frozenset[str]
    """The versions of MuJoCo that have the fault."""
    text: str
    """A clause about the wrong result, with MuJoCo as its subject."""
    instead: str
    """A clause about the options that are used instead."""
    advice: str
    """An imperative that names the workarounds."""
    concerns: Callable[[mujoco.MjModel], bool]
    """Returns whether a model with its current options may give wrong results."""
    avoid: Callable[[mujoco.MjModel], None]
    """Changes the options of a model so that its results are correct."""

    def __str__(self) -> str:
        return f'MuJoCo {mujoco.__version__} {self.text}'


def _has_sparse_newton(model: mujoco.MjModel) -> bool:
    """Returns whether the Newton solver factorizes a sparse Hessian that the fault may affect.

    The fault wrongly merges the rows of neighbouring degrees of freedom if each is coupled with
    the same number of later degrees of freedom, but not with the same ones. The degrees of freedom
    of a free body are all coupled with the same ones, and therefore safe: 150,000 states of random
    piles of free bodies were correct.
    """
    if model.opt.solver != mujoco.mjtSolver.mjSOL_NEWTON or not mujoco.mj_isSparse(model):
        return False
    free = (model.jnt_type == mujoco.mjtJoint.mjJNT_FREE).all()
    return not free or model.ntendon > 0


def _make_dense(model: mujoco.MjModel) -> None:
    model.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE


FAULTS = (
    EngineFault(
        name='sparse_newton',  # mujoco#3767, fixed in 4.0.1
        versions=frozenset({'4.0.0'}),
        text='computes wrong accelerations with the Newton solver and a sparse Jacobian',
        instead='the Jacobian is dense instead, which is slower for large models',
        advice="install mujoco-core 4.0.1 (pip install --no-deps 'mujoco-core==4.0.1'),"
        ' or set jacobian="dense" or solver="CG" in <option>',
        concerns=_has_sparse_newton,
        avoid=_make_dense,
    ),
)
"""The known faults of all supported versions."""


def known_faults() -> list[EngineFault]:
    """Returns the faults of the installed version."""
    return [fault for fault in FAULTS if mujoco.__version__ in fault.versions]


def faults_of(model: mujoco.MjModel) -> list[EngineFault]:
    """Returns the faults of the installed version that affect a model with its options."""
    return [fault for fault in known_faults() if fault.concerns(model)]


def avoid_faults(model: mujoco.MjModel) -> list[str]:
    """Changes the options of a model so that no fault affects it; describes each change.

    Each message names the fault, the new option and the workarounds.
    """
    sentences = []
    for fault in faults_of(model):
        fault.avoid(model)
        sentences.append(f'{fault}: {fault.instead}; {fault.advice}')
    return sentences
