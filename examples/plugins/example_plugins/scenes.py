from math import cos, pi, sin

from mujoco_ros_py import mjcf
from mujoco_ros_py.engine.resources import local_path

ARM = 'package://mujoco_ros_py/examples/arm.xml'


def arena(arms=2, radius=0.6):
    """Returns a scene with arms in a ring, all facing a ball in the centre."""
    scene = mjcf.RootElement(model='arena')
    scene.compiler.angle = 'radian'
    world = scene.worldbody
    world.add('light', pos=[0, 0, 4])
    world.add('geom', name='ground', type='plane', size=[0, 0, 0.1])
    ball = world.add('body', name='ball', pos=[0, 0, 0.1])
    ball.add('freejoint', name='ball')
    ball.add('geom', name='ball', size=[0.1])
    for number in range(arms):
        turn = 2 * pi * number / arms
        place = [-radius * cos(turn), -radius * sin(turn), 0]
        world.add('site', pos=place, euler=[0, 0, turn]).attach(arm(f'arm{number + 1}'))
    return scene


def arm(name):
    """Returns the arm without the floor and lights of its file."""
    model = mjcf.from_path(local_path(ARM))
    model.model = name
    for element in [model.worldbody.geom['floor'], *model.find_all('light')]:
        element.remove()
    return model
