"""Models attached to models."""

from __future__ import annotations

import copy

import mujoco
import pytest

from mujoco_ros_py import mjcf

ARM = """
<mujoco model="{}">
  <worldbody>
    <body name="upper"><joint name="shoulder"/><geom name="bone" size="0.1"/></body>
  </worldbody>
  <actuator><motor name="m" joint="shoulder"/></actuator>
  <sensor><jointpos name="angle" joint="shoulder"/></sensor>
</mujoco>
"""


def arm(name: str = 'arm'):
    return mjcf.from_xml_string(ARM.format(name))


@pytest.fixture
def torso():
    """A model with two sites on a body."""
    return mjcf.from_xml_string("""
        <mujoco model="torso">
          <worldbody>
            <body name="chest">
              <geom name="bone" size="0.2"/>
              <site name="left" pos="-1 2 3" quat="1 0 0 1"/>
              <site name="right" pos="1 0 0"/>
            </body>
          </worldbody>
        </mujoco>
    """)


def compiled(model):
    return mujoco.MjModel.from_xml_string(model.to_xml_string())


def names(model, kind, count):
    return [getattr(model, kind)(number).name for number in range(count)]


def test_a_frame_stands_where_the_site_does_and_holds_the_world_of_the_attached_model(torso):
    frame = torso.find('site', 'left').attach(arm())
    assert frame.pos.tolist() == [-1, 2, 3]
    assert frame.quat.tolist() == [1, 0, 0, 1]
    assert frame.parent is torso.find('body', 'chest')
    model = compiled(torso)
    assert names(model, 'body', model.nbody) == ['world', 'chest', 'arm/', 'arm/upper']
    assert model.body('arm/').pos.tolist() == [-1, 2, 3]


def test_sections_are_merged_in_the_order_of_attachment_and_names_get_a_prefix(torso):
    torso.find('site', 'left').attach(arm('first'))
    torso.find('site', 'right').attach(arm('second'))
    model = compiled(torso)
    assert names(model, 'actuator', model.nu) == ['first/m', 'second/m']
    assert names(model, 'sensor', model.nsensor) == ['first/angle', 'second/angle']
    assert model.actuator('second/m').trnid[0] == model.joint('second/shoulder').id


def test_models_of_one_name_get_numbers(torso):
    first, second, third = arm(), arm(), arm()
    for model in (first, second, third):
        torso.attach(model)
    assert [model.model for model in (first, second, third)] == ['arm', 'arm_1', 'arm_2']
    assert compiled(torso).njnt == 3


def test_frames_of_one_site_stand_in_the_order_in_which_they_were_attached(torso):
    site = torso.find('site', 'left')
    frames = [site.attach(arm(name)) for name in ('a', 'b')]
    chest = torso.find('body', 'chest').all_children()
    assert chest[chest.index(frames[0]) + 1] is frames[1]
    assert chest[chest.index(frames[0]) - 1] is site


def test_a_frame_takes_joints_and_inertia_only(torso):
    frame = torso.find('site', 'left').attach(arm())
    hinge = frame.add('joint', name='hinge', axis=[0, 0, 1])
    fixed = frame.add('inertial', pos=[0, 0, 0], mass=1, diaginertia=[1, 1, 1])
    assert hinge.full_identifier == 'arm/hinge/'
    assert fixed.full_identifier is None
    assert names(compiled(torso), 'joint', 2) == ['arm/hinge/', 'arm/shoulder']
    with pytest.raises(
        AttributeError, match='<geom> is not allowed in it; known: joint, inertial'
    ):
        frame.add('geom', size=[1])
    with pytest.raises(ValueError, match="name 'hinge' is already used"):
        frame.add('joint', name='hinge')


def test_a_free_joint_is_for_frames_in_the_world(torso):
    with pytest.raises(AttributeError, match='<freejoint> is not allowed'):
        torso.find('site', 'left').attach(arm('a')).add('freejoint')
    frame = torso.attach(arm('b'))
    joint = frame.add('freejoint')
    frame.add('inertial', pos=[0, 0, 0], mass=1, diaginertia=[1, 1, 1])
    assert joint.full_identifier == 'b/'
    model = compiled(torso)
    assert model.joint('b/').type[0] == mujoco.mjtJoint.mjJNT_FREE


def test_elements_are_found_through_the_models_that_they_are_in(torso):
    left, hand = arm('left'), arm('hand')
    torso.find('site', 'left').attach(left)
    left.find('body', 'upper').add('site', name='wrist').attach(hand)
    joint = hand.find('joint', 'shoulder')
    assert torso.find('joint', 'left/hand/shoulder') is joint
    assert left.find('joint', 'hand/shoulder') is joint
    assert torso.find('joint', 'hand/shoulder') is None
    assert joint.full_identifier == 'left/hand/shoulder'
    assert torso.enter_scope('left/hand') is hand
    assert torso.enter_scope('nobody') is None
    assert torso.find('attachment_frame', 'left') is mjcf.get_attachment_frame(left)
    assert [model.model for model in (hand.parent_model, hand.root_model)] == ['left', 'torso']


def test_find_all_sees_attached_models_unless_it_is_told_not_to(torso):
    torso.attach(arm())
    assert len(torso.find_all('joint')) == 1
    assert torso.find_all('joint', exclude_attachments=True) == []
    assert [found.tag for found in torso.find_all('actuator')] == ['motor']
    assert len(torso.find_all('body')) == 3, 'chest, frame and upper'


def test_children_of_attached_models_are_in_the_lists_of_sections_by_their_scope(torso):
    child = arm()
    torso.attach(child)
    assert torso.actuator.motor['arm/m'] is child.actuator.motor['m']
    assert torso.worldbody.body['chest'] is torso.find('body', 'chest')


def test_references_between_models_are_elements(torso):
    child = arm()
    torso.attach(child)
    motor = torso.actuator.add('motor', name='mine', joint=child.find('joint', 'shoulder'))
    assert motor.get_attribute_xml_string('joint') == 'arm/shoulder'
    child.find('joint', 'shoulder').name = 'renamed'
    child.model = 'limb'
    assert compiled(torso).actuator('mine').trnid[0] == compiled(torso).joint('limb/renamed').id


def test_a_detached_model_is_as_it_was(torso):
    alone, child = torso.to_xml_string(), arm()
    before = child.to_xml_string()
    torso.find('site', 'left').attach(child)
    child.detach()
    assert (torso.to_xml_string(), child.to_xml_string()) == (alone, before)
    assert child.parent_model is None
    assert torso.find('attachment_frame', 'arm') is None
    torso.attach(child)
    with pytest.raises(RuntimeError, match="'torso' is not attached to another model"):
        torso.detach()


def test_what_cannot_be_attached_is_refused_and_changes_nothing(torso):
    child, before = arm(), torso.to_xml_string()
    for wrong, reason in ((torso, 'to itself'), ('arm', 'RootElement'), (None, 'RootElement')):
        with pytest.raises(ValueError, match=reason):
            torso.attach(wrong)
    assert torso.to_xml_string() == before
    torso.attach(child)
    with pytest.raises(ValueError, match='already attached'):
        torso.attach(child)
    with pytest.raises(ValueError, match='to itself'):
        child.attach(torso)


def test_removing_what_a_model_is_attached_in_is_refused_until_it_is_meant(torso):
    child = arm()
    torso.find('site', 'left').attach(child)
    with pytest.raises(
        ValueError, match=r"the attached model 'arm'; use remove\(affect_attachments"
    ):
        torso.find('body', 'chest').remove()
    torso.find('body', 'chest').remove(affect_attachments=True)
    assert child.parent_model is None
    assert torso.find('body', 'chest') is None


def test_a_frame_that_is_removed_is_detached(torso):
    alone, child = torso.to_xml_string(), arm()
    frame = torso.find('site', 'left').attach(child)
    with pytest.raises(ValueError, match='affect_attachments'):
        frame.remove()
    frame.remove(affect_attachments=True)
    assert frame.is_removed
    assert child.parent_model is None
    assert torso.to_xml_string() == alone


def test_a_model_is_renamed_beside_its_frame_by_set_attributes_too(torso):
    child = arm()
    torso.attach(child)
    for refused in ({'model': ''}, {'model': 'leg', 'poss': 1}):
        with pytest.raises((ValueError, AttributeError)):
            child.set_attributes(**refused)
        assert torso.enter_scope('arm') is child
    child.set_attributes(model='leg')
    assert torso.enter_scope('leg') is child
    assert '"leg/upper"' in torso.to_xml_string()


@pytest.mark.parametrize('rename', ['torso', 'other'])
def test_a_model_that_is_attached_is_renamed_only_to_a_free_name(torso, rename):
    child, other = arm('arm'), arm('other')
    torso.attach(child)
    torso.attach(other)
    if rename == 'other':
        with pytest.raises(ValueError, match="'other' is already attached"):
            child.model = rename
        assert child.model == 'arm'
    else:
        child.model = rename
        assert torso.find('joint', 'torso/shoulder') is child.find('joint', 'shoulder')


def test_a_name_with_the_separator_is_none_for_a_model_that_is_attached(torso):
    child = mjcf.from_xml_string('<mujoco model="a/b"/>')
    assert mjcf.RootElement(model='a/b').model == child.model == 'a/b'
    with pytest.raises(ValueError, match="'a/b' cannot be attached under this name, because '/'"):
        torso.attach(child)
    assert child.parent_model is None
    child.model = 'a'
    torso.attach(child)
    with pytest.raises(ValueError, match="model must not contain '/' while attached, got 'a/b'"):
        child.model = 'a/b'
    assert torso.find('attachment_frame', 'a').attachment is child


def test_what_attach_names_follows_the_model_that_it_is_in(torso):
    part = b"""
        <mujoco model="part">
          <worldbody><body name="u"><joint name="j"/><geom size="1"/></body></worldbody>
        </mujoco>
    """
    child = mjcf.from_xml_string(
        """
        <mujoco model="c">
          <asset><model file="part.xml"/></asset>
          <worldbody>
            <frame name="own"><body name="b"><geom size="1"/></body></frame>
            <frame><attach frame="own" prefix="again_"/></frame>
            <frame><attach model="part" body="u" prefix="p_"/></frame>
          </worldbody>
          <actuator><motor name="m" joint="p_j"/></actuator>
        </mujoco>
        """,
        assets={'part.xml': part},
    )
    torso.attach(child)
    torso.attach(copy.deepcopy(child))
    model = mujoco.MjModel.from_xml_string(torso.to_xml_string(), torso.get_assets())
    found = names(model, 'body', model.nbody)
    for prefix in ('c/', 'c_1/'):
        assert {f'{prefix}b', f'{prefix}again_{prefix}b', f'{prefix}p_u'} < set(found)
        assert model.actuator(f'{prefix}m').trnid[0] == model.joint(f'{prefix}p_j').id


def test_a_model_is_attached_to_the_world_beside_its_attach_elements(torso):
    element = torso.worldbody.add('attach', model='file', prefix='of_file/')
    frame = torso.worldbody.attach(arm())
    assert frame.parent is torso.worldbody
    assert torso.find('joint', 'arm/shoulder') is not None
    assert torso.worldbody.attach[0] is element
    assert len(torso.worldbody.attach) == 1
