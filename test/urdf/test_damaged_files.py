"""Damaged robots and meshes are read, or rejected with a UrdfError and no other error."""

from __future__ import annotations

import contextlib
import random
import re

import pytest

from mujoco_ros_py.errors import UrdfError
from mujoco_ros_py.urdf import read_urdf

from .conftest import ARM
from .test_actuators import TRANSMISSION, control
from .test_meshes import COLLADA, OBJ, STL_TEXT, shape

pytestmark = pytest.mark.slow

ROBOT = ARM.format(
    upper=shape('visual', 'a.dae', 'scale="1 2 3"') + shape('collision', 'b.stl'),
    elbow='<dynamics damping="0.5"/><mimic joint="turn" multiplier="2"/>',
    more=(
        control('position', 'effort', min=-1, max=1)
        + TRANSMISSION.format('EffortJointInterface', 'm', 2)
        + '<link name="tool"/><joint name="turn" type="planar"><parent link="upper"/>'
        '<child link="tool"/><axis xyz="0 0 1"/></joint>'
        '<material name="red"><color rgba="1 0 0 1"/></material>'
        '<gazebo reference="upper"><mu1>1</mu1><selfCollide>0</selfCollide></gazebo>'
        '<mujoco><option timestep="0.001"/></mujoco>'
    ),
)
WORDS = (
    *('', '0', '-1', '1e400', '-inf', 'nan', '1 2', '1 2 3', 'x', '9' * 30, 'world', '/', '\n'),
    *('a' * 300, 'fixed', 'floating', 'elbow', 'upper', 'base', '${x}', 'file:///', 'a.dae'),
)
SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.nightly) for seed in range(1, 20))]
TEXT = re.compile(r'(?<=")[^"<>]*(?=")|(?<=>)[^<>]+(?=<)')
TAG = re.compile(r'<[^<>]*>')


def damaged(text: str, chance: random.Random) -> str:
    """Returns the text with some values replaced, or with some tags removed or doubled."""
    for _ in range(chance.randint(1, 3)):
        found = list((TEXT if chance.random() < 0.8 else TAG).finditer(text))
        one = chance.choice(found)
        new = chance.choice(WORDS)
        if one[0].startswith('<'):
            new = one[0] * chance.choice((0, 2))
        text = text[: one.start()] + new + text[one.end() :]
    return text


def with_another_word(text: str, chance: random.Random) -> str:
    words = text.split()
    words[chance.randrange(len(words))] = chance.choice(WORDS)
    return ' '.join(words)


@pytest.mark.filterwarnings('ignore::RuntimeWarning')
@pytest.mark.parametrize('seed', SEEDS)
def test_a_damaged_robot_is_refused_or_read(seed):
    chance = random.Random(seed)
    files = {'a.dae': COLLADA, 'b.stl': STL_TEXT, 'c.obj': OBJ}
    for _ in range(50):
        with contextlib.suppress(UrdfError):
            made = read_urdf(damaged(ROBOT, chance), assets=files, folder='/nowhere')
            made.model.to_xml_string()


@pytest.mark.filterwarnings('ignore::RuntimeWarning')
@pytest.mark.parametrize('seed', SEEDS)
def test_a_robot_with_a_damaged_mesh_is_refused_or_read(seed):
    chance = random.Random(seed)
    for _ in range(50):
        files = {
            'a.dae': damaged(COLLADA.decode(), chance).encode(errors='surrogatepass'),
            'b.stl': with_another_word(STL_TEXT.decode(), chance).encode(),
        }
        with contextlib.suppress(UrdfError):
            read_urdf(ROBOT, assets=files)


def test_a_chain_that_is_too_long_is_refused():
    def chain(count: int) -> str:
        links = ''.join(f'<link name="l{k}"/>' for k in range(count))
        joints = ''.join(
            f'<joint name="j{k}" type="fixed"><parent link="l{k}"/>'
            f'<child link="l{k + 1}"/></joint>'
            for k in range(count - 1)
        )
        return f'<robot name="r">{links}{joints}</robot>'

    with pytest.raises(UrdfError, match='"j494">: more than 494 joints in a chain'):
        read_urdf(chain(3000))
    read_urdf(chain(495)).model.to_xml_string()
