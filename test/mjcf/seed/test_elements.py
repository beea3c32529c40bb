"""PyMJCF's introduction as a contract, part one: models, elements, attributes, names."""

from __future__ import annotations

import io

import numpy as np
import pytest

from mujoco_ros_py import mjcf

MODEL = """
<mujoco model="test">
  <default>
    <default class="brick">
      <geom rgba="1 0 0 1"/>
    </default>
  </default>
  <worldbody>
    <body name="foo">
      <freejoint/>
      <inertial pos="0 0 0" mass="1"/>
      <body name="bar">
        <joint name="my_hinge" type="hinge"/>
        <geom name="my_geom" pos="0 1 2" class="brick"/>
      </body>
    </body>
  </worldbody>
</mujoco>
"""


@pytest.fixture
def mjcf_model():
    return mjcf.from_xml_string(MODEL)


@pytest.fixture
def my_geom(mjcf_model):
    return mjcf_model.worldbody.body['foo'].body['bar'].geom['my_geom']


class Arm:
    def __init__(self, name):
        self.mjcf_model = mjcf.RootElement(model=name)
        self.upper_arm = self.mjcf_model.worldbody.add('body', name='upper_arm')
        self.shoulder = self.upper_arm.add('joint', name='shoulder', type='ball')
        self.upper_arm.add(
            'geom', name='upper_arm', type='capsule', pos=[0, 0, -0.15], size=[0.045, 0.15]
        )
        self.forearm = self.upper_arm.add('body', name='forearm', pos=[0, 0, -0.3])
        self.elbow = self.forearm.add('joint', name='elbow', type='hinge', axis=[0, 1, 0])
        self.forearm.add(
            'geom', name='forearm', type='capsule', pos=[0, 0, -0.15], size=[0.045, 0.15]
        )


class UpperBody:
    def __init__(self):
        self.mjcf_model = mjcf.RootElement()
        world = self.mjcf_model.worldbody
        world.add('geom', name='torso', type='box', size=[0.15, 0.045, 0.25])
        left_shoulder_site = world.add('site', size=[1e-6] * 3, pos=[-0.15, 0, 0.25])
        right_shoulder_site = world.add('site', size=[1e-6] * 3, pos=[0.15, 0, 0.25])
        self.left_arm = Arm(name='left_arm')
        left_shoulder_site.attach(self.left_arm.mjcf_model)
        self.right_arm = Arm(name='right_arm')
        right_shoulder_site.attach(self.right_arm.mjcf_model)


def test_a_model_of_two_instances_of_another_is_compiled_with_prefixed_names():
    body = UpperBody()
    physics = mjcf.Physics.from_mjcf_model(body.mjcf_model)
    assert [physics.model.body(number).name for number in range(physics.model.nbody)] == [
        'world',
        'left_arm/',
        'left_arm/upper_arm',
        'left_arm/forearm',
        'right_arm/',
        'right_arm/upper_arm',
        'right_arm/forearm',
    ]
    assert physics.model.joint('right_arm/elbow').axis.tolist() == [0, 1, 0]
    assert physics.model.geom('left_arm/forearm').size.tolist() == [0.045, 0.15, 0]


def test_an_element_is_not_made_directly():
    with pytest.raises(TypeError, match='create elements with `add`'):
        mjcf.Element()


def test_a_root_element_is_an_empty_model():
    mjcf_model = mjcf.RootElement()
    assert repr(mjcf_model) == 'MJCF Element: <mujoco/>'


def test_attributes_of_a_new_element_are_keyword_arguments():
    my_box = mjcf.RootElement().worldbody.add('geom', name='my_box', type='box', pos=[0, 0.1, 0])
    assert repr(my_box) == 'MJCF Element: <geom name="my_box" type="box" pos="0 0.1 0"/>'


def test_a_model_is_parsed_from_a_path_a_file_and_a_string(tmp_path):
    filename = tmp_path / 'model.xml'
    filename.write_text(MODEL)
    with open(filename) as f:
        from_file = mjcf.from_file(f)
    for mjcf_model in (
        mjcf.from_path(filename),
        mjcf.from_path(str(filename)),
        mjcf.from_xml_file(filename),
        from_file,
        mjcf.from_file(io.StringIO(MODEL)),
        mjcf.from_xml_string(MODEL),
    ):
        assert type(mjcf_model) is mjcf.RootElement
        assert mjcf_model.model == 'test'


def test_children_and_attributes_are_python_attributes(mjcf_model, my_geom):
    assert isinstance(mjcf_model, mjcf.Element)
    assert my_geom.name == 'my_geom'
    np.testing.assert_array_equal(my_geom.pos, np.array([0.0, 1.0, 2.0], dtype=float))
    assert my_geom.pos.dtype == float


def test_the_attribute_class_is_called_dclass_for_class_is_a_word_of_python(my_geom):
    with pytest.raises(SyntaxError):
        compile('my_geom.class', 'readme', 'eval')
    assert my_geom.dclass.dclass == 'brick'
    assert getattr(my_geom, 'class') is my_geom.dclass
    assert my_geom.get_attribute_xml_string('dclass') == 'brick'


def test_attribute_values_are_not_affected_by_defaults(mjcf_model, my_geom):
    assert mjcf_model.default.default['brick'].geom.rgba.tolist() == [1, 0, 0, 1]
    assert my_geom.rgba is None


def test_elements_are_found_without_traversing(mjcf_model, my_geom):
    found_geom = mjcf_model.find('geom', 'my_geom')
    assert found_geom == my_geom


def test_all_elements_of_a_type_are_found_in_the_order_of_the_model(mjcf_model):
    joints = mjcf_model.find_all('joint')
    assert len(joints) == 2
    assert joints[0] == mjcf_model.worldbody.body['foo'].freejoint
    assert joints[1] == mjcf_model.worldbody.body['foo'].body['bar'].joint[0]


def test_attributes_are_modified_added_and_removed(my_geom):
    my_geom.pos = [1, 2, 3]
    np.testing.assert_array_equal(my_geom.pos, np.array([1.0, 2.0, 3.0]))
    my_geom.quat = [0, 1, 0, 0]
    np.testing.assert_array_equal(my_geom.quat, np.array([0.0, 1.0, 0.0, 0.0]))
    del my_geom.quat
    assert my_geom.quat is None


def test_schema_violations_are_errors(mjcf_model, my_geom):
    with pytest.raises(AttributeError, match="unknown attribute or child 'poss'"):
        _ = my_geom.poss
    for invalid in ('invalid', [1, 2, 3, 4, 5, 6]):
        with pytest.raises(ValueError, match='pos must be at most 3 numbers'):
            my_geom.pos = invalid
    inertial = mjcf_model.find('body', 'foo').inertial
    with pytest.raises(AttributeError, match='mass is required'):
        del inertial.mass
    assert inertial.mass == 1


def test_an_identifier_is_unique_within_its_namespace(mjcf_model):
    with pytest.raises(ValueError, match="'my_geom' is already used"):
        mjcf_model.worldbody.add('geom', name='my_geom')
    foo = mjcf_model.worldbody.find('body', 'foo')
    with pytest.raises(ValueError, match="'my_geom' is already used"):
        foo.add('geom', name='my_geom')
    geom = foo.add('geom', name='foo')  # the name of the body
    with pytest.raises(ValueError, match="'my_geom' is already used"):
        mjcf_model.find('geom', 'foo').name = 'my_geom'
    assert geom.name == 'foo'
    mjcf_model.actuator.add('position', name='drive')
    with pytest.raises(ValueError, match="'drive' is already used"):
        mjcf_model.actuator.add('velocity', name='drive')


def test_the_class_of_a_default_is_an_identifier_too(mjcf_model):
    with pytest.raises(ValueError, match="'brick' is already used"):
        mjcf_model.default.add('default', dclass='brick')


def test_an_element_that_is_assigned_to_a_reference_is_followed_when_it_is_renamed(mjcf_model):
    my_hinge = mjcf_model.find('joint', 'my_hinge')
    my_actuator = mjcf_model.actuator.add('velocity', joint=my_hinge)
    my_hinge.name = 'renamed'
    assert my_actuator.joint == my_hinge
    assert str(my_actuator) == '<velocity joint="renamed"/>'


def test_a_string_that_is_assigned_to_a_reference_need_not_name_an_element(mjcf_model):
    my_actuator = mjcf_model.actuator.add('velocity', joint='nowhere')
    assert my_actuator.joint == 'nowhere'
