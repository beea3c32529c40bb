"""The quadruped in plain MuJoCo, driven as its program drives it, without ROS."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, hypot, sin
from pathlib import Path

import mujoco
import numpy as np
from quadruped import LEGS, Senses, Walker, senses

MODEL = str(Path(__file__).parents[2] / 'examples' / 'quadruped.xml')
CROUCHED = [0.0, 1.25, -2.5] * len(LEGS)
PERIOD, LATE = 2, 1
"""Steps from one command to the next one, and from the measurements to their command."""


@dataclass(frozen=True, kw_only=True)
class World:
    """What a robot meets."""

    friction: float = 0.9
    payload_kg: float = 0.0
    heading: float = 0.0
    push_n: float = 0.0
    """The force from the side, for 0.1 s after 2 s of walking."""
    noise: float = 1.0
    seed: int = 0


@dataclass(frozen=True, kw_only=True)
class Way:
    """How a robot has moved from where it stood up; x is where it looked at."""

    x: float
    y: float
    farthest_aside: float
    tilt: float
    turned: float


def simulation(world: World) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """Makes a robot that crouches."""
    spec = mujoco.MjSpec.from_file(MODEL)
    if world.payload_kg:
        spec.body('base_link').add_geom(
            type=mujoco.mjtGeom.mjGEOM_BOX, size=[0.06, 0.05, 0.03], pos=[0, 0, 0.08],
            mass=world.payload_kg,
        )  # fmt: skip
    model = spec.compile()
    for leg in LEGS:
        model.geom(f'{leg}_foot').friction[0] = world.friction
    data = mujoco.MjData(model)
    data.qpos[2], data.qpos[7:], data.ctrl[:] = 0.15, CROUCHED, CROUCHED
    data.qpos[3:7] = cos(world.heading / 2), 0, 0, sin(world.heading / 2)
    return model, data


def measured(data: mujoco.MjData, noise: float, random: np.random.Generator) -> Senses:
    """Returns what the sensors tell, with the noise of config/quadruped.yaml times `noise`."""
    turn = data.sensor('orientation').data + noise * random.normal(0, 0.001, 4)
    w, x, y, z = turn / np.linalg.norm(turn)
    rotation = data.sensor('gyro').data + noise * random.normal(0, 0.01, 3)
    forces = tuple(float(data.sensor(f'{leg}_foot').data[0]) for leg in LEGS)
    positions = data.qpos[7:].tolist()
    return senses(data.time, (x, y, z, w), tuple(rotation.tolist()), positions, forces)


def walk(walker: Walker, world: World, most_s: float = 40.0) -> Way:
    """Has the robot walk until it rests; AssertionError after so much simulated time."""
    model, data = simulation(world)
    random = np.random.default_rng(world.seed)
    coming: list[tuple[int, list[float]]] = []
    path: list[np.ndarray] = []
    step = 0
    while walker.phase != 'rest':
        assert data.time < most_s, f'it is still in the phase {walker.phase!r}'
        if step % PERIOD == 0:
            mujoco.mj_forward(model, data)
            coming.append((step + LATE, walker.step(measured(data, world.noise, random))))
        if coming and coming[0][0] <= step:
            data.ctrl[:] = coming.pop(0)[1]
        walked_s = len(path) * model.opt.timestep
        data.xfrc_applied[1, 1] = world.push_n if 2.0 < walked_s < 2.1 else 0.0
        mujoco.mj_step(model, data)
        step += 1
        if walker.course is not None:
            path.append(data.qpos[:7].copy())
    return _way(np.array(path), world.heading)


def _way(path: np.ndarray, heading: float) -> Way:
    moved = path[:, :2] - path[0, :2]
    x = moved @ [cos(heading), sin(heading)]
    y = moved @ [-sin(heading), cos(heading)]
    tilts = [2 * np.arcsin(hypot(*pose[4:6])) for pose in path]
    w, _, _, z = path[-1, 3:]
    turned = (2 * np.arctan2(z, w) - heading + np.pi) % (2 * np.pi) - np.pi
    return Way(x=x[-1], y=y[-1], farthest_aside=abs(y).max(), tilt=max(tilts), turned=abs(turned))
