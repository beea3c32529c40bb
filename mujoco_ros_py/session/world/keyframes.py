"""The keyframes of a world, which come from its base model."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import mujoco
import numpy as np

from ...mjcf import RootElement
from ...mjcf.spec.settling import compiled
from ...mjcf.write.form import Form

_VECTORS = 'qpos', 'qvel', 'act', 'ctrl', 'mpos', 'mquat'
_OF_MOCAPS = {'mpos': 3, 'mquat': 4}


class Keyframes:
    """The keyframe vectors of a base model; its numbers come first in the vectors of the world.

    The vectors are written into the compiled model and not into its XML text, where their lengths
    would have to match each world.
    """

    def __init__(self, base: RootElement) -> None:
        """Moves the vectors of all keyframes out of the base."""
        self._values: dict[str, np.ndarray] = {}
        keys = list(base.keyframe._children)
        if not keys:
            return
        alone = compiled(base)
        self._values = {name: getattr(alone, f'key_{name}').copy() for name in _VECTORS}
        self.clear(base)

    def clear(self, base: RootElement) -> None:
        """Removes the keyframe vectors from a base, also after MuJoCo has written them again."""
        for key in base.keyframe._children:
            for name in _VECTORS:
                key._values.pop(name, None)

    def write(self, model: mujoco.MjModel) -> None:
        """Writes the vectors into a compiled world; spawned entities keep their initial state."""
        for name, values in self._values.items():
            getattr(model, f'key_{name}')[:, : values.shape[1]] = values

    @contextmanager
    def without(self, base: RootElement, body: str) -> Iterator[None]:
        """Removes a body's numbers from the vectors; the `with` block must remove the body."""
        if not self._values:
            yield
            return
        form = Form(filenames='located', prefix_root=base, name_all=True)
        before = compiled(base, form)
        actuators = [(each, str(each._identifier(form))) for each in base.actuator._children]
        yield
        gone = [before.actuator(name).id for each, name in actuators if each.is_removed]
        for name, columns in _columns(before, before.body(body).id, gone).items():
            self._values[name] = np.delete(self._values[name], columns, axis=1)


def _columns(model: mujoco.MjModel, top: int, actuators: list[int]) -> dict[str, list[int]]:
    """Returns the indices, in each vector, of a top-level body and these actuators."""
    bodies = {body for body in range(top, model.nbody) if _is_in(model, body, top)}
    joints = [joint for joint in range(model.njnt) if model.jnt_bodyid[joint] in bodies]
    mocaps = [int(model.body_mocapid[body]) for body in bodies if model.body_mocapid[body] >= 0]
    return {
        'qpos': [k for joint in joints for k in _range(model.jnt_qposadr, joint, model.nq)],
        'qvel': [dof for dof in range(model.nv) if model.dof_bodyid[dof] in bodies],
        'act': [
            int(model.actuator_actadr[each]) + k
            for each in actuators
            for k in range(model.actuator_actnum[each])
        ],
        'ctrl': actuators,
        **{
            name: [size * mocap + k for mocap in mocaps for k in range(size)]
            for name, size in _OF_MOCAPS.items()
        },
    }


def _is_in(model: mujoco.MjModel, body: int, top: int) -> bool:
    while body > top:
        body = int(model.body_parentid[body])
    return body == top


def _range(addresses: np.ndarray, index: int, size: int) -> range:
    """Returns the indices from an element's address to the address of the next element."""
    end = addresses[index + 1] if index + 1 < len(addresses) else size
    return range(int(addresses[index]), int(end))
