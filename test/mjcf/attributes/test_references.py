"""Attributes that name other elements and follow their renamings."""

import mujoco
import pytest

from mujoco_ros_py import mjcf

MODEL = """
<mujoco>
  <default><default class="c"/></default>
  <asset><material name="red"/></asset>
  <worldbody>
    <body name="b" childclass="c">
      <joint name="hinge"/>
      <geom name="g" size="1" material="red"/>
    </body>
  </worldbody>
  <actuator><motor name="drive" joint="hinge"/></actuator>
  <sensor><framepos objtype="xbody" objname="b" reftype="geom" refname="g"/></sensor>
</mujoco>
"""


@pytest.fixture
def model():
    return mjcf.from_xml_string(MODEL)


@pytest.fixture
def hinge(model):
    return model.find('joint', 'hinge')


def test_an_element_is_assigned_and_followed_through_renames(model, hinge):
    actuator = model.actuator.add('velocity', joint=hinge)
    assert actuator.joint is hinge
    hinge.name = 'knee'
    assert str(actuator) == '<velocity joint="knee"/>'


def test_references_that_were_read_are_elements_and_follow(model, hinge):
    assert model.find('actuator', 'drive').joint is hinge
    hinge.name = 'knee'
    model.find('material', 'red').name = 'blue'
    model.find('body', 'b').name = 'box'
    model.find('geom', 'g').name = 'hull'
    model.find('default', 'c').dclass = 'klass'
    written = model.to_xml_string()
    for text in (
        '<motor name="drive" joint="knee"/>',
        'name="hull" size="1" material="blue"',
        'objtype="xbody" objname="box" reftype="geom" refname="hull"',
        'childclass="klass"',
    ):
        assert text in written


@pytest.mark.parametrize('renames', [1, 2])
def test_a_name_of_an_element_that_exists_follows_it(model, hinge, renames):
    for number in range(renames):
        actuator = model.actuator.add('velocity', joint=hinge.name)
        hinge.name = f'knee{number}'
        assert f'joint="knee{number}"' in str(actuator)
        assert actuator.joint is hinge


def test_a_name_of_an_element_that_comes_later_follows_it(model, hinge):
    hinge.name = 'first rename'
    actuator = model.actuator.add('velocity', joint='elbow')
    assert actuator.joint == 'elbow'
    hinge.name = 'second rename'
    elbow = model.worldbody.add('body').add('joint', name='elbow')
    elbow.name = 'wrist'
    assert actuator.joint is elbow
    assert str(actuator) == '<velocity joint="wrist"/>'


def test_a_name_that_no_element_has_is_kept(model):
    actuator = model.actuator.add('velocity', joint='nowhere')
    assert actuator.joint == 'nowhere'
    assert str(actuator) == '<velocity joint="nowhere"/>'


def test_a_reference_to_a_removed_element_is_gone(model, hinge):
    motor = model.find('actuator', 'drive')
    hinge.remove()
    assert motor.joint is None
    assert str(motor) == '<motor name="drive"/>'
    model.find('body', 'b').add('joint', name='hinge')
    assert motor.joint is None


def test_an_element_of_another_kind_is_refused(model):
    motor = model.find('actuator', 'drive')
    with pytest.raises(ValueError, match='joint must be a joint, got MJCF Element: <geom'):
        motor.joint = model.find('geom', 'g')
    with pytest.raises(ValueError, match='joint must be a joint or the name of one, got 3'):
        motor.joint = 3
    assert motor.joint.name == 'hinge'


def test_a_type_is_gone_with_the_element_that_it_is_the_type_of(model):
    sensor = model.sensor.framepos[0]
    assert sensor.refname.name == 'g'
    sensor.refname.remove()
    assert str(sensor) == '<framepos objtype="xbody" objname="b"/>'
    assert (sensor.reftype, sensor.refname) == (None, None)


def test_a_removed_element_is_refused(model, hinge):
    hinge.remove()
    with pytest.raises(ValueError, match='joint must be an element that is still in a model'):
        model.find('actuator', 'drive').joint = hinge


def test_an_element_without_a_name_is_written_with_one_if_it_is_referred_to(model):
    body, unused = model.worldbody.add('body'), model.worldbody.add('body')
    joint = body.add('joint')
    model.find('actuator', 'drive').joint = joint
    text = model.to_xml_string()
    assert (body.name, joint.name, unused.name) == (None, None, None)
    read = mjcf.from_xml_string(text)
    assert read.find('actuator', 'drive').joint is read.worldbody.body[1].joint[0]
    assert read.worldbody.body[1].name is None
    mujoco.MjSpec.from_string(text)


def test_a_reference_into_an_attached_model_follows_renames_there(model):
    arm = mjcf.RootElement(model='arm')
    elbow = arm.worldbody.add('body').add('joint', name='elbow')
    model.attach(arm)
    motor = model.actuator.add('motor', joint='arm/elbow')
    elbow.name = 'knee'
    late = model.actuator.add('motor', joint='arm/knee')
    arm.model = 'leg'
    assert motor.joint is late.joint is elbow
    assert model.to_xml_string().count('joint="leg/knee"') == 2


def test_a_free_joint_is_a_joint_and_the_worldbody_a_body(model):
    free = model.worldbody.add('body').add('freejoint', name='free')
    model.find('actuator', 'drive').joint = free
    weld = model.equality.add('weld', body1='b', body2=model.worldbody)
    assert weld.body2 is model.worldbody
    assert 'body2="world"' in str(weld)


@pytest.mark.parametrize(
    ('objtype', 'namespace', 'name'),
    [('body', 'body', 'b'), ('xbody', 'body', 'b'), ('geom', 'geom', 'g')],
)
def test_a_type_tells_what_the_name_is_of(model, objtype, namespace, name):
    found = model.find(namespace, name)
    for given in (found, name):
        sensor = model.sensor.add('framequat', objtype=objtype, objname=given)
        assert sensor.objname is found
    with pytest.raises(ValueError, match='objname must be a'):
        sensor.objname = model.find('joint', 'hinge')


def test_a_type_that_does_not_fit_its_object_any_more_is_refused_when_written(model):
    sensor = model.sensor.framepos[0]
    assert sensor.objname.tag == 'body'
    sensor.objtype = 'site'
    with pytest.raises(ValueError, match='objname must be a site'):
        model.to_xml_string()
    assert 'objtype="site"' in str(sensor)


def test_an_element_without_a_type_is_refused(model):
    sensor = model.sensor.framepos[0]
    assert sensor.refname.tag == 'geom'
    del sensor.reftype
    with pytest.raises(ValueError, match='refname needs reftype, the type of the named element'):
        model.to_xml_string()
    with pytest.raises(ValueError, match='refname needs reftype'):
        sensor.refname = model.find('geom', 'g')
    sensor.reftype = 'geom'
    assert 'reftype="geom"' in model.to_xml_string()


def test_what_needs_an_element_that_was_removed_is_refused_when_written(model):
    model.sensor.framepos.clear()
    exclude = model.contact.add('exclude', name='x', body1='world', body2=model.find('body', 'b'))
    model.find('body', 'b').remove()
    with pytest.raises(ValueError, match=r'"x".*: body2 is required, but its target was'):
        model.to_xml_string()
    assert str(exclude) == '<exclude name="x" body1="world"/>'
    exclude.remove()
    assert '<exclude' not in model.to_xml_string()


def test_an_element_of_a_model_that_is_not_written_is_refused(model):
    arm = mjcf.RootElement(model='arm')
    elbow = arm.worldbody.add('body', name='b').add('joint', name='elbow')
    motor = model.actuator.add('motor', joint=elbow)
    flex = model.deformable.add('flex', name='f', body=[elbow.parent], element=[0, 0])
    for unwritable in (motor, flex):
        with pytest.raises(ValueError, match=r"must be in the written model .* of 'arm'"):
            unwritable.to_xml_string()
    assert str(motor) == '<motor joint="elbow"/>'
    model.attach(arm)
    assert 'joint="arm/elbow"' in motor.to_xml_string()
    assert 'body="arm/b"' in flex.to_xml_string()
    arm.actuator.add('motor', joint=model.find('joint', 'hinge'))
    with pytest.raises(ValueError, match='joint must be in the written model'):
        arm.to_xml_string()
    arm.detach()
    with pytest.raises(ValueError, match='joint must be in the written model'):
        model.to_xml_string()


def test_a_type_that_is_none_is_left_to_mujoco():
    model = mjcf.RootElement()
    user = model.sensor.add('user', dim=1, objtype='ghost', objname='x')
    assert user.objname == 'x'
    assert 'objtype="ghost" objname="x"' in model.to_xml_string()


def test_names_stay_names_if_asked_until_they_are_resolved():
    model = mjcf.from_xml_string(MODEL, resolve_references=False)
    motor, hinge = model.find('actuator', 'drive'), model.find('joint', 'hinge')
    assert motor.joint == 'hinge'
    model.resolve_references()
    assert motor.joint is hinge


def test_names_that_are_not_resolved_follow_no_rename():
    model = mjcf.from_xml_string(MODEL, resolve_references=False)
    model.find('joint', 'hinge').name = 'knee'
    assert model.find('actuator', 'drive').joint == 'hinge'


def test_several_names_in_one_string_follow_renames(model):
    flex = model.deformable.add('flex', name='f', body='b nobody', element=[0, 0])
    assert flex.body == 'b nobody'
    model.find('body', 'b').name = 'box'
    assert flex.body == 'box nobody'
    flex.body = [model.worldbody, model.find('body', 'box'), 'other']
    assert 'body="world box other"' in str(flex)
    model.find('body', 'box').remove()
    assert flex.body == 'world other'
    for wrong in (3, [model.find('actuator', 'drive')]):
        with pytest.raises(ValueError, match='body must be'):
            flex.body = wrong


@pytest.mark.parametrize(
    ('section', 'text', 'namespace', 'name', 'key'),
    [
        ('sensor', '<jointpos joint="j"/>', 'joint', 'j', 'joint'),
        ('contact', '<exclude body1="b" body2="c"/>', 'body', 'b', 'body1'),
        ('sensor', '<framepos objtype="geom" objname="g"/>', 'geom', 'g', 'objname'),
        ('deformable', '<flex name="f" body="b" element="0 0"/>', 'body', 'b', 'body'),
    ],
)
def test_a_reference_that_has_to_be_there_is_asked_for_when_what_it_names_is_gone(
    section, text, namespace, name, key
):
    model = mjcf.from_xml_string(f"""
        <mujoco>
          <worldbody><body name="b"><joint name="j"/><geom name="g" size="1"/></body></worldbody>
          <{section}>{text}</{section}>
        </mujoco>
    """)
    element = getattr(model, section).all_children()[0]
    model.find(namespace, name).remove()
    assert not getattr(element, key)
    with pytest.raises(ValueError, match=f'{key} is required, but its target was'):
        model.to_xml_string()
    with pytest.raises(ValueError, match=f'{key} is required'):
        model.to_source()
    assert str(element), 'a message can have it'
    element.remove()
    assert section not in model.to_xml_string()


def test_the_flex_of_an_equality_is_a_flexcomp_or_a_flex():
    model = mjcf.from_xml_string("""
        <mujoco>
          <worldbody><flexcomp name="cloth"/></worldbody>
          <equality><flex flex="cloth"/></equality>
        </mujoco>
    """)
    equality, cloth = model.equality.flex[0], model.worldbody.flexcomp[0]
    assert equality.flex is cloth
    cloth.name = 'flag'
    assert '<flex flex="flag"/>' in model.to_xml_string()
    equality.flex = model.deformable.add('flex', name='net', body='b', element=[0, 0])
    assert '<flex flex="net"/>' in model.to_xml_string()
    with pytest.raises(ValueError, match='flex must be a flex'):
        equality.flex = model.worldbody


def test_the_flex_of_an_equality_is_found_in_an_attached_model():
    outer, inner = mjcf.RootElement(model='outer'), mjcf.RootElement(model='inner')
    cloth = inner.worldbody.add('flexcomp', name='cloth')
    outer.attach(inner)
    equality = outer.equality.add('flex', flex='inner/cloth')
    assert equality.flex is cloth
    assert 'flex="inner/cloth"' in outer.to_xml_string()


def test_elements_without_names_that_are_replicated_can_be_referred_to():
    model = mjcf.RootElement()
    replicate = model.worldbody.add('replicate', count=2)
    geoms = [replicate.add('geom', size=[1]) for _ in range(11)]
    for geom in geoms:
        model.sensor.add('framepos', objtype='geom', objname=geom)
    assert mujoco.MjModel.from_xml_string(model.to_xml_string()).nsensor == 22
