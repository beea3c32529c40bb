"""Real robots that a Shadow plugin follows: models with a fault, stepped along with a session."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import mujoco
import numpy as np

from mujoco_ros_py.session import Session

ARM = """
<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <body name="upper">
      <joint name="shoulder" axis="0 1 0" damping="0.8" frictionloss="0.3"/>
      <geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.04" mass="2"/>
      <body name="fore" pos="0.4 0 0">
        <joint name="elbow" axis="0 1 0" damping="0.4" frictionloss="0.15"/>
        <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03" mass="1"/>
        <body name="hand" pos="0.3 0 0"><geom name="hand" size="0.04" mass="0.3"/></body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <position name="shoulder" joint="shoulder" kp="120" kv="12"/>
    <position name="elbow" joint="elbow" kp="60" kv="6"/>
  </actuator>
</mujoco>
"""
HYPOTHESES = {
    'payload': {'kind': 'payload', 'body': 'hand'},
    'worn': {'kind': 'friction'},
    'contact': {'kind': 'force', 'body': 'hand'},
}
NOISE = {'position': 0.0005, 'velocity': 0.005, 'effort': 0.02}
Fault = Callable[[mujoco.MjModel, mujoco.MjData], None]


def nothing(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    pass


def payload(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    model.body('hand').mass[0] = 0.3 + 0.5


def worn(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    model.dof_damping[:] *= 4
    model.dof_frictionloss[:] *= 4


def contact(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    data.xfrc_applied[model.body('hand').id, :3] = 6.0, 0.0, 3.0


class Followed:
    """A session with the plugin, and the robot that it follows, in step."""

    def __init__(self, session: Session, *, fault: Fault = nothing, seed: int = 1, **options: Any):
        self.session, self._fault = session, fault
        self.model = mujoco.MjModel.from_xml_string(ARM)
        self.data = mujoco.MjData(self.model)
        self._noise = np.random.default_rng(seed)
        self.verdicts: list[Any] = []
        self.moves = options.pop('moves', True)
        self.clock = options.pop('clock', 0.0)
        self.velocities = options.pop('velocities', True)

    @property
    def plugin(self) -> Any:
        return self.session.plugins['shadow']

    def run(self, duration_s: float, fault: Fault | None = None) -> list[Any]:
        """Steps both, sends a measured state each 10 ms, and returns the new judgements."""
        self._fault = fault or self._fault
        self._fault(self.model, self.data)
        before = len(self.verdicts)
        for _ in range(round(duration_s / 0.01)):
            target = self._target()
            self._step(target)
            self._send()
        return self.verdicts[before:]

    def _target(self) -> Any:
        if not self.moves:
            return np.array([0.3, 0.6])
        time = self.data.time
        return np.array([0.3 + 0.5 * np.sin(2.1 * time), 0.6 + 0.6 * np.sin(3.3 * time)])

    def _step(self, target: Any) -> None:
        self.session.call(_setter(target))
        self.session.step(5)
        self.data.ctrl[:] = target
        for _ in range(5):
            mujoco.mj_step(self.model, self.data)

    def _send(self) -> None:
        last = self.plugin.verdict
        noise = self._noise
        positions = self.data.qpos + noise.normal(0, NOISE['position'], 2)
        velocities = self.data.qvel + noise.normal(0, NOISE['velocity'], 2)
        state = {
            'name': ['elbow', 'shoulder'],
            'position': positions[::-1],
            'velocity': velocities[::-1] if self.velocities else [],
            'stamp': self.data.time + self.clock,
        }
        self.session.call(lambda model, data: self.plugin.take_command(model, data, **state))
        if self.plugin.verdict is not last:
            self.verdicts.append(self.plugin.verdict)


def _setter(target: Any) -> Fault:
    def set_target(model: mujoco.MjModel, data: mujoco.MjData) -> None:
        data.ctrl[:] = target

    return set_target


@contextmanager
def followed(config: dict[str, Any] | None = None, **options: Any) -> Iterator[Followed]:
    plugin = {
        'type': 'mujoco_ros_py/Shadow',
        'name': 'shadow',
        'states': '/robot/joint_states',
        'noise': NOISE,
        'hypotheses': HYPOTHESES,
        **(config or {}),
    }
    with Session(mujoco_xml=ARM, plugins=[plugin], strict=True) as session:
        yield Followed(session, **options)
