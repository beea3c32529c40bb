"""The table of index arguments of libmujoco's functions on the page about plugins is complete."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import mujoco
import pytest

from mujoco_ros_py.engine.indices import OBJECTS, Limit, indices
from mujoco_ros_py.mujoco_internals import functions

PAGE = Path(__file__).parents[2] / 'docs/reference/plugins.md'
WORDS = {
    'nbody': 'body', 'ngeom': 'geom', 'nsite': 'site', 'nflex': 'flex', 'nu': 'actuator',
    'nsensor': 'sensor', 'nkey': 'keyframe', 'ncon': 'contact', 'ntotal': 'row of the matrix',
    OBJECTS: 'object of the type `objtype`: body, geom, site or camera',
}  # fmt: skip


def lines() -> list[str]:
    rows: dict[Limit, list[str]] = defaultdict(list)
    for name, argument, limit in indices(functions()):
        if hasattr(mujoco, name) and not name.startswith('mjr_'):  # these need an OpenGL context
            rows[limit].append(f'`{name}({argument})`')
    return [
        f'| {WORDS[limit.below]}{", or -1" if limit.least else ""} | {", ".join(names)} |'
        for limit, names in rows.items()
    ]


@pytest.mark.skipif(mujoco.__version__.startswith('3.'), reason='the page is about MuJoCo 4')
def test_the_page_has_all_indices_that_are_checked():
    text = PAGE.read_text()
    assert [line for line in lines() if line not in text] == []
