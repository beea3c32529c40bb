"""Calls that could hang or end the process, each in a separate process."""

from __future__ import annotations

import subprocess
import sys

import pytest
from deadline import DEADLINE_S

pytestmark = pytest.mark.slow

COMMON = """
import ctypes, os, threading
import mujoco
from mujoco_ros_py.engine.libmujoco import library
from mujoco_ros_py.engine.resources import ResourceProvider, register, register_shipped
from mujoco_ros_py.errors import ResourceError

OBJ = b'v 0 0 0\\nv 1 0 0\\nv 0 1 0\\nv 0 0 1\\nf 1 3 2\\nf 1 2 4\\nf 2 3 4\\nf 1 4 3\\n'

class Tetra(ResourceProvider):
    prefix = 'tetra'
    def read(self, opened):
        return OBJ

def meshes(name=''):
    uris = [f'tetra:{name}{n}.obj' for n in range(6)]
    return '<mujoco><asset>' + ''.join(f'<mesh file="{u}"/>' for u in uris) + '</asset></mujoco>'
"""


def run(code: str) -> str:
    """Returns the standard output; the program must succeed and print no errors."""
    command = [sys.executable, '-c', COMMON + code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=DEADLINE_S)
    assert (done.returncode, done.stderr) == (0, ''), done.stderr
    return done.stdout


CALLS = [
    'mujoco.MjModel.from_xml_string(meshes())',
    'mujoco.MjSpec.from_string(meshes()).compile()',
    'spec.recompile(model, mujoco.MjData(model))',
    """
model, _ = spec.recompile(model, mujoco.MjData(model))
spec.recompile(model, mujoco.MjData(model))""",
    'mujoco.MjSpec.from_string(meshes()).to_xml()',
    """
child = mujoco.MjSpec.from_string(meshes())
spec.attach(child, prefix='child/', frame=spec.worldbody.add_frame())
spec.compile()""",
    'import io; compiled = mujoco.MjSpec.from_string(meshes()); compiled.compile()\n'
    'compiled.to_zip(io.BytesIO())',
    """
import tempfile
spec.compile()
with tempfile.TemporaryDirectory() as folder:
    spec.encode(f"{folder}/model.mjz")""",
    'mujoco.MjSpec.from_string(meshes()).copy().compile()',
]


def test_no_call_waits_for_ever_though_each_file_waits_for_the_interpreter():
    """MuJoCo reads files on its own threads, so the calling thread must release the GIL."""
    code = f"""
class Slow(Tetra):
    def read(self, opened):
        threading.Event().wait(0.005)  # gives the GIL away
        return OBJ

register(Slow)
for call in {CALLS}:
    spec = mujoco.MjSpec()
    model = spec.compile()
    for number in range(6):
        spec.add_mesh(name=f'mesh{{number}}', file=f'tetra:{{number}}.obj')
    exec(call)
    print('done', flush=True)
"""
    assert run(code) == 'done\n' * len(CALLS)


def test_many_threads_load_while_others_register_and_fail():
    code = """
register(Tetra)
failures = []

def load(thread):
    for number in range(5):
        assert mujoco.MjModel.from_xml_string(meshes(f'{thread} {number} ')).nmesh == 6
        register(Tetra)
        try:
            mujoco.MjModel.from_xml_string(meshes().replace('0.obj', '0.none'))
        except ValueError:
            failures.append(number)

threads = [threading.Thread(target=load, args=[n]) for n in range(6)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(len(failures))
"""
    assert run(code) == '30\n'


@pytest.mark.parametrize(
    ('loads', 'most'), [(200, 340_000), pytest.param(600, 2**20, marks=pytest.mark.nightly)]
)
def test_memory_stays_flat_over_hundreds_of_loads_and_failures(loads, most):
    code = f"""
LOADS = {loads}
"""
    code += """
class Failing(Tetra):
    def read(self, opened):
        if 'bad' in opened:
            raise ValueError('no ' * 1000)
        return OBJ

register(Failing)

def cycles(count):
    for number in range(count):
        try:
            mujoco.MjModel.from_xml_string(meshes('' if number % 10 else 'bad'))
        except ValueError:
            assert number % 10 == 0
    with open('/proc/self/statm') as file:
        return int(file.read().split()[1]) * os.sysconf('SC_PAGE_SIZE')

before = cycles(100)
print(cycles(LOADS) - before)
"""
    grown = int(run(code))
    assert grown < most, f'{grown} bytes in {loads} loads, every tenth a failure'


def test_the_interpreter_ends_without_a_word_after_loads():
    code = """
register_shipped()
register(Tetra)
spec = mujoco.MjSpec.from_string(meshes())
model = spec.compile()
"""
    assert run(code) == ''


def test_the_interpreter_ends_without_a_word_while_a_provider_blocks():
    code = """
inside = threading.Event()

class Blocking(Tetra):
    def read(self, opened):
        inside.set()
        threading.Event().wait()

register(Blocking)
load = mujoco.MjModel.from_xml_string
threading.Thread(target=load, args=[meshes()], daemon=True).start()
assert inside.wait(300)
"""
    assert run(code) == ''


def test_registering_again_never_ends_the_process():
    code = """
for number in range(20):
    class Edited(Tetra):
        prefix = 'TETRA' if number % 2 else 'tetra'
        content = OBJ + b'v 2 2 2\\\\n' * number
        def read(self, opened):
            return self.content
    register(Edited)
    register(Edited())
    mesh = '<mesh file="tetra:a.obj"/>'
    model = mujoco.MjModel.from_xml_string(f'<mujoco><asset>{mesh}</asset></mujoco>')
    assert model.nmeshvert == (5 if number else 4), model.nmeshvert
    register_shipped([f'host{number}.org'])
print('alive')
"""
    assert run(code) == 'alive\n'


def test_a_prefix_that_a_library_has_taken_is_refused():
    code = """
class Struct(ctypes.Structure):
    _fields_ = [('prefix', ctypes.c_char_p), *((f'field{n}', ctypes.c_void_p) for n in range(8))]

nothing = ctypes.cast(ctypes.CDLL(None).sched_yield, ctypes.c_void_p)
taken = Struct(b'Tetra', nothing, nothing, nothing)
assert library().mjp_registerProvider(ctypes.byref(taken)) > 0
try:
    register(Tetra)
except ResourceError as error:
    print(error)
"""
    assert run(code) == "prefix 'tetra' is taken by a library\n"


def test_a_provider_works_without_ros():
    code = """
import sys
register_shipped()
try:
    mujoco.MjModel.from_xml_path('package://arm/arm.xml')
except ValueError:
    pass
print([name for name in sys.modules if name.startswith(('rclpy', 'ament'))])
"""
    assert run(code) == '[]\n'
