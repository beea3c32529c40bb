"""Type checkers' verdicts on programs with elements, compared with their runs."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import mujoco
import pytest

import mujoco_ros_py
from mujoco_ros_py import mjcf
from mujoco_ros_py.mjcf import elements
from mujoco_ros_py.mjcf.schema.generate.__main__ import STUB, newest_stub
from mujoco_ros_py.mjcf.schema.tables import newest_table, version_written

PACKAGES = Path(mujoco_ros_py.__file__).parents[1]

GOOD = """
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from mujoco_ros_py import mjcf
from mujoco_ros_py.mjcf import elements


def weigh(geom: elements.Geom) -> float:
    return geom.mass or 0.0


model = mjcf.RootElement(model='arm')
model.option.timestep = 0.002
model.option.gravity = np.zeros(3)
model.compiler.autolimits = True
model.default.dclass = 'all'
body = model.worldbody.add('body', name='upper', pos=[0, 0, 1])
geom: elements.Geom = body.add('geom', type='box', size=(1, 2, 3), mass='0.5', user=None)
weigh(geom)
if geom.pos is not None:
    z: float = geom.pos[2]
size: NDArray[np.float64] | None = geom.size
kind = geom.type
assert kind == 'box'
geom.set_attributes(pos='0 0 1', material='steel')
del geom.pos
geom.castshadow = False
joint = body.insert('joint', 0, name='elbow', axis=np.array([0, 1, 0]))
motor = model.actuator.add('motor', joint=joint, gear=[50])
pulled = motor.joint
if isinstance(pulled, elements.Joint):
    pulled.range = 0, 1
inertial = body.add('inertial', pos=[0, 0, 0], mass=1)
mass: float = inertial.mass
if body.inertial is not None:
    body.inertial.mass += 1
del body.inertial
values: dict[str, Any] = {'name': 'tip'}
site = body.add('site', **values)
frame = site.attach(mjcf.RootElement(model='hand'))
model.worldbody.attach(mjcf.RootElement(model='foot')).add('freejoint')
nested: list[elements.Attach] = list(model.worldbody.attach)
frame.add('joint', name='wrist').axis = [0, 0, 1]
if frame.parent is not None:
    frame.parent.add('site', pos=frame.pos)
outer: elements.Body | elements.Worldbody | elements.Frame | elements.Replicate | None
outer = body.parent
first: elements.Geom = body.geom[0]
named: elements.Site = body.site['tip']
names: list[str | None] = [each.name for each in body.geom[:]]
found = model.find('joint', 'elbow')
if found is not None and found.tag == 'joint':
    found.axis = None
tall: list[elements.Geom] = model.find_all('geom')
kinds: list[elements.AnySensor] = model.find_all('sensor')
world: elements.Worldbody = model.find('body', 'world')
model.visual.get_children('global').fovy = 45
mjcf.from_xml_string('<mujoco/>').size.nkey = 1
for element in model.walk():
    element.set_attributes(**element.get_attributes())
    print(element.name if element.tag == 'site' else element.tag)
cast(mjcf.Element, body).add(str('geom')).size = [1]
namespace = str('geom')
model.find(namespace, 'x')
"""

BAD = """
from mujoco_ros_py import mjcf
from mujoco_ros_py.mjcf import elements

model = mjcf.RootElement()
body = model.worldbody.add('body')
geom = body.add('geom')
inertial = body.add('inertial', pos=[0, 0, 0], mass=1)
geom.sise = [1]  # wrong
geom.fovy  # wrong
geom.mass = [1]  # wrong
geom.pos = {}  # wrong
geom.condim = 3.5  # wrong
geom.type = 'cube'  # wrong
geom.material = 3  # wrong
geom.material = body  # wrong
geom.pos[2] = 1  # wrong: there may be none
body.geom = []  # wrong
body.add('gem')  # wrong
body.add('geom', sise=[1])  # wrong
body.add('geom', size={})  # wrong
body.insert('gem', 0)  # wrong
body.add('inertial', pos=[0, 0, 0])  # wrong: no mass
geom.add('geom')  # wrong
geom.set_attributes(sise=1)  # wrong
inertial.mass = None  # wrong
model.option.timestep = []  # wrong
model.default.geom.name = 'x'  # wrong
model.find('joint', 'x').axis = [0, 0, 1]  # wrong: there may be none
model.worldbody.joint  # wrong
model.worldbody.attach(body)  # wrong
model.default.geom.attach(model)  # wrong
elements.Gem  # wrong
"""


@pytest.fixture(scope='module')
def complaints(tmp_path_factory):
    """The numbers of the lines that mypy complains about, for each program."""
    pytest.importorskip('mypy')
    folder = tmp_path_factory.mktemp('programs')
    for name, text in (('good', GOOD), ('bad', BAD)):
        (folder / f'{name}.py').write_text(text)
    command = '--strict --follow-imports=silent --no-error-summary good.py bad.py'
    done = subprocess.run(
        [sys.executable, '-m', 'mypy', *command.split()],
        cwd=folder,
        env={**os.environ, 'MYPYPATH': str(PACKAGES)},
        capture_output=True,
        text=True,
    )
    found = re.findall(r'^(\w+)\.py:(\d+): error', done.stdout, re.MULTILINE)
    told = {name: {int(line) for each, line in found if each == name} for name in ('good', 'bad')}
    return told | {'text': done.stdout + done.stderr}


@pytest.mark.slow
def test_a_program_that_is_right_passes_strict_checks_and_runs(complaints):
    assert complaints['good'] == set(), complaints['text']
    assert complaints['bad'], complaints['text']
    exec(compile(GOOD, 'good.py', 'exec'), {})


@pytest.mark.slow
def test_each_mistake_in_a_program_is_told_at_its_line_and_nothing_else_is(complaints):
    wrong = {n for n, line in enumerate(BAD.splitlines(), 1) if '# wrong' in line}
    assert complaints['bad'] == wrong, complaints['text']


def test_the_stub_is_what_the_generator_writes():
    assert STUB.read_text() == newest_stub()


def declared():
    """Returns the annotated names of each class in the stub, except for `tag`."""
    found = {}
    for node in ast.parse(STUB.read_text()).body:
        if isinstance(node, ast.ClassDef):
            names = {each.target.id for each in node.body if isinstance(each, ast.AnnAssign)}
            found[node.name] = names - {'tag'}
    return found


HIDDEN = {'global', 'yield'}
"""Keywords of Python, which the stub cannot annotate."""


@pytest.mark.skipif(
    version_written(newest_table().read_text()) != mujoco.__version__,
    reason='the stub is that of another MuJoCo',
)
def test_the_stub_has_every_attribute_and_child_that_elements_have_and_no_other():
    stub = declared()
    names = {name for name in dir(elements) if not name.startswith('Any')}
    for name in names - {'Mujoco', 'AttachmentFrame'}:
        kind = getattr(elements, name)
        there = {*kind._attributes, *kind._types, 'dclass'} - {'class'} - HIDDEN
        assert stub[name] | {'dclass'} == there, name
        assert ('dclass' in stub[name]) == ('class' in kind._attributes), name
    assert stub['_Mujoco'] == {*elements.Mujoco._types}


def test_elements_are_of_the_classes_that_have_their_names():
    model = mjcf.RootElement()
    geom, joint = model.worldbody.add('geom'), model.equality.add('joint', joint1='x')
    assert type(geom) is elements.Geom
    assert type(model.default.geom) is elements.DefaultGeom
    assert type(joint) is elements.EqualityJoint
    assert not isinstance(joint, elements.AnyJoint)
    assert isinstance(model, elements.Mujoco)
    assert repr(elements.Geom) == "<class 'mujoco_ros_py.mjcf.elements.Geom'>"


def test_joints_of_an_attached_model_are_joints():
    frame = mjcf.RootElement(model='a').attach(mjcf.RootElement(model='b'))
    joint = frame.add('freejoint', name='loose')
    assert isinstance(joint, elements.Freejoint)
    assert isinstance(joint, elements.AnyJoint)
    assert isinstance(frame, elements.AnyBody)
    assert joint.full_identifier == 'b/loose/'


def test_a_class_that_there_is_not_is_told():
    with pytest.raises(AttributeError, match="unknown element class 'Gem'"):
        elements.Gem  # noqa: B018
