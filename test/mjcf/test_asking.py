"""Reading every part of a model does not change the model."""

from __future__ import annotations

import copy
from contextlib import suppress

import mujoco
import numpy as np
import pytest

from mujoco_ros_py import mjcf
from mujoco_ros_py.mjcf import Element, pymjcf, schema

pytestmark = pytest.mark.slow

TETRAHEDRON = b'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n'
SKIN = (
    np.array([3, 0, 1, 1], '<i4').tobytes()
    + np.array([0, 0, 0, 1, 0, 0, 0, 1, 0], '<f4').tobytes()
    + np.array([0, 1, 2], '<i4').tobytes()
    + b'hand'.ljust(40, b'\0')
    + np.array([0, 0, 0, 1, 0, 0, 0], '<f4').tobytes()
    + np.array([3, 0, 1, 2], '<i4').tobytes()
    + np.array([1, 1, 1], '<f4').tobytes()
)
PARTS = {
    'parts/part.xml': b"""
        <mujoco>
          <asset><mesh file="part.obj"/><material name="blue &amp; white"/></asset>
          <worldbody><geom type="mesh" mesh="part"/></worldbody>
        </mujoco>""",
    'parts/part.obj': TETRAHEDRON,
    'hand.skn': SKIN,
    'sub.xml': b'<mujoco><worldbody><body name="s"><geom size="1"/></body></worldbody></mujoco>',
}
WHOLE = """\
<mujoco model="whole">
  <compiler angle="radian" autolimits="true"/><!-- a comment -->
  <option timestep='0.001'><flag contact="disable"/></option>
  <option gravity="0 0 -1" actuatorgroupdisable="1 2"/>
  <size njmax="100"/>
  <visual><map znear="0.1"/></visual>
  <statistic/>
  <default class="main"><geom friction="1 2 3" material="grey"/><joint damping="1"/>
    <position kp="7"/></default>
  <default><geom friction="4"/>
    <default class="c"><geom size="1" quat="1 0 0 0"/><site euler="1 2 3"/><motor/>
      <equality solref="1 2"/><tendon width="3"/></default></default>
  <size memory="1M"/>
  <option actuatorgroupdisable="2 3"/>
  <include file="parts/part.xml"/>
  <asset>
    <model name="sub" file="sub.xml"/><material name="grey"/><hfield name="h" nrow="2" ncol="2" size="1 1 1 1"/>
  </asset>
  <worldbody>
    <attach model="sub" body="s" prefix="sub_"/>
    <body childclass="c"><freejoint/><geom/><site name="s"/><camera/><light/>
      <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
      <body name="hand"><joint name="j" range="0 1"/><geom class="c" name="g" material=""/>
        <frame pos="1 0 0"><geom/><site name="tip"/></frame><replicate count="2"><geom size="2"/></replicate>
      </body>
    </body>
  </worldbody>
  <deformable><skin name="skin" file="hand.skn"/></deformable>
  <contact><pair geom1="g" geom2="g"/><exclude body1="hand" body2="world"/></contact>
  <equality><joint joint1="j"/><weld body1="hand"/></equality>
  <tendon>
    <spatial name="line"><site site="s"/><site site="tip"/><pulley divisor="2"/><site site="s"/>
      <site site="tip"/></spatial>
    <fixed name="sum"><joint joint="j" coef="1"/></fixed>
  </tendon>
  <actuator><position joint="j"/><general joint="j" class="c"/><motor tendon="sum"/></actuator>
  <sensor><jointpos joint="j"/><framepos objtype="body" objname="hand" reftype="site" refname="s"/></sensor>
  <custom>
    <numeric name="n" data="1 2"/><tuple name="t"><element objtype="body" objname="hand"/></tuple>
  </custom>
  <keyframe/>
</mujoco>
"""  # noqa: E501
DRIVEN = """\
<mujoco model="driven">{}
  <worldbody><body><joint name="j" range="0 1"/><geom size="1"/></body></worldbody>
  <actuator>
    <general joint="j"/><motor joint="j"/><position joint="j"/><velocity joint="j"/>
    <general joint="j" class="x"/><motor joint="j" class="x"/><position joint="j" class="x"/>
  </actuator>
</mujoco>
"""
OF_ACTUATORS = {
    'one kind': (
        '<default><position kp="5"/><default class="x"><position kv="2"/></default></default>'
    ),
    'a kind within another': (
        '<default><position kp="5"/><default class="x"><velocity kv="2"/></default></default>'
    ),
    'a kind before another': (
        '<default><default class="x"><position kp="5"/></default></default>'
        '<default><general gainprm="7"/></default>'
    ),
    'kinds that reset': '<default><position kp="5"/><motor/><default class="x"/></default>',
    'a class': '<default><default class="x"><position kp="5"/></default></default>',
}


def read(text):
    return lambda library: library.from_xml_string(text, assets=PARTS)


def made(library):
    model = library.RootElement(model='made')
    model.default.position.kp = 7
    model.default.add('default', dclass='x').position.kv = 2
    body = model.worldbody.add('body')
    body.add('joint', name='j')
    body.add('geom', size=[1])
    for attributes in ({}, {'dclass': 'x'}):
        for tag in ('position', 'general', 'motor'):
            model.actuator.add(tag, joint='j', **attributes)
    return model


def composed(library):
    host = library.from_xml_string(
        '<mujoco model="host"><default><geom size="2"/></default>'
        '<worldbody><body name="b"><geom/><site name="place"/></body></worldbody></mujoco>'
    )
    frame = host.find('site', 'place').attach(made(library))
    frame.add('joint', axis=[1, 0, 0])
    frame.add('inertial', pos=[0, 0, 0], mass=1, diaginertia=[1, 1, 1])
    return host


MODELS = {
    'empty': lambda library: library.RootElement(),
    'whole': read(WHOLE),
    'made': made,
    'composed': composed,
    **{name: read(DRIVEN.format(text)) for name, text in OF_ACTUATORS.items()},
}


def namespaces():
    found, left = set(), [schema.root()]
    while left:
        spec = left.pop()
        if spec.name not in found:
            found |= {spec.name, spec.namespace or spec.name}
            left += spec.children.values()
    return found


NAMESPACES = sorted(namespaces())


@pytest.mark.parametrize('library', [mjcf, pymjcf], ids=['mjcf', 'pymjcf'])
@pytest.mark.parametrize('make', MODELS.values(), ids=MODELS)
def test_these_models_compile(make, library):
    model = make(library)
    mujoco.MjModel.from_xml_string(model.to_xml_string(), model.get_assets())


def ask_for_everything(library, model):
    """Reads every attribute, child, list, name and text, and computes what follows from them."""
    seen, left = set(), [model]
    while left:
        element = left.pop()
        if id(element) in seen:
            continue
        seen.add(id(element))
        for name in dir(element):
            if not name.startswith('_'):
                with suppress(RuntimeError, ValueError):
                    getattr(element, name)
        for key in type(element)._attributes:
            with suppress(ValueError):
                element.get_attribute_xml_string(key)
        for tag in type(element)._types:
            children = element.get_children(tag)
            if isinstance(children, Element):
                left.append(children)
            elif children is not None:
                repr(children), len(children), list(children), 'nothing' in children
        repr(element), element.get_attributes(), element.to_xml(), element.is_same_as(element)
        left += element.all_children()
    for namespace in NAMESPACES:
        with suppress(ValueError):
            model.find(namespace, 'nothing'), model.find_all(namespace)
    model.get_assets(), copy.deepcopy(model), mjcf.diff(model, model), model.enter_scope('nothing')
    with suppress(ValueError):
        model.to_source()
    with suppress(ValueError):
        model.to_spec()
    with suppress(ValueError):
        library.Physics.from_mjcf_model(model)


def attached(library, model):
    host = library.RootElement(model='other')
    host.attach(model, extra_body=False)
    return host.to_xml_string()


def hosting(library, model):
    guest = library.from_xml_string(
        '<mujoco model="guest"><default><geom size="3"/><velocity kv="1"/></default>'
        '<worldbody><geom/></worldbody></mujoco>'
    )
    model.attach(guest)
    return model.to_xml_string()


def included(library, model):
    target = library.RootElement()
    target.include_copy(model)
    return target.to_xml_string()


def there(model):
    """Returns the elements of a model, except for empty ones that exist only because of a read."""
    return [each for each in model.walk() if not each._always or each._values or each._resets]


def committed(library, model):
    for element in there(model):
        library.commit_defaults(element)
    return model.to_xml_string()


def edited(library, model):
    for number, element in enumerate(there(model)):
        if 'pos' in type(element)._attributes and 'fromto' not in element._values:
            element.pos = [number, 2, 3]
        if element._key == 'name' and number % 2:
            element.name = f'new_{number}'
    return model.to_source()


def without_defaults(library, model):
    model.default.remove()
    return model.to_xml_string()


def source(library, model):
    return model.to_source()


USES = {
    'write': lambda library, model: model.to_xml_string(),
    'source': source,
    'copy': lambda library, model: copy.deepcopy(model).to_xml_string(),
    'files': lambda library, model: sorted(model.get_assets()),
    'attach': attached,
    'host': hosting,
    'include': included,
    'commit': committed,
    'edit': edited,
    'remove': without_defaults,
}


def outcome(use, library, model):
    """Returns the result of a use, or the error if the library refuses it."""
    try:
        return use(library, model)
    except (ValueError, NotImplementedError) as error:
        return repr(error)


IN_PYMJCF = 'whole', 'made', 'a kind within another', 'a class'


@pytest.mark.parametrize(
    ('make', 'library'),
    [
        pytest.param(
            make, library, id=f'{name}-{library.__name__.rpartition(".")[2]}',
            marks=[] if (library is pymjcf) == (name in IN_PYMJCF) or name == 'whole'
            else pytest.mark.nightly,
        )
        for name, make in MODELS.items() for library in (mjcf, pymjcf)
    ],
)  # fmt: skip
def test_asking_for_everything_changes_nothing(make, library):
    for name, use in USES.items():
        expected = outcome(use, library, make(library))
        model = make(library)
        ask_for_everything(library, model)
        assert model.is_same_as(make(library)), name
        assert not mjcf.diff(model, make(library)), name
        assert outcome(use, library, model) == expected, name
