"""Whatever goes into compiled code is part of its key: a change of it is seen."""

from __future__ import annotations

import importlib
import shutil
import sys
import traceback
from pathlib import Path

import mujoco
import pytest

from mujoco_ros_py.engine import (
    CallbackTable,
    Point,
    cache,
    compile_callback,
    library,
    native,
    new_state,
)

MODEL = '<mujoco><worldbody><body><joint/><geom size="1"/></body></worldbody></mujoco>'
CALLBACK = '\n\ndef callback(state, model, data):\n    state.out = '
NJIT = 'from numba import njit\n\n@njit\ndef f():\n    return '
JITABLE = NJIT.replace('import njit', 'import extending').replace(
    '@njit', '@extending.register_jitable'
)
CASES = {
    'own constant': (f'VALUE = %{CALLBACK}VALUE', ''),
    'own function': (f'{NJIT}%{CALLBACK}f()', ''),
    'imported constant': (f'from other import VALUE{CALLBACK}VALUE', 'VALUE = %'),
    'constant of a module': (f'import other{CALLBACK}other.VALUE', 'VALUE = %'),
    'array': (f'from other import A{CALLBACK}A[999]', 'import numpy as np\nA = np.full(1000, %)'),
    'tuple': (f'from other import T{CALLBACK}T[1]', 'T = (1, %)'),
    'named tuple': (
        f'from other import T{CALLBACK}T.b',
        'from typing import NamedTuple\n\nclass N(NamedTuple):\n    b: float\n\nT = N(%)',
    ),
    'imported function': (f'from other import f{CALLBACK}f()', f'{NJIT}%'),
    'function of a module': (f'import other{CALLBACK}other.f()', f'{NJIT}%'),
    'jitable function': (f'from other import f{CALLBACK}f()', f'{JITABLE}%'),
    'default of a function': (
        f'from other import f{CALLBACK}f()',
        'from numba import njit\nV = %\n\n@njit\ndef f(a=V):\n    return a',
    ),
    'what a function uses': (
        f'from other import f{CALLBACK}f()',
        f'import third\n{NJIT}third.VALUE',
    ),
    'closure': (
        'def make(value):\n    def inner(state, model, data):\n        state.out = value\n'
        '    return inner\n\nfrom third import VALUE\ncallback = make(VALUE)',
        '',
    ),
}
RARE = {
    'constant deep in a package': (
        f'import other{CALLBACK}other.third.VALUE',
        'import third',
    ),
    'enumeration': (
        f'from other import Mode{CALLBACK}Mode.FAST.value',
        'from enum import Enum\n\nclass Mode(Enum):\n    FAST = %\n    SLOW = 0.0',
    ),
    'record array': (
        f'from other import R{CALLBACK}R[0].a',
        "import numpy as np\nR = np.rec.array([(%,)], dtype=[('a', 'f8')])",
    ),
    'functions in a tuple': (f'from other import F{CALLBACK}F[0]()', f'{NJIT}%\n\nF = (f, f)'),
    'bytes': (f'from other import B{CALLBACK}(B[0] - 48) + 0.5', "B = b'%'"),
    'complex number': (f'from other import C{CALLBACK}C.imag', 'C = complex(0, %)'),
    'type of numbers': (
        f'import numpy as np\nfrom other import D{CALLBACK}np.zeros(1, D).itemsize / 4 + 0.5',
        'import numpy as np\nD = np.dtype("f4" if % < 2 else "f8")',
    ),
    'in code that prints': (f'from other import V{CALLBACK}V\n    print(1)', 'V = %'),
    'vectorized function': (
        f'from other import f{CALLBACK}f(1.0)',
        'from numba import vectorize\n\n@vectorize\ndef f(x):\n    return x * %',
    ),
}
"""These must be seen too, but code that uses them need not be kept."""


@pytest.fixture
def site(tmp_path, monkeypatch) -> Path:
    """A folder on sys.path, and a cache of the test's own."""
    monkeypatch.setattr(cache, 'folder', lambda: tmp_path / 'cache')
    monkeypatch.setattr(native, '_loaded', {})
    monkeypatch.setattr(sys, 'dont_write_bytecode', True)
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def write(site: Path, plugin: str, other: str, value: str) -> None:
    """The modules; one that is the same already is left as it is."""
    texts = {'plugin.py': plugin, 'other.py': other, 'third.py': f'VALUE = {value}'}
    for name, text in texts.items():
        path = site / name
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


def out(run) -> float:
    """What `plugin.callback` leaves, its modules imported anew."""
    importlib.invalidate_caches()
    for module in ('plugin', 'other', 'third'):
        sys.modules.pop(module, None)
    state = new_state(out=-1.0)
    callback = importlib.import_module('plugin').callback
    table = CallbackTable([compile_callback(Point.CONTROL, callback, state)])
    run(mujoco.MjModel.from_xml_string(MODEL), table=table)
    return float(state.out)


@pytest.mark.parametrize('case', [*CASES, *RARE])
def test_a_change_is_seen(site, run, case):
    plugin, other = {**CASES, **RARE}[case]
    for value in ('1.5', '2.5'):
        write(site, plugin.replace('%', value), other.replace('%', value), value)
        assert out(run) == float(value)


@pytest.mark.parametrize('case', CASES)
def test_without_a_change_the_code_is_found_again(site, run, case):
    plugin, other = CASES[case]
    write(site, plugin.replace('%', '1.5'), other.replace('%', '1.5'), '1.5')
    out(run)
    files = {path: path.stat().st_mtime_ns for path in site.glob('cache/*')}
    assert files
    assert out(run) == 1.5
    assert {path: path.stat().st_mtime_ns for path in site.glob('cache/*')} == files


def test_a_copy_tells_its_own_place_when_it_raises(tmp_path, site, run, monkeypatch):
    raising = "def callback(state, model, data):\n    raise ValueError('gone')\n"
    for folder in (tmp_path / 'first', tmp_path / 'second'):
        folder.mkdir()
        (folder / 'plugin.py').write_text(raising)
        monkeypatch.syspath_prepend(folder)
        sys.modules.pop('plugin', None)
        callback = importlib.import_module('plugin').callback
        errors = []
        table = CallbackTable(
            [compile_callback(Point.CONTROL, callback, None)],
            lambda index, error, errors=errors: errors.append(error),
        )
        run(mujoco.MjModel.from_xml_string(MODEL), table=table)
        (frame, *_) = traceback.extract_tb(errors[0].__traceback__)
        assert frame.filename == str(folder / 'plugin.py')


def test_every_file_of_the_engine_is_part_of_the_key(tmp_path, monkeypatch):
    room = Path(shutil.copytree(Path(library.__file__).parent, tmp_path / 'engine'))
    monkeypatch.setattr(library, '__file__', str(room / 'library.py'))
    tags = {library.layer_digest()}
    files = sorted(room.rglob('*.py'))
    for file in files:
        file.write_text(file.read_text() + '\n')
        tags.add(library.layer_digest())
    assert len(tags) == len(files) + 1
