"""The package's assumptions about MuJoCo: each test names the lost one."""

from __future__ import annotations

import ctypes
import importlib
import re
from collections.abc import Iterator
from contextlib import suppress
from copy import copy
from pathlib import Path

import mujoco
import numpy as np
import pytest

from mujoco_ros_py import mujoco_internals as internals
from mujoco_ros_py.engine.guard_block import new_guard
from mujoco_ros_py.engine.program_callbacks import NAMES
from mujoco_ros_py.engine.records import GUARD
from mujoco_ros_py.engine.struct_layout import struct_layout

from .engine.c_program import numbers

PACKAGE = Path(internals.__file__).parent
MUJOCO = f'MuJoCo {mujoco.__version__}'
STRUCTS = {
    'mjpPlugin': internals.PluginStruct,
    'mjpResourceProvider': internals.ProviderStruct,
    'mjResource': internals.ResourceStruct,
}
FIELDS = [(name, field) for name, struct in STRUCTS.items() for field, *_ in struct._fields_]
MODEL = '<mujoco><worldbody><body><joint/><geom size="1"/></body></worldbody></mujoco>'


def lost(what: str) -> str:
    return f'{MUJOCO} has lost what mujoco_ros_py.mujoco_internals needs: {what}'


@pytest.fixture(scope='module')
def in_c(tmp_path_factory) -> dict[str, int]:
    return numbers(_questions(), tmp_path_factory.mktemp('c'))


def _questions() -> Iterator[tuple[str, str]]:
    for name, field in FIELDS:
        yield f'{name}.{field}', f'offsetof({name}, {field})'
    for name in STRUCTS:
        yield f'size {name}', f'sizeof({name})'
    yield 'level', 'offsetof(mjLogMessage, level)'
    yield 'subject', 'offsetof(mjLogMessage, subject)'
    yield 'subject bytes', 'sizeof(((mjLogMessage*)0)->subject)'
    yield 'warning', 'mjLOG_WARNING'
    yield 'error', 'mjLOG_ERROR'


def test_the_wheel_has_one_library_which_the_bindings_have_loaded():
    folder = Path(mujoco.__file__).parent
    (path,) = folder.glob(f'libmujoco.*{mujoco.__version__}*')
    loaded = Path('/proc/self/maps').read_text()
    assert str(path.resolve()) in loaded, lost(f'{path.name}, loaded by the bindings')
    assert internals.open_library()._name == str(path)


def test_models_and_data_tell_where_they_lie():
    model = mujoco.MjModel.from_xml_string(MODEL)
    data = mujoco.MjData(model)
    for owner in (model, data):
        assert isinstance(getattr(owner, internals.ADDRESS, None), int), lost(
            'the attribute _address'
        )
    first = ctypes.c_int64.from_address(internals.address_of(model)).value
    assert first == model.nq, lost('_address as that of the C struct, which begins with nq')


def test_the_flags_of_a_scene_lie_in_its_struct():
    scene = mujoco.MjvScene(mujoco.MjModel.from_xml_string(MODEL), maxgeom=123)
    start = internals.address_of_flags(scene) - struct_layout('mjvScene').fields['flags'].offset
    first = ctypes.c_int.from_address(start).value
    assert first == 123, lost('flags as memory of the struct mjvScene, which begins with maxgeom')


def test_the_log_handler_of_a_thread_is_set_and_gets_the_message():
    set_handler = getattr(internals.open_library(), internals.SET_LOG_HANDLER, None)
    assert set_handler is not None, lost(f'the symbol {internals.SET_LOG_HANDLER}')
    set_handler.argtypes, set_handler.restype = [ctypes.c_void_p], ctypes.c_void_p
    told = []

    @ctypes.CFUNCTYPE(None, ctypes.c_void_p)
    def handler(message):
        level = ctypes.c_int.from_address(message).value
        told.append((level, ctypes.string_at(message + internals.LOG_SUBJECT)))

    address = ctypes.cast(handler, ctypes.c_void_p).value
    before = set_handler(address)
    internals.open_library().mju_warning(b'%s', b'it is warm')
    assert set_handler(before) == address, lost('the handler of before, which it returns')
    assert told == [(internals.LOG_WARNING, b'it is warm')], lost('level and subject of a message')


def test_a_log_message_lies_in_memory_as_it_is_declared(in_c):
    assert in_c['level'] == 0, lost('mjLogMessage, which begins with its level')
    assert in_c['subject'] == internals.LOG_SUBJECT, lost('the place of mjLogMessage.subject')
    assert in_c['subject bytes'] == internals.LOG_SUBJECT_BYTES == GUARD['error'].itemsize
    assert new_guard()['error'].nbytes == internals.LOG_SUBJECT_BYTES
    levels = internals.LOG_WARNING, internals.LOG_ERROR
    assert (in_c['warning'], in_c['error']) == levels, lost('mjLOG_WARNING and mjLOG_ERROR')


@pytest.mark.parametrize(('name', 'field'), FIELDS)
def test_each_field_of_a_struct_lies_where_it_is_declared(name, field, in_c):
    offset = getattr(STRUCTS[name], field).offset
    assert in_c[f'{name}.{field}'] == offset, lost(f'the place of {name}.{field}')


@pytest.mark.parametrize('name', ['mjpPlugin', 'mjpResourceProvider'])
def test_a_struct_that_is_given_to_mujoco_has_its_size(name, in_c):
    assert in_c[f'size {name}'] == ctypes.sizeof(STRUCTS[name]), lost(f'the fields of {name}')


@pytest.mark.parametrize('name', NAMES)
def test_a_callback_is_a_variable_of_the_library(name):
    try:
        pointer = internals.callback_pointer(name)
    except ValueError:
        pytest.fail(lost(f'the variable {name}'))
    assert isinstance(pointer, ctypes.c_void_p)


def test_structs_functions_and_enumerations_are_described():
    fields = {field.name for field in internals.structs()['mjModel'].fields}
    assert {'nq', 'qpos0', 'opt'} <= fields, lost('the fields of mjModel in introspect')
    parameters = internals.functions()['mj_step'].parameters
    assert [each.name for each in parameters] == ['m', 'd'], lost('the parameters of functions')
    values = internals.enumerations()['mjtObj'].values
    assert values['mjOBJ_BODY'] == int(mujoco.mjtObj.mjOBJ_BODY), lost('values of enumerations')


def test_all_digits_of_a_number_are_written_when_they_are_asked_for():
    spec = mujoco.MjSpec.from_string(MODEL)
    spec.geoms[0].pos[0] = 1 / 3
    try:
        before = internals.exchange_xml_precision(17)
    except RuntimeError as error:
        pytest.fail(
            lost(f'_mjPRIVATE__get_xml_precision and _mjPRIVATE__set_xml_precision: {error}')
        )
    try:
        text = spec.to_xml()
    finally:
        assert internals.exchange_xml_precision(before) == 17
    assert repr(1 / 3) in text, lost('the effect of _mjPRIVATE__set_xml_precision')


def test_the_class_of_opengl_contexts_is_chosen_by_the_environment(monkeypatch):
    try:
        module = internals.gl_context()
    except ImportError:
        pytest.fail(lost('the module mujoco.rendering.classic.gl_context'))
    before, asked = module.GLContext, []
    try:
        monkeypatch.setenv('MUJOCO_GL', 'glfw')
        importlib.reload(module)
        on_screen = module.GLContext.__module__
        monkeypatch.setenv('MUJOCO_GL', 'disable')
        del module.GLContext
        importlib.reload(module)
        assert not hasattr(module, 'GLContext'), lost('MUJOCO_GL, read anew by a reload')
        module.GLContext = lambda *size: asked.append(size) or 1 / 0
        with suppress(Exception):
            mujoco.Renderer(mujoco.MjModel.from_xml_string(MODEL), 8, 8)
    finally:
        module.GLContext = before
    assert asked == [(8, 8)], lost('GLContext, looked up in this module by mujoco.Renderer')
    assert on_screen == 'mujoco.glfw', lost('GLContext of mujoco.glfw for MUJOCO_GL=glfw')


def test_no_other_file_of_the_package_looks_inside_mujoco():
    names = r'_mjPRIVATE|(?<!\bself)\._address\b|\bmujoco\._[a-z]|\.flags\.ctypes'
    modules = r'(from|import|[\'"]) ?mujoco\.(introspect|rendering|egl)\b'
    inside = re.compile(f'{names}|{modules}')
    found = [
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob('*.py')
        if inside.search(path.read_text()) and path.name != 'mujoco_internals.py'
    ]
    assert found == []


FULL = """
<mujoco>
  <asset>
    <texture name="sky" type="skybox" builtin="gradient" width="8" height="8"/>
    <texture name="grid" type="2d" builtin="checker" width="8" height="8"/>
    <material name="grid" texture="grid"/>
    <mesh name="tetra" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
    <hfield name="hills" nrow="3" ncol="3" size="1 1 1 .1"/>
  </asset>
  <worldbody>
    <geom type="hfield" hfield="hills"/><light/><camera name="eye"/>
    <body name="ball">
      <freejoint/><geom type="mesh" mesh="tetra" material="grid"/>
      <site name="top"/><site name="low" pos="0 0 -.1"/>
    </body>
    <body name="arm" pos="3 0 0"><joint name="hinge"/><geom name="link" size=".1"/></body>
    {}
  </worldbody>
  <contact><pair name="pair" geom1="link" geom2="link"/></contact>
  <equality><joint name="locked" joint1="hinge"/></equality>
  <tendon><spatial name="rope"><site site="top"/><site site="low"/></spatial></tendon>
  <actuator><motor name="motor" joint="hinge"/></actuator>
  <sensor><jointpos name="angle" joint="hinge" user="1 2"/></sensor>
  <custom><numeric name="number" data="1 2 3"/></custom>
  <keyframe><key name="start"/></keyframe>
</mujoco>
"""
CLOTH = """
<flexcomp name="cloth" type="grid" dim="2" count="3 3 1" spacing=".1 .1 .1" radius=".01"/>
"""


@pytest.mark.parametrize('xml', [MODEL, FULL.format(''), FULL.format(CLOTH)])
def test_all_numbers_of_a_model_lie_where_the_copy_takes_them_from(xml):
    model = mujoco.MjModel.from_xml_string(xml)
    numbers = internals.ModelNumbers(model)
    fields = [field.name for field in internals.structs()['mjModel'].fields]
    fields = fields[fields.index('qpos0') : fields.index('name_bodyadr')]
    large = 'mesh_', 'skin_', 'hfield_', 'tex_', 'text_data'
    few = [name for name in fields if not name.startswith(large)]
    arrays = {name: array for name in few if (array := getattr(model, name)).size}
    assert len(arrays) > 90
    for name, array in arrays.items():
        before, first = array.tobytes(), array.reshape(-1).view(np.uint8)[:1]
        assert not numbers.changed
        first ^= 1
        assert numbers.changed, lost(f'{name} in the memory of the model')
        assert numbers.before(name).tobytes() == before, lost(f'the place of {name}')
        first ^= 1
    for name in ('timestep', 'gravity', 'o_friction', 'sdf_iterations', 'enableflags'):
        before = copy(getattr(model.opt, name))
        setattr(model.opt, name, before + 1)
        assert numbers.changed, lost(f'{name} in the struct of the model')
        setattr(model.opt, name, before)
        assert not numbers.changed


def test_a_window_can_be_given_another_model():
    viewer = pytest.importorskip('mujoco.viewer', reason='there is no library of GLFW')
    from mujoco import _simulate

    assert callable(getattr(viewer.Handle, '_get_sim', None)), lost('Handle._get_sim')
    assert callable(getattr(_simulate.Simulate, 'load', None)), lost('load of a window')
