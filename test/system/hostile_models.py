"""Makes hostile models, and damaged compiled ones, each from a seed.

The models of a seed are the same in every run.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import mujoco
import numpy as np

RICH = """<mujoco model="rich"><option timestep="0.002"/><size nuserdata="3" memory="10M"/>
<default><default class="c"><geom friction="0.5"/></default></default>
<asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1" scale="1 1 1"/>
<hfield name="h" nrow="2" ncol="2" size="1 1 1 1" elevation="0 1 0 1"/>
<texture name="t" type="2d" builtin="checker" width="8" height="8" rgb1="1 1 1"/>
<material name="p" texture="t" texrepeat="1 1"/></asset>
<worldbody><geom name="ground" type="hfield" hfield="h" material="p"/><light pos="0 0 3"/>
<camera name="cam" fovy="45"/>
<body name="a" pos="0 0 1"><freejoint/><geom type="mesh" mesh="m" mass="1"/><site name="s"/>
<body name="b" pos="0 0 0.5"><joint name="j" type="ball" range="0 1"/>
<geom name="g" class="c" size="0.1"/><site name="e" pos="0.2 0 0"/></body></body>
<replicate count="3" offset="0.5 0 0"><body pos="0 1 2"><joint type="slide"/><geom size="0.1"/>
</body></replicate>
<flexcomp name="f" type="grid" count="3 3 1" spacing="0.1 0.1 0.1" radius="0.01" dim="2" mass="1"/>
</worldbody>
<tendon><spatial name="n" range="0 1"><site site="s"/><geom geom="g"/><site site="e"/></spatial>
</tendon>
<contact><exclude body1="a" body2="b"/><pair geom1="g" geom2="ground" condim="3"/></contact>
<equality><connect body1="a" body2="b" anchor="0 0 0"/></equality>
<actuator><position tendon="n" kp="1"/>
<general site="s" refsite="e" dyntype="filter" dynprm="0.1"/></actuator>
<sensor><framepos objtype="site" objname="s"/><touch site="s"/><rangefinder site="e"/>
<user dim="3" objtype="body" objname="a"/></sensor>
<custom><numeric name="v" size="3" data="1 2"/><text name="x" data="hello"/></custom>
<keyframe><key name="k" time="1"/></keyframe></mujoco>"""

_VALUES = (
    'nan', 'inf', '-inf', '1e308', '-1e308', '1e-308', '0', '-1', '2147483647', '-2147483648',
    '4294967296', '99999999999999999999', '1e9', '100000000', '1000000', '0x7f', '', ' ', 'none',
    'mesh', 'free', 'world', '../../etc/passwd', '/dev/zero', '/proc/self/mem', '%s%n', 'a' * 1000,
    '1 ' * 1000, 'nan nan nan', '0 0 0', '1e308 1e308 1e308', '100T', '\u00e9\u4e2d',
)  # fmt: skip
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
_SIZES = (
    'nuser_body', 'nuser_jnt', 'nuser_geom', 'nuser_site', 'nuser_cam', 'nuser_tendon',
    'nuser_actuator', 'nuser_sensor', 'nuserdata', 'nkey', 'memory', 'nstack', 'nconmax', 'njmax',
)  # fmt: skip
_Make = Callable[[random.Random, Path], str]
_KINDS: list[_Make] = []


def hostile(seed: int, folder: Path) -> Path:
    """Writes a model into the folder, and returns the file."""
    rng = random.Random(seed)
    path = folder / f'hostile_{seed}.xml'
    path.write_text(rng.choice(_KINDS)(rng, path))
    return path


def damaged(seed: int, folder: Path) -> Path:
    """Writes a compiled model with some changed bytes into the folder, and returns the file."""
    rng = random.Random(seed)
    content = bytearray(_compiled())
    size = len(content)
    place = rng.randrange(size)
    kind = rng.randrange(6)
    if kind == 0:
        content[place] = rng.randrange(256)
    elif kind == 1:
        for _ in range(rng.choice([4, 16, 64, 256])):
            content[rng.randrange(size)] = rng.randrange(256)
    elif kind == 2:
        words = b'\xff' * 4, b'\xff\xff\xff\x7f', b'\0\0\0\x80', b'\1\0\0\0', rng.randbytes(4)
        content[place // 4 * 4 : place // 4 * 4 + 4] = rng.choice(words)
    elif kind == 3:
        del content[place:]
    elif kind == 4:
        end = min(size, place + rng.choice([8, 64, 512]))
        content[place:end] = rng.choice([b'\0', b'\xff']) * (end - place)
    else:
        head = place % 2000 // 4 * 4
        content[head : head + 4] = rng.randbytes(4)
    path = folder / f'damaged_{seed}.mjb'
    path.write_bytes(content)
    return path


@cache
def _compiled() -> bytes:
    model = mujoco.MjModel.from_xml_string(RICH)
    content = np.empty(mujoco.mj_sizeModel(model), np.uint8)
    mujoco.mj_saveModel(model, None, content)
    return content.tobytes()


def _kind(make: _Make) -> _Make:
    _KINDS.append(make)
    return make


def _world(content: str) -> str:
    return f'<mujoco><worldbody>{content}</worldbody></mujoco>'


@_kind
def _other_values(rng: random.Random, path: Path) -> str:
    """Gives some attributes of a model absurd values."""
    places = list(_ATTRIBUTE.finditer(RICH))
    text = RICH
    for place in sorted(rng.sample(places, rng.randint(1, 4)), key=lambda each: -each.start()):
        text = f'{text[: place.start(2)]}{rng.choice(_VALUES)}{text[place.end(2) :]}'
    return text


_KINDS += 5 * [_other_values]


@_kind
def _moved_elements(rng: random.Random, path: Path) -> str:
    """Omits, doubles or moves some tags."""
    tags = re.findall(r'<[^>]*>', RICH)
    for _ in range(rng.randint(1, 4)):
        place = rng.randrange(len(tags))
        change = rng.choice(['remove', 'double', 'move'])
        tag = tags.pop(place)
        tags[place:place] = [tag, tag] if change == 'double' else []
        if change == 'move':
            tags.insert(rng.randrange(len(tags)), tag)
    return ''.join(tags)


@_kind
def _huge_sizes(rng: random.Random, path: Path) -> str:
    name, count = rng.choice(_SIZES), rng.choice([10**6, 10**8, 2 * 10**9, 10**12])
    body = '<body><geom size="1"/></body>'
    return f'<mujoco><size {name}="{count}"/><worldbody>{body}</worldbody></mujoco>'


@_kind
def _huge_counts(rng: random.Random, path: Path) -> str:
    count = 10 ** rng.randint(2, 9)
    return rng.choice(
        [
            f'<mujoco><asset><hfield name="h" nrow="{count}" ncol="{count}" size="1 1 1 1"/>'
            '</asset><worldbody><geom type="hfield" hfield="h"/></worldbody></mujoco>',
            f'<mujoco><asset><texture name="t" type="2d" builtin="flat" width="{count}"'
            f' height="{count}"/></asset></mujoco>',
            f'<mujoco><sensor><user dim="{count}"/></sensor></mujoco>',
            f'<mujoco><custom><numeric name="n" size="{count}"/></custom></mujoco>',
            _world(f'<replicate count="{count}"><geom size="1"/></replicate>'),
            _world(
                f'<flexcomp name="f" type="grid" count="{count} {count} 2" dim="3"'
                ' spacing="1 1 1"/>'
            ),
            _world(
                f'<composite type="cable" count="{count} 1 1" size="1" curve="s"><geom size="1"'
                ' type="capsule"/></composite>'
            ),
            f'<mujoco><keyframe><key qpos="{"1 " * min(count, 10**6)}"/></keyframe></mujoco>',
        ]
    )


@_kind
def _circles(rng: random.Random, path: Path) -> str:
    length = rng.randint(1, 4)
    names = [path.name, *(f'{path.stem}_{number}.xml' for number in range(1, length))]
    texts = [_attaching(name, names[(index + 1) % length]) for index, name in enumerate(names)]
    for name, text in zip(names[1:], texts[1:], strict=True):
        (path.parent / name).write_text(text)
    return texts[0]


def _attaching(name: str, file: str) -> str:
    return f"""<mujoco model="{name}"><asset><model name="o" file="{file}"/></asset><worldbody>
    <body name="b"><frame><attach model="o" body="b" prefix="x"/></frame></body></worldbody>
    </mujoco>"""


@_kind
def _depths(rng: random.Random, path: Path) -> str:
    depth, tag = 10 ** rng.randint(1, 5), rng.choice(['body', 'frame'])
    return _world(f'<{tag}>' * depth + '<geom size="1"/>' + f'</{tag}>' * depth)


@_kind
def _nested_replicas(rng: random.Random, path: Path) -> str:
    depth, count = rng.randint(2, 12), rng.choice([2, 10, 100])
    inner = '<geom size="1"/>'
    return _world(f'<replicate count="{count}">' * depth + inner + '</replicate>' * depth)


@_kind
def _long_texts(rng: random.Random, path: Path) -> str:
    long = rng.choice(['a', '1 ', '../', '&amp;', '%n']) * 10 ** rng.randint(3, 6)
    return rng.choice(
        [
            f'<mujoco model="{long}"/>',
            _world(f'<body name="{long}"/>'),
            _world(f'<geom size="{long}"/>'),
            f'<mujoco><include file="{long}"/></mujoco>',
            f'<mujoco><asset><mesh name="m" vertex="{long}"/></asset></mujoco>',
        ]
    )


@_kind
def _wild_meshes(rng: random.Random, path: Path) -> str:
    values = [
        rng.choice(['0', '1', 'nan', '1e30', '-1e-30']) for _ in range(3 * rng.randint(1, 50))
    ]
    faces = [str(rng.randint(-2, 60)) for _ in range(3 * rng.randint(1, 50))]
    return (
        f'<mujoco><asset><mesh name="m" vertex="{" ".join(values)}" face="{" ".join(faces)}"/>'
        '</asset><worldbody><body><freejoint/><geom type="mesh" mesh="m"/></body></worldbody>'
        '</mujoco>'
    )


@_kind
def _waiting_files(rng: random.Random, path: Path) -> str:
    file = rng.choice(['/dev/zero', '/dev/urandom', '/proc/self/maps', '/', str(path)])
    return rng.choice(
        [
            f'<mujoco><include file="{file}"/></mujoco>',
            f'<mujoco><asset><mesh name="m" file="{file}" content_type="model/stl"/></asset>'
            '</mujoco>',
            f'<mujoco><asset><hfield name="h" file="{file}" size="1 1 1 1"/></asset></mujoco>',
        ]
    )
