"""PyMJCF's introduction as a contract, part two: models attached to models."""

from __future__ import annotations

import copy

import pytest

from mujoco_ros_py import mjcf

PARENT = """
<mujoco model="parent">
  <worldbody>
    <body>
      <geom name="foo" type="box" pos="-0.2 0 0.3" size="0.5 0.3 0.1"/>
      <site name="attachment_site" pos="1. 2. 3." quat="1. 0. 0. 1."/>
    </body>
  </worldbody>
</mujoco>
"""
CHILD = """
<mujoco model="child">
  <worldbody>
    <geom name="bar" type="box" pos="0.5 0.25 1." size="0.1 0.2 0.3"/>
  </worldbody>
</mujoco>
"""


@pytest.fixture
def parent():
    return mjcf.from_xml_string(PARENT)


@pytest.fixture
def child():
    return mjcf.from_xml_string(CHILD)


def test_a_reference_into_an_attached_model_is_made_of_the_element(parent, child):
    joint = child.worldbody.add('body').add('joint', name='hinge')
    parent.attach(child)
    actuator = parent.actuator.add('motor', joint=joint)
    assert actuator.get_attribute_xml_string('joint') == 'child/hinge'


def test_a_string_in_a_reference_gets_the_scope_of_its_model(parent, child):
    child.worldbody.add('body').add('joint', name='hinge')
    actuator = child.actuator.add('motor', joint='hinge')
    nowhere = child.actuator.add('motor', joint='nowhere')
    parent.attach(child)
    assert actuator.get_attribute_xml_string('joint', prefix_root=parent) == 'child/hinge'
    assert nowhere.get_attribute_xml_string('joint', prefix_root=parent) == 'child/nowhere'


def test_a_model_is_attached_to_another(tmp_path):
    (tmp_path / 'robot.xml').write_text(CHILD)
    arena = mjcf.RootElement()
    arena.worldbody.add('geom', name='ground', type='plane', size=[10, 10, 1])
    robot = mjcf.from_xml_file(str(tmp_path / 'robot.xml'))
    arena.attach(robot)
    assert robot.parent_model is arena
    assert arena.find('geom', 'child/bar') is robot.find('geom', 'bar')


def test_an_attachment_frame_is_a_body_where_the_site_is(parent, child):
    frame = parent.find('site', 'attachment_site').attach(child)
    (body,) = parent.worldbody.body
    assert frame.parent is body
    assert frame.tag == 'body'
    assert (frame.pos.tolist(), frame.quat.tolist()) == ([1, 2, 3], [1, 0, 0, 1])
    assert frame.full_identifier == 'child/'


def test_the_frame_has_the_contents_of_the_attached_world_in_xml(parent, child):
    parent.find('site', 'attachment_site').attach(child)
    assert (
        parent.to_xml_string()
        == """\
<mujoco model="parent">
  <default>
    <default class="/"/>
    <default class="child/"/>
  </default>
  <worldbody>
    <body>
      <geom name="foo" type="box" pos="-0.2 0 0.3" size="0.5 0.3 0.1" class="/"/>
      <site name="attachment_site" pos="1 2 3" quat="1 0 0 1" class="/"/>
      <body name="child/" pos="1 2 3" quat="1 0 0 1">
        <geom name="child/bar" type="box" pos="0.5 0.25 1." size="0.1 0.2 0.3" class="child/"/>
      </body>
    </body>
  </worldbody>
</mujoco>
"""
    )


def test_no_name_of_a_user_has_the_slash_of_a_frame_or_of_a_global_class(parent):
    with pytest.raises(ValueError, match="name must not contain '/'"):
        parent.worldbody.add('body', name='child/')
    with pytest.raises(ValueError, match="name must not contain '/'"):
        parent.default.add('default', dclass='child/')


def test_a_frame_is_not_a_regular_body(parent, child):
    parent.attach(child)
    assert len(parent.worldbody.body) == 1
    assert parent.find('body', 'child/') is None


def test_a_joint_of_the_frame_is_added_to_what_attach_returns(parent, child):
    attachment_frame = parent.attach(child)
    joint = attachment_frame.add('freejoint')
    assert mjcf.get_frame_freejoint(child) is joint


def test_the_frame_is_found_from_either_model(parent, child):
    attached = parent.find('site', 'attachment_site').attach(child)
    frame_1 = parent.find('attachment_frame', 'child')
    frame_2 = mjcf.traversal_utils.get_attachment_frame(child)
    assert frame_1 == frame_2 == attached == mjcf.get_attachment_frame(child)


def test_a_frame_takes_joints_and_inertia_alone(parent, child):
    frame = parent.find('site', 'attachment_site').attach(child)
    frame.add('joint', name='hinge')
    frame.add('inertial', pos=[0, 0, 0], mass=1)
    for other in ('geom', 'site', 'body', 'camera'):
        with pytest.raises(AttributeError, match=f'<{other}> is not allowed in it'):
            frame.add(other)


def test_elements_of_a_child_model_do_not_appear_when_its_parent_is_traversed(parent, child):
    parent.find('site', 'attachment_site').attach(child)
    (body,) = parent.worldbody.body
    assert [geom.name for geom in body.geom] == ['foo']
    assert len(body.body) == 0
    assert [geom.name for geom in parent.worldbody.geom] == []


def test_a_parents_defaults_do_not_affect_its_child():
    parent = mjcf.from_xml_string("""
        <mujoco model="parent">
          <default>
            <geom rgba="1. 0. 0. 1."/>
            <default class="green"><geom rgba="0. 1. 0. 1."/></default>
          </default>
        </mujoco>
    """)
    child = mjcf.from_xml_string("""
        <mujoco model="child">
          <default>
            <joint range="0. 1."/>
            <default class="stiff"><joint stiffness="0.1"/></default>
          </default>
        </mujoco>
    """)
    parent.attach(child)
    assert (
        parent.default.to_xml_string(prefix_root=parent)
        == """\
<default class="/">
  <geom rgba="1. 0. 0. 1."/>
  <default class="green">
    <geom rgba="0. 1. 0. 1."/>
  </default>
</default>
"""
    )
    assert (
        child.default.to_xml_string(prefix_root=parent)
        == """\
<default class="child/">
  <joint range="0. 1."/>
  <default class="child/stiff">
    <joint stiffness="0.1"/>
  </default>
</default>
"""
    )
    default = parent.to_xml().find('default')
    assert not default.attrib
    assert [each.get('class') for each in default] == ['/', 'child/']


def test_global_defaults_are_those_of_the_model_whatever_they_are_written_as(parent, child):
    parent.default.geom.rgba = [1, 0, 0, 1]
    assert 'class' not in parent.to_xml_string(), 'of a model alone they are the outermost'
    parent.attach(child)
    assert parent.default.geom.rgba.tolist() == [1, 0, 0, 1]
    assert parent.default.dclass is None


def test_models_with_different_global_options_are_not_attached():
    model_1 = mjcf.RootElement()
    model_1.compiler.angle = 'radian'
    model_2 = mjcf.RootElement()
    model_2.compiler.angle = 'degree'
    with pytest.raises(ValueError, match='disagree on angle: radian in the host, degree in the'):
        model_1.attach(model_2)


@pytest.mark.parametrize(
    ('path', 'attribute', 'ours', 'theirs'),
    [
        (['compiler'], 'autolimits', 'true', 'false'),
        (['option'], 'gravity', [0, 0, -1], [0, 0, 0]),
        (['size'], 'nuserdata', 1, 2),
        (['visual', 'headlight'], 'ambient', [1, 1, 1], [0, 0, 0]),
    ],
)
def test_global_options_are_those_of_compiler_option_size_and_visual(
    path, attribute, ours, theirs
):
    models = mjcf.RootElement(model='one'), mjcf.RootElement(model='two')
    for model, value in zip(models, (ours, theirs), strict=True):
        section = model
        for tag in path:
            section = getattr(section, tag)
        setattr(section, attribute, value)
    with pytest.raises(ValueError, match=f'disagree on {attribute}'):
        models[0].attach(models[1])


def test_an_option_that_one_model_leaves_open_is_no_conflict():
    model_1 = mjcf.RootElement()
    model_2 = mjcf.RootElement()
    model_2.compiler.angle = 'degree'
    model_1.attach(model_2)
    assert mjcf.get_attachment_frame(model_2).root is model_1


def test_angles_that_would_be_read_in_the_unit_of_the_other_model_are_a_conflict():
    model_1 = mjcf.RootElement()
    model_1.worldbody.add('body', euler=[90, 0, 0])
    model_2 = mjcf.RootElement()
    model_2.worldbody.add('body', euler=[1, 0, 0])
    model_2.compiler.angle = 'radian'
    with pytest.raises(ValueError, match='angle is degree in the host and radian in the'):
        model_1.attach(model_2)
    assert model_1.compiler.angle is None


def test_children_of_other_sections_are_merged_with_prefixed_names(parent, child):
    joint = child.worldbody.add('body').add('joint', name='hinge')
    parent.actuator.add('motor', name='first')
    child.actuator.add('motor', name='drive', joint=joint)
    child.tendon.add('fixed', name='rope').add('joint', joint=joint, coef=1)
    parent.attach(child)
    written = parent.to_xml()
    assert [each.get('name') for each in written.find('actuator')] == ['first', 'child/drive']
    assert written.find('tendon/fixed').get('name') == 'child/rope'
    assert written.find('tendon/fixed/joint').get('joint') == 'child/hinge'


def test_type_and_range_are_no_words_of_python():
    body = mjcf.RootElement().worldbody.add('body')
    my_geom, my_joint = body.add('geom'), body.add('joint')
    my_geom.type = 'capsule'
    my_joint.range = [-1, 1]
    assert (my_geom.type, my_joint.range.tolist()) == ('capsule', [-1, 1])


def test_a_model_is_not_attached_twice_but_its_copy_is(parent, child):
    parent.attach(child)
    for again in (parent, mjcf.RootElement()):
        with pytest.raises(ValueError, match='already attached'):
            again.attach(child)
    twin = copy.deepcopy(child)
    twin.model = 'twin'
    parent.attach(twin)
    assert parent.find('geom', 'twin/bar') is twin.find('geom', 'bar')
