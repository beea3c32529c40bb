"""The CPU time of the MJCF object model, relative to dm_control's PyMJCF and to lxml."""

from __future__ import annotations

import random
import time
import tracemalloc
from functools import partial
from pathlib import Path
from typing import Any

from lxml import etree

from mujoco_ros_py import mjcf

from .pairs import in_turn, peer
from .rounds import Rounds

_BODIES = 2000
_HUMANOIDS = 20


def measure_parse() -> Rounds:
    """Reads three models: humanoid_CMU, dog, and a model of 14,000 elements."""
    return in_turn(**{
        case: tuple(partial(each.from_xml_string, text, model_dir=folder) for each in _both())
        for case, text, folder in _models()
    })  # fmt: skip


def measure_parse_lxml() -> Rounds:
    """Reads the same models; the counterpart only parses with lxml, without included files."""
    return in_turn(**{
        case: (
            partial(mjcf.from_xml_string, text.encode(), model_dir=folder),
            partial(etree.fromstring, text.encode()),
        )
        for case, text, folder in _models()
    })  # fmt: skip


def measure_write() -> Rounds:
    """Writes the same models as XML."""
    return in_turn(**{
        case: tuple(
            each.from_xml_string(text, model_dir=folder).to_xml_string for each in _both()
        )
        for case, text, folder in _models()
    })  # fmt: skip


def measure_build() -> Rounds:
    """Builds bodies through the API, each with a joint and a geom."""
    return in_turn(build=tuple(partial(_build, each) for each in _both()))


def measure_attach() -> Rounds:
    """Attaches existing humanoids to a world, and writes the world as XML."""
    while True:
        yield _attach_s(mjcf), _attach_s(peer())


def measure_find() -> Rounds:
    """Finds each of 2,000 bodies by name."""
    return in_turn(find=tuple(partial(_find, _build(each)) for each in _both()))


def measure_find_attached() -> Rounds:
    """Finds each of 2,000 bodies in an attached model by its prefixed name."""
    return in_turn(find=tuple(partial(_find, _attached(each), 'built/') for each in _both()))


def measure_find_below() -> Rounds:
    """Finds bodies below a body of the model, and below a body of its host."""
    return in_turn(
        model=tuple(partial(_find, _build(each, 'top').find('body', 'top')) for each in _both()),
        host=tuple(partial(_find, _attached(each).worldbody, 'built/') for each in _both()),
    )


def measure_memory() -> Rounds:
    """Measures the memory that a model of 2,000 elements takes in Python's allocator."""
    text = _large(2000)
    while True:
        yield _bytes(mjcf, text), _bytes(peer(), text)


def _both() -> tuple[Any, Any]:
    return mjcf, peer()


def _models() -> list[tuple[str, str, str]]:
    """Returns names, XML texts, and the folders of relative paths in the texts."""
    package = Path(peer().__file__).parents[1]
    files = 'locomotion/walkers/assets/humanoid_CMU_V2020.xml', 'suite/dog.xml'
    paths = [package / file for file in files]
    read = [(path.stem, path.read_text(), str(path.parent)) for path in paths]
    return [*read, ('large', _large(14_000), '')]


def _large(elements: int) -> str:
    numbers = random.Random(1)

    def point() -> str:
        return ' '.join(f'{numbers.uniform(-1, 1):.5g}' for _ in range(3))

    bodies = ''.join(
        f'<body name="b{k}" pos="{point()}">\n'
        f'  <joint name="j{k}" type="hinge" axis="0 0 1" range="-1 1"/>\n'
        f'  <geom name="g{k}" type="capsule" size="0.05 0.1" pos="{point()}" rgba="1 0 0 1"/>\n'
        f'  <site name="s{k}" pos="{point()}"/>\n</body>\n'
        for k in range(elements // 4)
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


def _attach_s(library: Any) -> float:
    _, text, folder = _models()[0]
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
    library.from_xml_string(text)  # warm-up: excludes one-time allocations
    tracemalloc.start()
    try:
        model = library.from_xml_string(text)
        return tracemalloc.get_traced_memory()[0] if model is not None else 0
    finally:
        tracemalloc.stop()
