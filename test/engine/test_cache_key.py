"""Everything that affects compiled code is part of its key, so changes are detected."""

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
    compiled,
    engine_tag,
    machine_code,
    new_state,
)

pytestmark = pytest.mark.slow

MODEL = '<mujoco><worldbody><body><joint/><geom size="1"/></body></worldbody></mujoco>'
CALLBACK = '\n\ndef callback(state, model, data):\n    state.out = '
NJIT = 'from numba import njit\n\n@njit\ndef f():\n    return '
JITABLE = NJIT.replace('import njit', 'import extending').replace(
    '@njit', '@extending.register_jitable'
)
CASES = {
    'own function': (f'{NJIT}%{CALLBACK}f()', ''),
    'imported constant': (f'from other import VALUE{CALLBACK}VALUE', 'VALUE = %'),
    'constant of a module': (f'import other{CALLBACK}other.VALUE', 'VALUE = %'),
    'array': (f'from other import A{CALLBACK}A[999]', 'import numpy as np\nA = np.full(1000, %)'),
    'named tuple': (
        f'from other import T{CALLBACK}T.b',
        'from typing import NamedTuple\n\nclass N(NamedTuple):\n    b: float\n\nT = N(%)',
    ),
    'imported function': (f'from other import f{CALLBACK}f()', f'{NJIT}%'),
    'jitable function': (f'from other import f{CALLBACK}f()', f'{JITABLE}%'),
    'default of a function': (
        f'from other import f{CALLBACK}f()',
        'from numba import njit\nV = %\n\n@njit\ndef f(a=V):\n    return a',
    ),
    'what a function uses': (
        f'from other import f{CALLBACK}f()',
        f'import third\n{NJIT}third.VALUE',
    ),
    'constants of callback and helper': (
        f'import other as z, third{CALLBACK}z.f() + 0 * third.ZERO',
        f'import third\n{NJIT}third.VALUE',
    ),
    'options of another module': (
        'from third import VALUE\nfrom numba import njit\nOPTIONS = {"fastmath": VALUE > 2}\n\n'
        f'@njit(**OPTIONS)\ndef f(x):\n    return x == x{CALLBACK}1.5\n'
        '    if f(float("nan") * data.time):\n        state.out = 2.5',
        '',
    ),
    'implementation for numba': (
        f'from other import f{CALLBACK}f()',
        'from numba.extending import overload\n\ndef f():\n    pass\n\n'
        '@overload(f)\ndef o():\n    return lambda: %',
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
    'record array': (
        f'from other import R{CALLBACK}R[0].a',
        "import numpy as np\nR = np.rec.array([(%,)], dtype=[('a', 'f8')])",
    ),
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
"""Changes of these must be detected too, but code that uses them does not have to be cached."""


@pytest.fixture
def site(tmp_path, monkeypatch) -> Path:
    """Returns a folder on sys.path; the test has its own cache."""
    monkeypatch.setattr(cache, 'folder', lambda: tmp_path / 'cache')
    monkeypatch.setattr(machine_code, '_loaded', {})
    monkeypatch.setattr(sys, 'dont_write_bytecode', True)
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def write(site: Path, plugin: str, other: str, value: str) -> None:
    """Writes the modules; unchanged files are not written."""
    texts = {'plugin.py': plugin, 'other.py': other, 'third.py': f'VALUE, ZERO = {value}, 0.0'}
    for name, text in texts.items():
        path = site / name
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


def out(run) -> float:
    """Imports the modules again; returns the result of `plugin.callback`."""
    return result(run, import_callback())


def import_callback():
    importlib.invalidate_caches()
    for module in ('plugin', 'other', 'third'):
        sys.modules.pop(module, None)
    return importlib.import_module('plugin').callback


def result(run, callback) -> float:
    state = new_state(out=-1.0)
    table = CallbackTable([compile_callback(Point.CONTROL, callback, state)])
    run(mujoco.MjModel.from_xml_string(MODEL), table=table)
    return float(state.out)


@pytest.mark.parametrize('case', [*CASES, *RARE])
def test_a_change_is_seen_and_without_one_the_code_is_found_again(site, run, case):
    plugin, other = {**CASES, **RARE}[case]
    for value in ('1.5', '2.5'):
        write(site, plugin.replace('%', value), other.replace('%', value), value)
        assert out(run) == float(value)
        if case in CASES and value == '1.5':
            files = {path: path.stat().st_mtime_ns for path in site.glob('cache/*')}
            assert files
            assert out(run) == 1.5
            assert {path: path.stat().st_mtime_ns for path in site.glob('cache/*')} == files


def test_code_is_kept_as_what_is_in_memory_whatever_the_file_says_by_then(site, run):
    write(site, f'from other import f{CALLBACK}f()', f'{NJIT}1.5', '0')
    callback = import_callback()
    write(site, f'from other import f{CALLBACK}f()', f'{NJIT}2.5', '0')
    assert result(run, callback) == 1.5
    assert out(run) == 2.5


def test_functions_without_a_file_follow_their_constants(site, run):
    for value in (1.5, 2.5, 1.5):
        names = {}
        exec(f'def callback(state, model, data):\n    state.out = {value}', names)
        assert result(run, names['callback']) == value


@pytest.mark.parametrize('head', [NJIT, JITABLE, NJIT.replace('@njit', '@njit("f8()")')])
def test_a_value_that_changes_in_memory_reaches_helpers_that_are_compiled_already(site, run, head):
    write(site, f'from other import f{CALLBACK}f()', f'import third\n{head}third.VALUE', '1.5')
    callback = import_callback()
    results = []
    for value in (1.5, 2.5, 1.5):
        sys.modules['third'].VALUE = value
        results.append(result(run, callback))
    assert results == [1.5, 2.5, 1.5]


def test_an_array_that_is_too_large_to_be_in_the_code_is_not_looked_for_in_another_process(site):
    text = f'import numpy as np\nA = np.arange(200_000.0){CALLBACK}A[-1]'
    write(site, text, '', '0')
    for _ in range(2):  # as in another process, nothing is in memory
        machine_code._loaded.clear()
        compile_callback(Point.CONTROL, import_callback(), new_state(out=0.0))
    assert not list(site.glob('cache/*.machine_code'))


def test_a_class_that_is_loaded_again_is_what_is_raised_then(site, run):
    text = f'class OwnError(Exception):\n    pass{CALLBACK}1.0\n    raise OwnError("no")'
    write(site, text, '', '0')
    for _ in range(2):
        callback, errors = import_callback(), []
        table = CallbackTable(
            [compile_callback(Point.CONTROL, callback, new_state(out=0.0))],
            lambda index, error, errors=errors: errors.append(error),
        )
        run(mujoco.MjModel.from_xml_string(MODEL), table=table)
        assert type(errors[0]) is sys.modules['plugin'].OwnError


def test_what_changes_while_it_is_compiled_is_not_kept(site, run, monkeypatch):
    write(site, f'import third{CALLBACK}third.VALUE', '', '1.5')
    callback = import_callback()
    compile_portable = compiled.portable_callback

    def change(*arguments):
        code = compile_portable(*arguments)
        sys.modules['third'].VALUE = 2.5
        return code

    monkeypatch.setattr(compiled, 'portable_callback', change)
    assert result(run, callback) == 1.5
    assert not list(site.glob('cache/*.machine_code'))
    monkeypatch.undo()


@pytest.mark.parametrize('name', ['NUMBA_BOUNDSCHECK', None])
def test_settings_of_numba_are_part_of_the_key(site, run, monkeypatch, name):
    index = f'import numpy as np\nA = np.ones(1){CALLBACK}A[0] if data.time < 0 else 1.0'
    write(site, index, '', '0')
    callback = import_callback()
    result(run, callback)
    count = len(list(site.glob('cache/*')))
    if name:
        monkeypatch.setenv(name, '1')
    else:
        monkeypatch.setattr('numba.config.BOUNDSCHECK', 1)
    result(run, callback)
    assert len(list(site.glob('cache/*'))) == count + 1


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
    room = Path(shutil.copytree(Path(engine_tag.__file__).parent, tmp_path / 'engine'))
    monkeypatch.setattr(engine_tag, '__file__', str(room / 'engine_tag.py'))
    tags = {engine_tag.engine_tag_now()}
    files = sorted(room.rglob('*.py'))
    for file in files:
        file.write_text(file.read_text() + '\n')
        tags.add(engine_tag.engine_tag_now())
    assert len(tags) == len(files) + 1
