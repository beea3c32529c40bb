"""Whatever a text has in it, reading gives a model that can be written, or an MjcfError."""

import random

import pytest

from mujoco_ros_py import mjcf
from mujoco_ros_py.errors import MjcfError
from mujoco_ros_py.mjcf import checking
from mujoco_ros_py.mjcf.formatting import formatted

MODEL = """<?xml version="1.0" encoding="utf-8"?>
<mujoco model="robot">
  <compiler angle="radian" autolimits="true"/>
  <option timestep="0.002" iterations="50"><flag gravity="disable"/></option>
  <default class="main">
    <geom rgba="1 0 0 1" friction="1 0.5 0.1"/>
    <default class="arm"><joint damping="0.5" range="-1 1"/></default>
  </default>
  <include file="assets.xml"/>
  <worldbody>
    <light name="sun" pos="0 0 3" dir="0 0 -1"/><!-- a comment -->
    <body name="base" pos="0 0 1e-1" childclass="arm"><freejoint name="root"/>
      <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
      <geom name="hull" type="box" size=".1 .2 .3" material="blue &amp; white"/>
      <frame name="f" pos="0 1 0"><site name="tip" size="0.01"/></frame>
      <replicate count="2" euler="0 0 1"><geom type="sphere" size="0.1"/></replicate>
      <body name="arm"><joint name="hinge" type="hinge" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0 0 1" size="0.05" user="1 2 3"/></body>
    </body>
  </worldbody>
  <contact><pair geom1="hull" geom2="hull"/><exclude body1="base" body2="arm"/></contact>
  <actuator><motor name="drive" joint="hinge" gear="10"/></actuator>
  <sensor><framepos objtype="body" objname="arm"/><jointpos joint="hinge"/></sensor>
  <custom><numeric name="n" data="1 2"/><text name="t" data="x"/></custom>
  <keyframe><key name="home" qpos="0 0 0 1 0 0 0 0"/></keyframe>
</mujoco>
"""
ASSETS = b'<mujocoinclude><asset><material name="blue &amp; white"/></asset></mujocoinclude>'
PIECES = [
    '<', '>', '"', '&', "'", '/', '/>', '</', '<!--', '-->', '<![CDATA[', ']]>', '<?xml?>', '\x00',
    '<!DOCTYPE a [<!ENTITY e "e">]>', '&e;', '&#0;', '&#xD800;', '&#x110000;', '\ufeff', 'nan',
    '1e999', '1_0', '\u0661', 'inf', '-', '9' * 5000, 'UTF-16', 'name="x"', 'class="arm"',
    '<body>', '</body>', '<default>', '<geom/>', '<frame foo="1">', '<include file="assets.xml"/>',
    'world', '<include file="loop.xml"/>', '<include/>', 'mujoco', '\ud800', '\x7f', '\x85',
    '<geom size="',
]  # fmt: skip


def mutated(chance: random.Random) -> str:
    """The model after a few cuts, copies, swaps and insertions."""
    text = MODEL
    for _ in range(chance.randint(1, 3)):
        start = chance.randrange(len(text))
        stop = min(len(text), start + chance.choice((1, 1, 2, 5, 20, 200)))
        change = chance.choice((0, 1, 2, 3, 3, 3, 3, 4))
        if change == 0:
            text = text[:start] + text[stop:]
        elif change == 1:
            text = text[:stop] + text[start:stop] + text[stop:]
        elif change == 2:
            text = text[:start] + chance.choice(PIECES) + text[start:]
        elif change == 3:
            words = text.split('"')
            words[chance.randrange(1, len(words), 2)] = chance.choice(words[1::2])
            text = '"'.join(words)
        else:
            text = text[:start] + chance.choice(PIECES) + text[stop:]
    return text


def check(text: str | bytes) -> bool:
    """Whether it can be read; then what is written of it can be read, and is written the same."""
    assets = {'assets.xml': ASSETS, 'loop.xml': b'<mujoco><include file="loop.xml"/></mujoco>'}
    try:
        model = mjcf.from_xml_string(text, assets=assets)
    except MjcfError:
        return False
    written = model.to_xml_string()
    assert mjcf.from_xml_string(written).to_xml_string() == written
    return True


@pytest.mark.filterwarnings('ignore:.*MuJoCo ignores')
@pytest.mark.parametrize('seed', range(4))
def test_a_damaged_model_is_read_or_refused_with_an_error_of_mjcf(seed):
    chance = random.Random(seed)
    texts = [mutated(chance) for _ in range(500)]
    read = sum(check(text) for text in texts)
    assert 0 < read < 500


@pytest.mark.filterwarnings('ignore:.*MuJoCo ignores')
def test_damaged_bytes_are_read_or_refused_with_an_error_of_mjcf():
    chance = random.Random(0)
    read = 0
    for _ in range(1000):
        content = bytearray(MODEL.encode())
        for _ in range(chance.randint(1, 3)):
            content[chance.randrange(len(content))] = chance.randrange(256)
        read += check(bytes(content))
    assert 0 < read < 1000


def first_error(content: bytes) -> str:
    try:
        mjcf.from_xml_string(content, assets={'assets.xml': ASSETS})
    except MjcfError as error:
        return str(error)
    return ''


@pytest.mark.filterwarnings('ignore:.*MuJoCo ignores')
@pytest.mark.parametrize('seed', range(2))
def test_the_first_fault_that_checking_finds_is_that_with_which_reading_ends(seed):
    chance, most = random.Random(seed), 0
    for _ in range(500):
        content = mutated(chance).encode(errors='replace')
        errors, _ = checking.check(content, '', {'assets.xml': ASSETS}, compiled=False)
        strict = first_error(content)
        if strict:
            assert str(errors[0]) == strict
        most = max(most, len(errors))
    assert most > 1


def formatted_or_refused(content: bytes) -> bytes | str:
    try:
        return formatted(content)
    except MjcfError as error:
        return str(error)


@pytest.mark.filterwarnings('ignore:.*MuJoCo ignores')
def test_a_damaged_file_is_formatted_and_says_the_same_or_is_refused():
    chance, done = random.Random(0), 0
    for _ in range(500):
        content = mutated(chance).encode(errors='replace')
        result = formatted_or_refused(content)
        if isinstance(result, str):
            assert result.startswith('Line ')  # and not that it would say something else
            continue
        assert formatted(result) == result
        assert bool(first_error(result)) == bool(first_error(content))
        done += 1
    assert 0 < done < 500


def test_noise_is_refused():
    chance = random.Random(0)
    for length in range(300):
        with pytest.raises(MjcfError):
            mjcf.from_xml_string(chance.randbytes(length))
