"""Films of the example models, driven by their actuators."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import mujoco
import numpy as np
from PIL import Image as Picture

from .rendered import EXAMPLES

SIZE = 400, 300
FPS = 12
QUALITY = 45

Motion = Callable[[mujoco.MjModel, mujoco.MjData], None]
"""A function that sets the controls for the current time."""


@dataclass(frozen=True, kw_only=True)
class Film:
    """A model, its motion, and a camera."""

    model: str
    """The name of a file in examples/."""
    motion: Motion
    """Called before each step."""
    begin: Motion = lambda model, data: None
    """Called once at the start, to set the initial pose."""
    look_at: tuple[float, float, float] = (0.0, 0.0, 0.1)
    """The point at the centre of the picture, in m."""
    distance: float = 1.5
    """The distance of the camera from `look_at`, in m."""
    azimuth: float = 135.0
    elevation: float = -25.0
    seconds: float = 3.0


def swing(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Does nothing: the pendulum swings by itself."""


def lift(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Starts the pendulum on one side."""
    data.qpos[0] = 2.4


def wave(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Moves the joints of the arm in slow sine waves, with spring-damper torques."""
    phase = 2 * math.pi * data.time / 3.0 + np.arange(7)
    wanted = np.array([0.6, 0.5, 0.5, 0.6, 0.5, 0.5, 0.5]) * np.sin(phase)
    wanted += [0.0, 0.5, 0.0, 1.2, 0.0, 0.6, 0.0]
    stiffness = np.array([400, 400, 250, 250, 60, 60, 20])
    torque = stiffness * (wanted - data.qpos[:7]) - 0.12 * stiffness * data.qvel[:7]
    data.ctrl[:] = torque + data.qfrc_bias[:7]


def drive(*speeds: float) -> Motion:
    """Returns a motion that turns the wheels at constant speeds, in rad/s."""

    def turn(model: mujoco.MjModel, data: mujoco.MjData) -> None:
        data.ctrl[:] = speeds

    return turn


HOLDING = {'joint1': -0.418, 'joint2': 0.8, 'joint3': -1.5, 'joint4': -0.87, 'joint5': -0.418}
"""The joint positions of the picker while it holds the cube, in rad."""


def grasp(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Places the cube in the hand."""
    for name, value in {**HOLDING, 'finger': 0.02, 'finger_mimic': 0.02}.items():
        data.joint(name).qpos = value
    mujoco.mj_forward(model, data)
    data.joint('cube').qpos = [*data.site('grasp').xpos, 1, 0, 0, 0]


def carry(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Lifts the cube, and swings it to the other side."""
    part = 0.5 - 0.5 * math.cos(math.pi * min(1.0, data.time / 2.5))
    for name, value in HOLDING.items():
        data.actuator(name).ctrl = value
    data.actuator('joint1').ctrl = HOLDING['joint1'] + 0.9 * part
    data.actuator('joint2').ctrl = HOLDING['joint2'] - 0.5 * part
    data.actuator('finger').ctrl = 0.0


def home(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Places the quadruped in its standing pose."""
    mujoco.mj_resetDataKeyframe(model, data, model.key('home').id)


def bow(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Bends the front and rear knees in turn."""
    data.ctrl[:] = model.key('home').ctrl
    for number, end in enumerate(('front', 'rear')):
        bend = 0.25 * (1 - math.cos(2 * math.pi * data.time / 1.5 + math.pi * number))
        for side in ('left', 'right'):
            data.actuator(f'{end}_{side}_hip').ctrl += 0.5 * bend
            data.actuator(f'{end}_{side}_knee').ctrl -= bend


def stand_in_hall(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Places the cart at the start pose of its program."""
    data.joint('base').qpos = [-2.2, -1.9, 0.1, 1.0, 0.0, 0.0, 0.0]


FILMS = {
    'film-arm': Film(
        model='arm.xml', motion=wave, look_at=(0.0, 0.0, 0.6), distance=2.4, elevation=-15.0
    ),
    'film-mecanum': Film(model='mecanum.xml', motion=drive(3, -3, 3, -3), distance=2.5),
    'film-omni': Film(
        model='omni.xml', motion=drive(0, -5, 5), distance=2.0
    ),
    'film-pendulum': Film(
        model='pendulum.xml', motion=swing, begin=lift, look_at=(0.0, 0.0, 0.6),
        distance=3.0, azimuth=90.0, elevation=-5.0,
    ),
    'film-picker': Film(
        model='picker.xml', motion=carry, begin=grasp, look_at=(0.35, 0.0, 0.3), distance=1.6
    ),
    'film-quadruped': Film(model='quadruped.xml', motion=bow, begin=home, look_at=(0, 0, 0.2)),
    'film-rover': Film(
        model='rover.xml', motion=drive(6, 3), look_at=(0.2, -0.45, 0.1), distance=2.4
    ),
    'film-rover-hall': Film(
        model='rover_hall.xml', motion=drive(5, 5), begin=stand_in_hall, distance=9.0,
        look_at=(0.0, 0.0, 0.0), azimuth=90.0, elevation=-60.0,
    ),
}  # fmt: skip


def render(film: Film) -> bytes:
    """Returns a film as an animated WebP that loops."""
    first, *others = [Picture.fromarray(each) for each in _images(film)]
    content = io.BytesIO()
    first.save(
        content, 'webp', save_all=True, append_images=others, loop=0, method=6,
        duration=round(1000 / FPS), quality=QUALITY,
    )  # fmt: skip
    return content.getvalue()


def _images(film: Film) -> Iterator[np.ndarray]:
    model = mujoco.MjModel.from_xml_path(str(EXAMPLES / film.model))
    width, height = SIZE
    model.vis.global_.offwidth, model.vis.global_.offheight = width, height
    data, camera = mujoco.MjData(model), mujoco.MjvCamera()
    camera.distance, camera.azimuth = film.distance, film.azimuth
    camera.elevation, camera.lookat[:] = film.elevation, film.look_at
    film.begin(model, data)
    mujoco.mj_forward(model, data)
    with mujoco.Renderer(model, height, width) as renderer:
        for number in range(round(FPS * film.seconds)):
            while data.time < number / FPS:
                film.motion(model, data)
                mujoco.mj_step(model, data)
            renderer.update_scene(data, camera)
            yield renderer.render()
