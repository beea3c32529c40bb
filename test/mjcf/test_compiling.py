"""Models compile to the same result after any reading and writing."""

from __future__ import annotations

import copy
from contextlib import suppress

import mujoco
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mujoco_ros_py import mjcf

numbers = st.integers(1, 9).map(lambda number: number / 8)
PLACES = ['', 'euler', 'quat', 'axisangle', 'zaxis']
JOINTS = ['', 'hinge', 'slide', 'ball']


@st.composite
def vectors(draw, length=3):
    """Draws the text of a vector of numbers above 0."""
    return ' '.join(f'{draw(numbers):g}' for _ in range(length))


@st.composite
def places(draw):
    """Draws the attributes of a pose."""
    how = draw(st.sampled_from(PLACES))
    length = 4 if how in ('quat', 'axisangle') else 3
    turned = f' {how}="{draw(vectors(length))}"' if how else ''
    return f'pos="{draw(vectors())}"{turned}'


@st.composite
def bodies(draw, names, joints, depth=0):
    """Draws a body. Adds its name to `names`, and whether a motor drives its joint to `joints`."""
    name = f'b{len(names)}'
    names.append(name)
    content = ''
    if kind := draw(st.sampled_from(JOINTS)):
        ends = f' range="0 {draw(numbers):g}" limited="true"'
        axis = '' if kind == 'ball' else f' axis="{draw(vectors())}"'
        joint = f'j{len(joints)}'
        joints[joint] = kind != 'ball' and draw(st.booleans())
        content += f'<joint name="{joint}" type="{kind}"{axis}{ends}/>'
    of_class = draw(st.sampled_from(['', ' class="c"', ' class="d"']))
    content += f'<geom size="{draw(vectors())}" type="box" {draw(places())}{of_class}/>'
    if draw(st.booleans()):
        content += f'<frame {draw(places())}><geom size="0.1" {draw(places())}/></frame>'
    if depth < 2:
        for _ in range(draw(st.integers(0, 2))):
            content += draw(bodies(names, joints, depth + 1))
    child_class = draw(st.sampled_from(['', ' childclass="c"']))
    return f'<body name="{name}" {draw(places())}{child_class}>{content}</body>'


@st.composite
def models(draw):
    """MJCF of arms that MuJoCo compiles."""
    names: list[str] = []
    joints: dict[str, bool] = {}
    world = ''.join(draw(bodies(names, joints)) for _ in range(draw(st.integers(1, 2))))
    unit = draw(st.sampled_from(['radian', 'degree']))
    sequence = draw(st.sampled_from(['', ' eulerseq="zyx"', ' eulerseq="XYZ"']))
    driven = [joint for joint, is_driven in joints.items() if is_driven]
    motors = ''.join(f'<motor joint="{joint}" gear="{draw(numbers):g}"/>' for joint in driven)
    seen = ''.join(f'<framepos objtype="body" objname="{body}"/>' for body in names)
    return f"""
        <mujoco model="arm">
          <compiler angle="{unit}"{sequence}/>
          <default>
            <joint damping="{draw(numbers):g}"/><geom rgba="{draw(vectors(4))}"/>
            <default class="c"><geom density="{draw(numbers):g}"/>
              <default class="d"><geom friction="{draw(vectors())}"/></default></default>
          </default>
          <worldbody>{world}</worldbody>
          <actuator>{motors}</actuator>
          <sensor>{seen}</sensor>
        </mujoco>
    """


def compiled(text: str) -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(text)


def saved(text: str) -> bytes:
    """Returns the compiled model as bytes."""
    model = compiled(text)
    content = np.zeros(mujoco.mj_sizeModel(model), np.uint8)
    mujoco.mj_saveModel(model, None, content)
    return content.tobytes()


def touched(model: mjcf.RootElement) -> mjcf.RootElement:
    """Reads every value of a model, and returns the model."""
    for element in model.walk():
        element.get_attributes()
    model.resolve_references()
    return model


few = settings(max_examples=settings.default.max_examples // 10)


@given(models())
@few
def test_reading_writing_and_copying_compile_to_the_same_bytes(text):
    model = mjcf.from_xml_string(text)
    expected = saved(text)
    assert saved(model.to_xml_string()) == expected
    assert saved(copy.deepcopy(model).to_xml_string()) == expected
    assert saved(touched(model).to_xml_string()) == expected
    assert saved(model.to_source()) == expected
    assert saved(touched(copy.deepcopy(model)).to_xml_string(precision=17)) == expected


OF_JOINTS = 'jnt_type', 'jnt_axis', 'jnt_range', 'jnt_pos', 'qpos0', 'dof_damping'
OF_GEOMS = 'geom_size', 'geom_rgba', 'geom_friction'
OF_ACTUATORS = ('actuator_gear',)


@pytest.mark.slow
@given(st.lists(models(), min_size=1, max_size=3), st.booleans())
@few
def test_attached_models_are_what_they_are_alone(texts, at_site):
    parts = [mjcf.from_xml_string(text) for text in texts]
    alone = [compiled(text) for text in texts]
    arena = mjcf.RootElement(model='arena')
    arena.default.geom.rgba = [1, 0, 0, 1]
    arena.default.joint.damping = 77
    place = arena.worldbody.add('site', name='place') if at_site else arena
    attached = []
    for part, model in zip(parts, alone, strict=True):
        with suppress(ValueError):  # the models have different units of angles
            place.attach(part)
            attached.append(model)
    both = compiled(arena.to_xml_string())
    for field in (*OF_JOINTS, *OF_GEOMS, *OF_ACTUATORS):
        expected = np.concatenate([getattr(model, field) for model in attached])
        assert np.array_equal(getattr(both, field), expected), field
    positions = [mujoco.MjData(model) for model in (both, *attached)]
    for model, data in zip((both, *attached), positions, strict=True):
        mujoco.mj_kinematics(model, data)
    expected = np.concatenate([data.geom_xpos for data in positions[1:]])
    np.testing.assert_allclose(positions[0].geom_xpos, expected, atol=1e-12)


@pytest.mark.slow
@given(models())
@few
def test_a_composed_model_that_is_read_again_compiles_to_the_same_bytes(text):
    arena = mjcf.RootElement(model='arena')
    arena.worldbody.add('site', pos=[1, 2, 3]).attach(mjcf.from_xml_string(text))
    twin = mjcf.from_xml_string(text)
    frame = arena.attach(twin)
    frame.add('freejoint')
    frame.add('inertial', pos=[0, 0, 0], mass=1, diaginertia=[1, 1, 1])
    written = arena.to_xml_string()
    assert saved(mjcf.from_xml_string(written).to_xml_string()) == saved(written)
    assert saved(copy.deepcopy(arena).to_xml_string()) == saved(written)


@pytest.mark.slow
@given(models(), st.data())
@few
def test_a_model_that_was_renamed_all_over_compiles_to_the_same_numbers(text, data):
    model = mjcf.from_xml_string(text)
    expected = compiled(text)
    named = [element for element in model.walk() if element.spec.identifier and element._name]
    for number, element in enumerate(data.draw(st.permutations(named))):
        setattr(element, element.spec.identifier, f'renamed_{number}')
    renamed = compiled(model.to_xml_string())
    assert renamed.nsensor == expected.nsensor
    for field in (*OF_JOINTS, *OF_GEOMS, *OF_ACTUATORS, 'actuator_trnid', 'sensor_objid'):
        assert np.array_equal(getattr(renamed, field), getattr(expected, field)), field
