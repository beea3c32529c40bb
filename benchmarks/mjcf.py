"""The MJCF object model against dm_control's PyMJCF, and reading against lxml, in CPU time."""

from __future__ import annotations

import random
import time
import tracemalloc
from functools import cache, partial
from pathlib import Path
from typing import Any

from lxml import etree

from mujoco_ros_py import mjcf

from .pairs import ROUNDS, Pair, fastest, paired, peer, worst
from .result import Result

_BODIES = 2000
_HUMANOIDS = 50
_ELEMENTS = 14_000


def measure_parse(name: str, limit: float) -> Result:
    """Reads three models, humanoid_CMU, dog and one of 14,000 elements; the worst ratio counts."""
    ours = [_of_parsing(text, folder) for text, folder in _models()]
    return worst(name, limit, ours)


def measure_parse_lxml(name: str, limit: float) -> Result:
    """Reads the same models, over parsing by lxml alone; the worst ratio counts."""
    return worst(name, limit, [_of_lxml(*model) for model in _models()])


def measure_write(name: str, limit: float) -> Result:
    """Writes the same models as XML; the worst ratio counts."""
    pairs = []
    for text, folder in _models():
        ours, theirs = (each.from_xml_string(text, model_dir=folder) for each in (mjcf, peer()))
        pairs.append(paired(ours.to_xml_string, theirs.to_xml_string))
    return worst(name, limit, pairs)


def measure_build(name: str, limit: float) -> Result:
    """Builds bodies, each with a joint and a geom, by the API."""
    return worst(name, limit, [paired(lambda: _build(mjcf), lambda: _build(peer()))])


def measure_attach(name: str, limit: float) -> Result:
    """Attaches humanoids, made before, to one world, and writes the world."""
    pairs = [(_attach(mjcf), _attach(peer())) for _ in range(ROUNDS)]
    return worst(name, limit, [fastest(pairs)])


def measure_find(name: str, limit: float) -> Result:
    """Finds each of 2,000 bodies by name."""
    models = [_build(each) for each in (mjcf, peer())]
    ours, theirs = (lambda model=model: _find(model) for model in models)
    return worst(name, limit, [paired(ours, theirs)])


def measure_find_attached(name: str, limit: float) -> Result:
    """Finds each of 2,000 bodies of an attached model by its prefixed name."""
    models = [_attached(each) for each in (mjcf, peer())]
    ours, theirs = (lambda model=model: _find(model, 'built/') for model in models)
    return worst(name, limit, [paired(ours, theirs)])


def measure_find_below(name: str, limit: float) -> Result:
    """Finds bodies from a body of the model, and from a body of its host."""
    below: list[list[Any]] = [[], []]
    for found, library in zip(below, (mjcf, peer()), strict=True):
        found += [_build(library, 'top').find('body', 'top'), _attached(library).worldbody]
    pairs = []
    for prefix, ours, theirs in zip(('', 'built/'), *below, strict=True):
        pairs.append(paired(partial(_find, ours, prefix), partial(_find, theirs, prefix)))
    return worst(name, limit, pairs)


def measure_memory(name: str, limit: float) -> Result:
    """Measures the size in Python's allocator of the model with 14,000 elements, in bytes."""
    text = _large()
    ours, theirs = (_bytes(library, text) for library in (mjcf, peer()))
    measured = f'{ours / 2**20:.1f} MiB against {theirs / 2**20:.1f} MiB'
    return Result(name=name, ratio=ours / theirs, rule='at most', limit=limit, measured=measured)


def _of_parsing(text: str, folder: str) -> Pair:
    return paired(
        lambda: mjcf.from_xml_string(text, model_dir=folder),
        lambda: peer().from_xml_string(text, model_dir=folder),
    )


def _of_lxml(text: str, folder: str) -> Pair:
    """Parses a text by lxml; only this package reads the included files."""
    content = text.encode()

    def ours() -> Any:
        return mjcf.from_xml_string(content, model_dir=folder)

    return paired(ours, lambda: etree.fromstring(content), rounds=5 * ROUNDS)


def _models() -> list[tuple[str, str]]:
    """Returns the texts, and the folders that they are relative to."""
    package = Path(peer().__file__).parents[1]
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


def _build(library: Any, top: str = '') -> Any:
    model = library.RootElement(model='built')
    above = model.worldbody.add('body', name=top) if top else model.worldbody
    for k in range(_BODIES):
        body = above.add('body', name=f'b{k}', pos=[k, 0, 1])
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
    library.from_xml_string(text)  # memory that is allocated only once does not count
    tracemalloc.start()
    try:
        model = library.from_xml_string(text)
        return tracemalloc.get_traced_memory()[0] if model is not None else 0
    finally:
        tracemalloc.stop()
