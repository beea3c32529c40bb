"""The identity of a function contains everything that affects its code, and nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import types

import pytest

from mujoco_ros_py.engine import guard_bindings
from mujoco_ros_py.engine.foreign import python_bytecode
from mujoco_ros_py.engine.identity import UnfollowedError, identify

NJIT = 'from numba import njit\n'
CHANGES = {
    'a constant': ('def f(): return 1.5', '1.5', '2.5'),
    'its type': ('def f(): return 1', '1', 'True'),
    'a number that equals another': ('def f(): return 0.0', '0.0', '-0.0'),
    'the bits of a number': ('G = float("nan")\ndef f(): return G', '"nan"', '"-nan"'),
    'a constant of a function inside': ('def f(): return [x + 1 for x in (2,)]', '1', '3'),
    'members of a set': ('def f(x): return x in {1, 2}', '2', '3'),
    'a name': ('def f(a): return a.b', '.b', '.c'),
    'the part of a format': ('def f(a): return f"{a}"', '{a}', '{a:d}'),
    'the line': ('def f():\n  return 1', 'def', '\ndef'),
    'the line of a statement': ('def f():\n  x = 1\n  return x', '\n  return', '\n\n  return'),
    'what is caught': (
        'def f(a):\n  try:\n    a()\n    a()\n  except Exception:\n    pass',
        '    a()\n  except', '  except',
    ),
    'a global': ('G = 1\ndef f(): return G', '1', '2'),
    'a global that is made later': ('\ndef f(): return G', '\ndef', 'G = 1\ndef'),
    'a builtin that is shadowed': ('\ndef f(x): return abs(x)', '\ndef', 'abs = 1\ndef'),
    'a default': ('def f(a=1): return a', '1', '2'),
    'a default by name': ('def f(*, a=1): return a', '1', '2'),
    'a closure': ('def g(a):\n  def f(): return a\n  return f\nf = g(1)', 'g(1)', 'g(2)'),
    'a deep closure': (
        'def g(a):\n  def f():\n    def h(): return a\n    return h()\n  return f\nf = g(1)',
        'g(1)', 'g(2)',
    ),
    'an array': ('import numpy as np\nA = np.array([1, 2])\ndef f(): return A', '2', '3'),
    'the order of an array': (
        'import numpy as np\nA = np.ones((2, 2), order="C")\ndef f(): return A', '"C"', '"F"',
    ),
    'whether an array may be written': (
        'import numpy as np\nA = np.ones(2)\nA.flags.writeable = True\ndef f(): return A',
        'True', 'False',
    ),
    'the fields of records': (
        'import numpy as np\nA = np.zeros(1, [("a", "f8"), ("b", "f8")])\ndef f(): return A',
        '"a"', '"c"',
    ),
    'a number of NumPy': ('import numpy as np\nG = np.float64(1)\ndef f(): return G', '64', '32'),
    'a tuple in a tuple': ('G = (1, (2, 3))\ndef f(): return G', '3', '4'),
    'the value of a mapping': ('G = {"a": 1}\ndef f(): return G["a"]', '1', '2'),
    'a member of an enumeration': (
        'from enum import IntEnum\nclass E(IntEnum):\n  A = 1\n  B = 2\ndef f(): return E.A',
        '1', '3',
    ),
    'another member': (
        'from enum import IntEnum\nclass E(IntEnum):\n  A = 1\n  B = 2\n'
        'G = E.A\ndef f(): return G',
        '2', '3',
    ),
    'a field of a named tuple': (
        'from typing import NamedTuple\nclass N(NamedTuple):\n  a: int = 1\n'
        'def f(): return N().a',
        '1', '2',
    ),
    'a helper': (f'{NJIT}@njit\ndef h(): return 1\ndef f(): return h()', '1', '2'),
    'the default of a helper': (
        f'{NJIT}@njit\ndef h(a=1): return a\ndef f(): return h()', '1', '2',
    ),
    'the options of a helper': (
        f'{NJIT}O = dict(fastmath=False)\n@njit(**O)\ndef h(): return 1\ndef f(): return h()',
        'False', 'True',
    ),
    'flags among the options': (
        f'{NJIT}@njit(fastmath={{"nnan", "ninf"}})\ndef h(): return 1\ndef f(): return h()',
        '"ninf"', '"nsz"',
    ),
    'the types of its arguments': (
        f'{NJIT}@njit("f8(f8)")\ndef h(a): return a\ndef f(): return h(1)', 'f8', 'f4',
    ),
    'a helper of a helper': (
        f'{NJIT}@njit\ndef h(): return 1\n@njit\ndef g(): return h()\ndef f(): return g()',
        '1', '2',
    ),
    'a helper of ours': (
        'from mujoco_ros_py.engine import inlined\n@inlined\ndef h(): return 1\n'
        'def f(): return h()',
        '1', '2',
    ),
    'a helper that is compiled by itself': (
        'from mujoco_ros_py.engine import separate\n@separate\ndef h(): return 1\n'
        'def f(): return h()',
        '1', '2',
    ),
    'how a helper is compiled': (
        'from mujoco_ros_py.engine import inlined, separate\n@separate\ndef h(): return 1\n'
        'def f(): return h()',
        '@separate', '@inlined ',
    ),
    'whose helper it is': (
        f'from mujoco_ros_py.engine import inlined\n{NJIT}@inlined\ndef h(): return 1\n'
        'def f(): return h()',
        '@inlined', '@njit   ',
    ),
    'a helper in a tuple': (
        f'{NJIT}@njit\ndef h(): return 1\nG = (h,)\ndef f(): return G', '1', '2',
    ),
    'a function for both': (
        'from numba.extending import register_jitable\n@register_jitable\ndef h(): return 1\n'
        'def f(): return h()',
        'return 1', 'return 2',
    ),
    'its options': (
        'from numba.extending import register_jitable\n@register_jitable(fastmath=False)\n'
        'def h(): return 1\ndef f(): return h()',
        'False', 'True',
    ),
    'an implementation for numba': (
        'from numba.extending import overload\ndef h(): pass\n'
        '@overload(h)\ndef o():\n  def i(): return 1\n  return i\ndef f(): return h()',
        'return 1', 'return 2',
    ),
    'what that refers to': (
        'from numba.extending import overload\ndef h(): pass\nG = 1\n'
        '@overload(h)\ndef o():\n  def i(): return G\n  return i\ndef f(): return h()',
        'G = 1', 'G = 2',
    ),
    'a type of numba': ('from numba import float64\ndef f(): return float64(1)', '64', '32'),
    'the signature': (
        'def g(a, b=1): pass\ndef f(*args): return args\nf.__wrapped__ = g', 'b=1', 'b=2',
    ),
}  # fmt: skip
UNFOLLOWED = {
    'a module that is passed on': 'import other\ndef f(g): g(other)',
    'a module under another name': 'import other\ndef f():\n  m = other\n  return m.GAIN',
    'a package that ends a chain': 'import other\ndef f(): return other.inner',
    'an import inside': 'def f():\n  import other\n  return other.GAIN',
    'an object': 'class C: pass\nG = C()\ndef f(): return G',
    'a class': 'class C: pass\ndef f(): return C',
    'a method': 'G = [1].count\ndef f(): return G(1)',
    'an array of objects': 'import numpy as np\nG = np.array([object()])\ndef f(): return G',
    'a class of arrays': (
        'import numpy as np\nclass A(np.ndarray): pass\nG = np.ones(1).view(A)\ndef f(): return G'
    ),
    'an exception that no other process finds': (
        'def g():\n  class E(Exception): pass\n  return E\nG = g()\ndef f(): raise G'
    ),
    'a type in C': 'import ctypes\nG = ctypes.c_int(1)\ndef f(): return G',
    'a C function': (
        'from numba import cfunc\n@cfunc("f8()")\ndef g(): return 1\ndef f(): return g()'
    ),
    'a ufunc': 'from numba import vectorize\n@vectorize\ndef g(x): return x\ndef f(): return g(1)',
    'a container of numba': (
        'from numba.typed import Dict\nfrom numba import int64\nG = Dict.empty(int64, int64)\n'
        'def f(): return G'
    ),
    'a class of numba': (
        'from numba import int64\nfrom numba.experimental import jitclass\n'
        '@jitclass([("a", int64)])\nclass C:\n  def __init__(self): self.a = 1\n'
        'def f(): return C().a'
    ),
    'an intrinsic': (
        'from numba.extending import intrinsic\n@intrinsic\ndef g(typing): pass\n'
        'def f(): return g()'
    ),
    'a typing of its own': (
        'from numba.extending import type_callable\ndef g(): pass\n'
        '@type_callable(g)\ndef t(context): pass\ndef f(): return g()'
    ),
    'a compiler of its own': (
        'from numba import njit\nfrom numba.core.compiler import Compiler\n'
        'class C(Compiler): pass\n@njit(pipeline_class=C)\ndef g(): return 1\ndef f(): return g()'
    ),
    'constants that have themselves inside': 'G = []\nG.append(G)\ndef f(): return G',
}  # fmt: skip


@pytest.fixture
def make(monkeypatch):
    """Runs the source of a module `plugin`, which can import `other`; returns its `f`."""
    other = types.ModuleType('other')
    other.GAIN, other.inner = 1, types.ModuleType('other.inner')
    monkeypatch.setitem(sys.modules, 'other', other)

    def run(source):
        plugin = types.ModuleType('plugin')
        monkeypatch.setitem(sys.modules, 'plugin', plugin)
        exec(compile(source, 'plugin.py', 'exec'), vars(plugin))
        return plugin.f

    return run


@pytest.mark.parametrize('case', CHANGES)
def test_a_change_is_in_the_identity(make, case):
    source, before, after = CHANGES[case]
    assert before in source
    first, again = (identify(make(source)) for _ in range(2))
    assert first.parts == again.parts
    assert repr(first.parts) == repr(again.parts)
    assert identify(make(source.replace(before, after))).parts != first.parts


@pytest.mark.parametrize('case', UNFOLLOWED)
def test_what_cannot_be_followed_is_said(make, case):
    with pytest.raises(UnfollowedError):
        identify(make(UNFOLLOWED[case]))


@pytest.mark.parametrize(
    ('value', 'by_address'),
    [
        ('ctypes.CDLL(None).abs', True),
        ('np.zeros(200_000)', True),
        ('np.arange(6)[::2]', True),
        ('np.zeros(3)', False),
        ('np.zeros((3, 2), order="F")', False),
    ],
)
def test_what_code_refers_to_by_its_address_is_among_the_objects(make, value, by_address):
    source = f'import ctypes\nimport numpy as np\nG = {value}\ndef f(): return G'
    function = make(source)
    (first, again), value = (identify(function) for _ in range(2)), function.__globals__['G']
    assert first.parts == again.parts
    assert [each is value for each in first.objects] == [True] * by_address


def test_the_reason_names_function_name_and_kind(make):
    source = f'class C: pass\nG = (C(),)\n{NJIT}@njit\ndef h(): return G\ndef f(): return h()'
    with pytest.raises(UnfollowedError, match=r'^h: G is of type plugin\.C$'):
        identify(make(source))


@pytest.mark.parametrize(
    'source',
    [
        'import other as time\nqpos = object()\ndef f(d): return d.time + d.qpos',
        'import other\ndef f(): return 1',
        'G = object()\ndef f(G): return G',
        'G = object()\ndef f():\n  G = 1\n  return [G for x in (1,)]',
        'def f(): return 1\nf.G = object()',
    ],
)
def test_what_only_has_the_name_of_something_is_left_alone(make, source):
    assert identify(make(source)).parts == identify(make(source)).parts


@pytest.mark.parametrize('name', ['mj_getState', 'mj_setState', 'mj_extractState', 'mj_jac'])
def test_functions_of_the_bindings_are_followed_with_their_guard(make, name):
    guard_bindings()
    source = f'import mujoco\ndef f(): return mujoco.{name}'
    assert identify(make(source)).parts == identify(make(source)).parts


def test_each_function_follows_the_attributes_that_it_asks_for_itself(make):
    function = make(f'import other\n{NJIT}@njit\ndef h(): return other.A\n'
                    'def f(): return other.B + h()')  # fmt: skip
    other, identities = sys.modules['other'], []
    for name, value in [('A', 1), ('B', 1), ('A', 2), ('B', 2), ('C', object()), ('other', other)]:
        setattr(other, name, value)
        identities.append(repr(identify(function).parts))
    assert len(set(identities)) == 4
    assert identities[3] == identities[4] == identities[5]


def test_edits_in_memory_are_followed(make):
    function = make(f'{NJIT}@njit\ndef h(a=1): return a\ndef f(): return h()')
    helper = function.__globals__['h']
    identities = [identify(function).parts]
    helper.py_func.__defaults__ = (2,)
    identities.append(identify(function).parts)
    helper.targetoptions['fastmath'] = True
    identities.append(identify(function).parts)
    helper.py_func.__code__ = (lambda a: a + 1).__code__
    identities.append(identify(function).parts)
    assert len({repr(each) for each in identities}) == 4


def test_the_options_of_an_inlined_function_are_followed(make):
    function = make(
        'from mujoco_ros_py.engine.inlined import Inlined\ndef g(): return 1\n'
        'h = Inlined(g, fastmath={"nnan"})\ndef f(): return h()'
    )
    before = identify(function).parts
    assert identify(function).parts == before
    function.__globals__['h'].options['fastmath'] = {'ninf'}
    assert identify(function).parts != before


PROCESS = """
import json, sys, types
from mujoco_ros_py.engine.identity import identify

def identity(source):
    plugin = sys.modules['plugin'] = types.ModuleType('plugin')
    exec(compile(source, 'plugin.py', 'exec'), vars(plugin))
    return repr(identify(plugin.f).parts)

sources = json.load(sys.stdin)
before = identity('def f(): return 1')
identities = {source: identity(source) for source in sources[:: int(sys.argv[1])]}
assert identity('def f(): return 1') == before
exec('''from numba import types
from numba.extending import overload_method
@overload_method(types.Array, 'thrice')
def o(a):
    return lambda a: a * 3
''', dict(__name__='plugin'))
assert identity('def f(): return 1') != before
print(json.dumps(identities))
"""


@pytest.mark.slow
def test_every_process_finds_the_same_identity():
    sources = [source for source, *_ in CHANGES.values()]
    found = []
    for order, seed in (('1', '1'), ('-1', '2')):
        done = subprocess.run(
            [sys.executable, '-c', PROCESS, order], input=json.dumps(sources), text=True,
            capture_output=True, env={**os.environ, 'PYTHONHASHSEED': seed},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        found.append(json.loads(done.stdout))
    assert len(found[0]) == len(CHANGES)
    assert found[0] == found[1]


@pytest.mark.parametrize('operation', ['LOAD_ATTR', 'RETURN_VALUE'])
def test_code_with_an_unknown_instruction_is_not_followed(monkeypatch, operation):
    """A new instruction of a later Python could read anything."""
    monkeypatch.setattr(python_bytecode, 'KNOWN', python_bytecode.KNOWN - {operation})
    with pytest.raises(UnfollowedError, match=f'has the unknown instruction {operation}'):
        identify(lambda value: value.attribute)
