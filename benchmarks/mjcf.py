"""The MJCF object model against dm_control's PyMJCF, and reading against lxml: CPU time."""

from __future__ import annotations

import gc
import os
import random
import statistics
import time
import tracemalloc
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from lxml import etree

from mujoco_ros_py import mjcf

from .result import LeftOutError, Result

_ROUNDS = 5
_BODIES = 2000
_HUMANOIDS = 50
_ELEMENTS = 14_000
_TIMES = 1000
Pair = tuple[float, float]
"""Of this package, and of what it is compared with."""


@cache
def _peer() -> Any:
    os.environ.setdefault('MUJOCO_GL', 'egl')  # it asks for a window otherwise
    try:
        from dm_control import mjcf as peer
    except ImportError as error:
        raise LeftOutError('dm_control is not installed: pip install dm_control') from error
    return peer


def measure_parse(name: str, limit: float) -> Result:
    """The worst of three models: humanoid_CMU, dog and one of 14,000 elements."""
    ours = [_of_parsing(text, folder, _peer()) for text, folder in _models()]
    return _worst(name, limit, ours)


def measure_parse_lxml(name: str, limit: float) -> Result:
    """The worst of the same models over lxml's parse alone."""
    return _worst(name, limit, [_of_lxml(*model) for model in _models()])


def measure_write(name: str, limit: float) -> Result:
    """The worst of the same models as XML again."""
    pairs = []
    for text, folder in _models():
        ours, theirs = (each.from_xml_string(text, model_dir=folder) for each in (mjcf, _peer()))
        pairs.append(_paired(ours.to_xml_string, theirs.to_xml_string))
    return _worst(name, limit, pairs)


def measure_build(name: str, limit: float) -> Result:
    """Bodies, each with a joint and a geom, made by the API."""
    return _worst(name, limit, [_paired(lambda: _build(mjcf), lambda: _build(_peer()))])


def measure_attach(name: str, limit: float) -> Result:
    """Humanoids attached to one world and written, their making left out."""
    pairs = [(_attach(mjcf), _attach(_peer())) for _ in range(_ROUNDS)]
    return _worst(name, limit, [_medians(pairs)])


def measure_find(name: str, limit: float) -> Result:
    """Every body of 2,000 by its name."""
    models = [_build(each) for each in (mjcf, _peer())]
    ours, theirs = (lambda model=model: _find(model) for model in models)
    return _worst(name, limit, [_paired(ours, theirs)])


def measure_find_attached(name: str, limit: float) -> Result:
    """Every body of 2,000 in an attached model, by its name with that model's."""
    models = [_attached(each) for each in (mjcf, _peer())]
    ours, theirs = (lambda model=model: _find(model, 'built/') for model in models)
    return _worst(name, limit, [_paired(ours, theirs)])


def measure_set(name: str, limit: float) -> Result:
    """Attributes of each kind, set a thousand times."""
    ours, theirs = (_Edited(each) for each in (mjcf, _peer()))
    pairs = [
        _paired(partial(edit, ours), partial(edit, theirs))
        for edit in (
            _Edited.list, _Edited.array, _Edited.text, _Edited.number, _Edited.whole,
            _Edited.word, _Edited.name, _Edited.element, _Edited.several,
        )
    ]  # fmt: skip
    return _worst(name, limit, pairs)


class _Edited:
    """A model of one of the libraries, attached to another one, that is edited."""

    def __init__(self, library: Any) -> None:
        host, model = (library.RootElement(model=name) for name in ('host', 'edited'))
        host.attach(model)
        self.body = model.worldbody.add('body', name='body')
        self.geom = self.body.add('geom', type='box', size=[0.1, 0.2, 0.3])
        self.joint = self.body.add('joint', name='hinge', type='hinge')
        self.motor = model.actuator.add('motor', joint=self.joint)
        self.numbers = np.array([1.0, 2.0, 3.0])

    def list(self) -> None:
        for _ in range(_TIMES):
            self.geom.pos = [1, 2.5, 3]

    def array(self) -> None:
        for _ in range(_TIMES):
            self.geom.pos = self.numbers

    def text(self) -> None:
        for _ in range(_TIMES):
            self.geom.pos = '1 2.5 3'

    def number(self) -> None:
        for _ in range(_TIMES):
            self.geom.mass = 1.5

    def whole(self) -> None:
        for _ in range(_TIMES):
            self.geom.group = 2

    def word(self) -> None:
        for _ in range(_TIMES):
            self.geom.type = 'box'

    def name(self) -> None:
        for _ in range(_TIMES // 2):
            self.body.name = 'other'
            self.body.name = 'body'

    def element(self) -> None:
        for _ in range(_TIMES):
            self.motor.joint = self.joint

    def several(self) -> None:
        for _ in range(_TIMES):
            self.geom.set_attributes(pos=[1, 2, 3], mass=2.0)


def measure_bind_cold(name: str, limit: float) -> Result:
    """Elements that were not bound before: each joint, and all of a kind."""
    ours, theirs = (_Used(mjcf), _Used(_peer_of_physics()))
    pairs = [
        _paired(partial(use, ours), partial(use, theirs))
        for use in (_Used.bind_each, _Used.bind_all)
    ]
    return _worst(name, limit, pairs)


def measure_bind(name: str, limit: float) -> Result:
    """What elements have in MuJoCo, read and written a thousand times; and steps with that."""
    ours, theirs = (_Used(mjcf), _Used(_peer_of_physics()))
    pairs = [
        _paired(partial(use, ours), partial(use, theirs))
        for use in (
            _Used.read_one, _Used.read_several, _Used.read_some, _Used.read_derived,
            _Used.write_one, _Used.write_several, _Used.write_some, _Used.write_number,
            _Used.read_named, _Used.write_named, _Used.step,
        )
    ]  # fmt: skip
    return _worst(name, limit, pairs)


def measure_memory(name: str, limit: float) -> Result:
    """What the model of 14,000 elements holds, in bytes of Python's allocator."""
    text = _large()
    ours, theirs = (_bytes(library, text) for library in (mjcf, _peer()))
    measured = f'{ours / 2**20:.1f} MiB against {theirs / 2**20:.1f} MiB'
    return Result(name=name, ratio=ours / theirs, rule='at most', limit=limit, measured=measured)


@cache
def _peer_of_physics() -> Any:
    """With what it takes to be in MuJoCo and is not in the installed one left out."""
    peer = _peer()
    from dm_control.mujoco.wrapper.mjbindings import sizes

    for struct, kind in (('mjmodel', mujoco.MjModel), ('mjdata', mujoco.MjData)):
        arrays = sizes.array_sizes[struct]
        for gone in [array for array in arrays if not hasattr(kind, array)]:
            del arrays[gone]
    return peer


class _Used:
    """A physics of one of the libraries in use."""

    def __init__(self, library: Any) -> None:
        model = library.from_path(str(Path(__file__).with_name('humanoid.xml')))
        self.physics = library.Physics.from_mjcf_model(model)
        self.joints = model.find_all('joint')[1:]
        self.one, self.some = self.joints[3], [*self.joints[2:9:3], self.joints[0]]
        self.bodies, self.motors = model.find_all('body'), model.find_all('actuator')

    def read_one(self) -> None:
        for _ in range(_TIMES):
            self.physics.bind(self.one).qpos  # noqa: B018

    def read_several(self) -> None:
        for _ in range(_TIMES):
            self.physics.bind(self.joints).qpos  # noqa: B018

    def read_some(self) -> None:
        for _ in range(_TIMES):
            self.physics.bind(self.some).qpos  # noqa: B018

    def read_derived(self) -> None:
        self.physics.forward()
        for _ in range(_TIMES):
            self.physics.bind(self.bodies).xpos  # noqa: B018

    def write_one(self) -> None:
        for _ in range(_TIMES):
            self.physics.bind(self.one).qpos = 0.1

    def write_several(self) -> None:
        for _ in range(_TIMES):
            self.physics.bind(self.joints).qpos = 0.1

    def write_some(self) -> None:
        for _ in range(_TIMES):
            self.physics.bind(self.some).qpos = 0.1

    def write_number(self) -> None:
        for _ in range(_TIMES):
            self.physics.bind(self.some).qpos[1] = 0.1

    def read_named(self) -> None:
        for _ in range(_TIMES):
            self.physics.named.data.xpos['torso', 'z']

    def write_named(self) -> None:
        for _ in range(_TIMES):
            self.physics.named.data.qvel[self.one.name] = 0.1

    def bind_each(self) -> None:
        self._forget()
        for joint in self.joints:
            self.physics.bind(joint).qpos  # noqa: B018

    def bind_all(self) -> None:
        self._forget()
        self.physics.bind(self.joints).qpos  # noqa: B018
        self.physics.bind(self.bodies).xpos  # noqa: B018

    def _forget(self) -> None:
        self.physics._bindings.clear()

    def step(self) -> None:
        with self.physics.reset_context():
            pass
        for _ in range(_TIMES // 10):
            self.physics.bind(self.motors).ctrl = 0.1
            self.physics.step()
            self.physics.bind(self.bodies).xpos  # noqa: B018


def _worst(name: str, limit: float, pairs: list[Pair]) -> Result:
    ours, theirs = max(pairs, key=lambda pair: pair[0] / pair[1])
    measured = ', '.join(f'{1e3 * a:.2f} ms against {1e3 * b:.2f} ms' for a, b in pairs)
    return Result(name=name, ratio=ours / theirs, rule='at most', limit=limit, measured=measured)


def _paired(ours: Callable[[], Any], theirs: Callable[[], Any]) -> Pair:
    return _medians([(_cpu(ours), _cpu(theirs)) for _ in range(_ROUNDS)])


def _medians(pairs: list[Pair]) -> Pair:
    ours, theirs = (statistics.median(each) for each in zip(*pairs, strict=True))
    return ours, theirs


def _cpu(function: Callable[[], Any]) -> float:
    """Seconds of CPU that a call takes, the mean of as many as fill a moment."""
    gc.collect()  # what the other one left
    count, start = 0, time.process_time()
    while count == 0 or time.process_time() - start < 0.05:
        function()
        count += 1
    return (time.process_time() - start) / count


def _of_parsing(text: str, folder: str, peer: Any) -> Pair:
    return _paired(
        lambda: mjcf.from_xml_string(text, model_dir=folder),
        lambda: peer.from_xml_string(text, model_dir=folder),
    )


def _of_lxml(text: str, folder: str) -> Pair:
    """What is included is read by ours alone."""
    content = text.encode()
    return _paired(
        lambda: mjcf.from_xml_string(content, model_dir=folder), lambda: etree.fromstring(content)
    )


def _models() -> list[tuple[str, str]]:
    """Texts, and the folders that they are relative to."""
    package = Path(_peer().__file__).parents[1]
    files = 'locomotion/walkers/assets/humanoid_CMU_V2020.xml', 'suite/dog.xml'
    read = [((package / file).read_text(), str((package / file).parent)) for file in files]
    return [*read, (_large(), '')]


@cache
def _large() -> str:
    numbers = random.Random(1)

    def point() -> str:
        return ' '.join(f'{numbers.uniform(-1, 1):.5g}' for _ in range(3))

    bodies = ''.join(
        f'<body name="b{k}" pos="{point()}">\n'
        f'  <joint name="j{k}" type="hinge" axis="0 0 1" range="-1 1"/>\n'
        f'  <geom name="g{k}" type="capsule" size="0.05 0.1" pos="{point()}" rgba="1 0 0 1"/>\n'
        f'  <site name="s{k}" pos="{point()}"/>\n</body>\n'
        for k in range(_ELEMENTS // 4)
    )
    return f'<mujoco model="large"><worldbody>{bodies}</worldbody></mujoco>'


def _build(library: Any) -> Any:
    model = library.RootElement(model='built')
    for k in range(_BODIES):
        body = model.worldbody.add('body', name=f'b{k}', pos=[k, 0, 1])
        body.add('joint', name=f'j{k}', type='hinge', axis=[0, 0, 1])
        body.add('geom', name=f'g{k}', type='box', size=[0.1, 0.2, 0.3])
    return model


def _attach(library: Any) -> float:
    text, folder = _models()[0]
    arena = library.RootElement(model='arena')
    walkers = [library.from_xml_string(text, model_dir=folder) for _ in range(_HUMANOIDS)]
    start = time.process_time()
    for k, walker in enumerate(walkers):
        arena.worldbody.add('site', pos=[k, 0, 0]).attach(walker).add('freejoint')
    arena.to_xml_string()
    return time.process_time() - start


def _find(model: Any, prefix: str = '') -> None:
    for k in range(_BODIES):
        model.find('body', f'{prefix}b{k}')


def _attached(library: Any) -> Any:
    host = library.RootElement(model='host')
    host.attach(_build(library))
    return host


def _bytes(library: Any, text: str) -> int:
    library.from_xml_string(text)  # what is made once is not of the model
    tracemalloc.start()
    try:
        model = library.from_xml_string(text)
        return tracemalloc.get_traced_memory()[0] if model is not None else 0
    finally:
        tracemalloc.stop()
