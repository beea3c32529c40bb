"""Records robots of the examples that have other values than their models.

Encoders are noisy and quantised, and commands act late. The values are always the same; the seed
chooses motion and noise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import delayed_robot as robot
import mujoco
import numpy as np

from mujoco_ros_py import mjcf

EXAMPLES = Path(__file__).parents[1] / 'examples'
DELAY = 'delay of commands'
DELAY_S, NOISE, QUANTUM, STATE_PERIOD_S = 0.004, 2e-4, 2.0 * np.pi / 2**16, 0.002
ARM = tuple(f'joint{number}' for number in range(1, 8))
LEG = 'front_left_abduction', 'front_left_hip', 'front_left_knee'
_HEAVIER = 'link2', 'link4', 'link7'

Control = Callable[[float, Any, Any], Any]
"""Returns the commands from the time, and from the measured positions and velocities."""


@dataclass(kw_only=True)
class Changed:
    """A recording, the model before its values were changed, and what to fit."""

    recording: Path
    model: Path
    step: float
    true: Mapping[str, float]
    """The changed values by the names of their parameters."""
    fit: tuple[str, ...]
    only: tuple[str, ...]


def arm(folder: Path, seed: int, length: float) -> Changed:
    """The arm with 20 other values, moved by efforts of a controller that reads its encoders."""
    root, random = mjcf.from_path(model := EXAMPLES / 'arm.xml'), np.random.default_rng(99)
    true: dict[str, float] = {}
    for joint in ARM:
        _scale(root, 'joint', f'{joint}.damping', random.uniform(0.5, 2.0), true)
        _scale(root, 'joint', f'{joint}.frictionloss', random.uniform(0.5, 2.0), true)
    for joint in ('joint2', 'joint4', 'joint6'):
        _scale(root, 'joint', f'{joint}.armature', random.uniform(0.6, 1.6), true)
    for body in _HEAVIER:
        place, factor = f'body:{body}.inertial', random.uniform(0.7, 1.5)
        found = mjcf.get_place(root, place)
        changed = {key: factor * found[key] for key in ('mass', 'fullinertia')}
        mjcf.set_place(root, place, {'pos': found['pos'], **changed})
        true[f'{body}.mass'] = float(changed['mass'])
    messages = _moved(root, ARM, _tracking(seed), 0.004, length, seed)
    return Changed(
        recording=robot.write_bag(folder / 'arm.mcap', messages), model=model, step=0.001,
        true={**true, DELAY: DELAY_S}, fit=('friction', 'armature', 'masses', 'delays'),
        only=('joint*', *_HEAVIER),
    )  # fmt: skip


def leg(folder: Path, seed: int, length: float) -> Changed:
    """A leg of the quadruped on a stand with 12 other values, moved by goals of its servos."""
    root, random = mjcf.from_path(EXAMPLES / 'quadruped.xml'), np.random.default_rng(98)
    for each in [*root.find_all('key'), *root.find_all('sensor'), *root.find_all('actuator')]:
        if each.tag != 'position' or each.joint.name not in LEG:
            each.remove()
    for each in ('front_right_hip', 'rear_left_hip', 'rear_right_hip'):
        root.find('body', each).remove()
    root.find('joint', 'base').remove()
    root.find('body', 'base_link').pos = [0.0, 0.0, 1.0]
    (model := folder / 'leg.xml').write_text(root.to_xml_string())
    true: dict[str, float] = {}
    for joint in LEG:
        _scale(root, 'joint', f'{joint}.damping', random.uniform(2.0, 6.0), true)
        _scale(root, 'joint', f'{joint}.frictionloss', random.uniform(1.2, 3.0), true)
        _scale(root, 'joint', f'{joint}.armature', random.uniform(1.2, 2.0), true)
        _scale(root, 'actuator', f'{joint}.kp', random.uniform(0.7, 1.4), true)
    messages = _moved(root, LEG, _goals(seed), 0.01, length, seed)
    return Changed(
        recording=robot.write_bag(folder / 'leg.mcap', messages), model=model, step=0.002,
        true={**true, DELAY: DELAY_S}, fit=('friction', 'armature', 'actuators', 'delays'),
        only=('front_left_*',),
    )  # fmt: skip


def _scale(root: Any, kind: str, name: str, factor: float, true: dict[str, float]) -> None:
    before = float(np.ravel(mjcf.get_place(root, f'{kind}:{name}'))[0])
    mjcf.set_place(root, f'{kind}:{name}', factor * before)
    true[name] = factor * before


def _tracking(seed: int) -> Control:
    """Efforts that follow sums of five sines, with a rest each 10 s."""
    random = np.random.default_rng([seed, 1])
    sizes = random.uniform(0.1, 0.35, (5, 7)) * (1.0, 0.8, 1.0, 1.0, 1.0, 1.0, 1.0)
    rates = 2.0 * np.pi * random.uniform(0.08, 1.0, (5, 7))
    phases = random.uniform(0.0, 6.0, (5, 7))
    stiffness = np.array([600.0, 900.0, 400.0, 400.0, 80.0, 80.0, 30.0])
    damping = np.array([18.0, 27.0, 12.0, 12.0, 1.8, 1.8, 0.6])
    limits = np.array([140.0, 140.0, 80.0, 80.0, 25.0, 25.0, 25.0])

    def efforts(time: float, positions: Any, velocities: Any) -> Any:
        share = np.clip(min(time % 10.0 - 0.5, 9.0 - time % 10.0), 0.0, 1.0)
        goal = (sizes * np.sin(rates * time + phases)).sum(axis=0)
        goal *= share * share * (3.0 - 2.0 * share)
        return np.clip(stiffness * (goal - positions) - damping * velocities, -limits, limits)

    return efforts


def _goals(seed: int) -> Control:
    """Positions along sums of four sines after a rest of 0.5 s."""
    random = np.random.default_rng([seed, 1])
    rates = 2.0 * np.pi * random.uniform(0.3, 2.5, (4, 3))
    phases = random.uniform(0.0, 6.0, (4, 3))
    return lambda time, *_: (
        (0.0, 0.7, -1.4)
        + min(max(2.0 * time - 1.0, 0.0), 1.0) * 0.12 * np.sin(rates * time + phases).sum(axis=0)
    )


def _moved(
    root: Any, joints: Sequence[str], control: Control, period: float, length: float, seed: int
) -> dict[str, list[tuple[float, Any]]]:
    """Messages of a robot that starts at rest, where its first command holds it."""
    model = mujoco.MjModel.from_xml_string(root.to_xml_string(), root.get_assets())
    data, random, step = mujoco.MjData(model), np.random.default_rng([seed, 2]), model.opt.timestep
    still = np.zeros(model.nv)
    data.ctrl[:] = control(0.0, data.qpos, still)
    mujoco.mj_step(model, data, round(2.0 / step))
    commands: list[tuple[float, Any]] = []
    states: list[tuple[float, Any]] = []
    before = None
    for k in range(round(length / step)):
        time = k * step
        if k % round(STATE_PERIOD_S / step) == 0:
            measured = QUANTUM * np.round(
                (data.qpos + random.normal(0.0, NOISE, model.nq)) / QUANTUM
            )
            velocities = still if before is None else (measured - before) / STATE_PERIOD_S
            before = measured
            states.append((time, robot.joint_state(time, list(joints), measured)))
        if k % round(period / step) == 0:
            commands.append((time, robot.array(list(control(time, measured, velocities)))))
        row = (k - round(DELAY_S / step)) // round(period / step)
        if row >= 0:
            data.ctrl[:] = commands[row][1].data
        mujoco.mj_step(model, data)
    return {robot.COMMANDS: commands, robot.STATES: states}
