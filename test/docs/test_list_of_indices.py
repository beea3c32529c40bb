"""The page about plugins names each kind of index argument of libmujoco's functions."""

from __future__ import annotations

import re
from pathlib import Path

import mujoco
import pytest

from mujoco_ros_py.engine.indices import OBJECTS, indices
from mujoco_ros_py.mujoco_internals import functions

PAGE = Path(__file__).parents[2] / 'docs/reference/plugins.md'
WORDS = {
    'nbody': 'body', 'ngeom': 'geom', 'nsite': 'site', 'nflex': 'flex', 'nu': 'actuator',
    'nsensor': 'sensor', 'nkey': 'keyframe', 'ncon': 'contact', 'ntotal': 'rows of a matrix',
    OBJECTS: 'camera',  # or a body, geom or site
}  # fmt: skip


@pytest.mark.skipif(mujoco.__version__.startswith('3.'), reason='the page is about MuJoCo 4')
def test_the_page_has_all_kinds_of_indices_that_are_checked():
    section = PAGE.read_text().partition('### Index checks\n')[2].partition('\n#')[0]
    checked = {
        WORDS[limit.below]
        for name, _, limit in indices(functions())
        if hasattr(mujoco, name) and not name.startswith('mjr_')  # these need an OpenGL context
    }
    assert checked == set(WORDS.values())
    assert [word for word in checked if not re.search(rf'\b{word}\b', section)] == []
