"""Generates the pictures of the documentation: `python -m docs.pictures [NAME ...]`."""

from __future__ import annotations

import argparse
import io
from collections.abc import Callable
from functools import partial
from pathlib import Path

from matplotlib.figure import Figure
from PIL import Image

from . import (
    bases,
    bodies,
    browser,
    controllers,
    diagrams,
    films,
    imperfections,
    markers,
    plots,
    rendered,
    rover_hall,
    scans,
    sensors,
    served,
    terminal,
    timelines,
)

FOLDER = Path(__file__).parents[1] / 'images'
COLORS = 256
"""The maximum number of colours in a picture; a small palette keeps files small."""
PICTURES: dict[str, Callable[[], Figure | Image.Image | bytes]] = {
    'actuator-commands': controllers.actuator_commands,
    'architecture': diagrams.architecture,
    'arm': served.arm,
    'bases': bases.limits,
    'batch': plots.batch,
    'body-wrench': bodies.body_wrench,
    'cameras': rendered.cameras,
    'coming-from-pymjcf': rendered.coming_from_pymjcf,
    'compound-sensors': sensors.compound_sensors,
    'contacts': scans.contacts,
    'controllers': plots.controllers,
    'depth-cloud': scans.depth_cloud,
    'diff-drive': bases.diff_drive,
    'emergency-stop': controllers.emergency_stop,
    'engine-plugins': rendered.engine_plugins,
    'example-robots': rendered.example_robots,
    'forward-command-controller': controllers.forward_command_controller,
    'from-ros2-control': diagrams.from_ros2_control,
    'imperfect-robot': imperfections.imperfect_robot,
    'joint-controller': controllers.joint_controller,
    'joint-trajectory-controller': controllers.joint_trajectory_controller,
    'lockstep': timelines.lockstep,
    'markers': markers.markers,
    'mecanum-drive': bases.mecanum_drive,
    'mjcf': rendered.mjcf_objects,
    'mjcf-command-line': terminal.mjcf_command_line,
    'mjcf-physics': plots.mjcf_physics,
    'mocap-pose': bodies.mocap_pose,
    'moveit': diagrams.moveit,
    'nav2': diagrams.nav2,
    'named-sensors': sensors.named_sensors,
    'noise': sensors.noise,
    'omni-wheel-drive': bases.omni_wheel_drive,
    'parallel-gripper': controllers.parallel_gripper,
    'parameters': diagrams.parameters,
    'planar-drive': bases.planar_drive,
    'plugins': diagrams.plugins,
    'real-time': timelines.real_time,
    'recordings': plots.recordings,
    'resource-providers': diagrams.resource_providers,
    'rover-hall': rover_hall.rover_hall,
    'scans': scans.scans,
    'sensors': sensors.sensors,
    'services': diagrams.services,
    'sessions': plots.sessions,
    'several-robots': diagrams.several_robots,
    'simulation-interfaces': diagrams.simulation_interfaces,
    'sweep': browser.sweep,
    'testing': terminal.testing,
    'topic-based-hardware': controllers.topic_based_hardware,
    'transforms': rendered.transforms,
    'urdf': diagrams.urdf,
    'viewer': diagrams.viewer,
    'viewer-page': browser.viewer,
    **{name: partial(films.render, film) for name, film in films.FILMS.items()},
}


def main() -> None:
    """Writes the given pictures, or all pictures."""
    parser = argparse.ArgumentParser('python -m docs.pictures', description=__doc__)
    parser.add_argument('names', nargs='*', metavar='NAME', help=', '.join(PICTURES))
    parser.add_argument('--into', type=Path, default=FOLDER, metavar='FOLDER')
    given = parser.parse_args()
    for name in given.names or PICTURES:
        made = PICTURES[name]()
        if isinstance(made, bytes):
            path = given.into / f'{name}.webp'
            path.write_bytes(made)
            image = Image.open(path)
        else:
            path, image = given.into / f'{name}.png', _image(made)
            image.save(path, optimize=True)
        print(f'{path}: {image.width} x {image.height}, {path.stat().st_size // 1024} KiB')


def _image(made: Figure | Image.Image) -> Image.Image:
    """Returns the picture with a palette. Keeps the palette of a picture that has one."""
    if isinstance(made, Figure):
        content = io.BytesIO()
        made.savefig(content, format='png')
        made = Image.open(content).convert('RGB')
    if made.mode == 'P':
        return made
    return made.quantize(COLORS, dither=Image.Dither.FLOYDSTEINBERG)


if __name__ == '__main__':
    main()
