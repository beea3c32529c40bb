"""The defaults of elements: in attached models, and in commit_defaults."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mujoco_ros_py import mjcf
from mujoco_ros_py.mjcf import pymjcf

TOOL = (
    '<mujoco model="tool"><worldbody><body name="b"><geom size="1"/></body></worldbody></mujoco>'
)
POSES = {
    'pos': 3, 'quat': 4, 'axisangle': 4, 'xyaxes': 6, 'zaxis': 3, 'euler': 3, 'fromto': 6,
}  # fmt: skip


def compiled(model):
    return mujoco.MjModel.from_xml_string(model.to_xml_string())


def poses(model):
    """Returns the world poses of the site and of the attached body."""
    physics = compiled(model)
    data = mujoco.MjData(physics)
    mujoco.mj_kinematics(physics, data)
    site, body = data.site('here'), data.body('tool/b')
    return (site.xpos, site.xmat), (body.xpos, body.xmat)


def check_attached(text):
    for extra_body in (True, False):
        model = mjcf.from_xml_string(text)
        model.find('site', 'here').attach(mjcf.from_xml_string(TOOL), extra_body=extra_body)
        (pos, mat), (attached_pos, attached_mat) = poses(model)
        assert attached_pos == pytest.approx(pos, abs=1e-12)
        assert attached_mat == pytest.approx(mat, abs=1e-12)


@pytest.mark.parametrize('said', [
    'pos="1 2 3" euler="10 20 30"', 'quat="1 .5 .2 .1"', 'fromto="0 0 0 1 2 3"',
])  # fmt: skip
@pytest.mark.parametrize('where', ['main', 'class', 'childclass'])
def test_a_model_is_attached_where_defaults_put_the_site(said, where):
    of_main, of_class = (said, '') if where == 'main' else ('', said)
    own = 'class="c"' if where == 'class' else ''
    body = 'childclass="c"' if where == 'childclass' else ''
    check_attached(f"""
        <mujoco>
          <default>
            <site type="capsule" size=".1" {of_main}/>
            <default class="c"><site {of_class}/></default>
          </default>
          <worldbody>
            <body pos="1 0 0" euler="0 30 0" {body}>
              <geom size="1"/><site name="here" {own}/>
            </body>
          </worldbody>
        </mujoco>
    """)


def test_a_model_is_attached_halfway_between_the_ends_of_its_site():
    check_attached("""
        <mujoco>
          <worldbody>
            <site name="here" type="box" size=".1 .2" fromto=".1 .2 .3 1 -2 3"/>
          </worldbody>
        </mujoco>
    """)


@st.composite
def sites(draw):
    """Draws attributes for the pose of a site. MuJoCo accepts at most one orientation."""
    numbers = st.integers(1, 9).map(lambda number: number / 7)
    keys = draw(st.sampled_from([
        [], ['pos'], ['quat'], ['axisangle'], ['xyaxes'], ['zaxis'], ['euler'], ['fromto'],
        ['pos', 'euler'], ['pos', 'quat'], ['fromto', 'quat'], ['fromto', 'euler'],
    ]))  # fmt: skip
    lists = {
        key: draw(st.lists(numbers, min_size=POSES[key], max_size=POSES[key])) for key in keys
    }
    if 'xyaxes' in lists:
        lists['xyaxes'] = [1, lists['xyaxes'][0], 0, 0, 1, lists['xyaxes'][1]]
    if 'fromto' in lists:
        lists['fromto'][0] += 2
    return ' '.join(f'{key}="{" ".join(map(str, value))}"' for key, value in lists.items())


@given(
    said=st.tuples(sites(), sites(), sites(), sites()),
    compiler=st.sampled_from(
        ['', 'angle="radian"', 'eulerseq="zYx"', 'angle="radian" eulerseq="XYZ"']
    ),
    named=st.sampled_from(['', 'class="a"', 'class="b"']),
    around=st.sampled_from(['', 'childclass="a"', 'childclass="b"']),
    within=st.sampled_from(['frame', 'body']),
)
@settings(max_examples=settings.default.max_examples // 5)
def test_wherever_a_site_is_a_model_is_attached_there(said, compiler, named, around, within):
    outer, inner, innermost, own = said
    text = f"""
        <mujoco>
          <compiler {compiler}/>
          <default>
            <site type="capsule" size=".1" {outer}/>
            <default class="a">
              <site {inner}/>
              <default class="b"><site {innermost}/></default>
            </default>
          </default>
          <worldbody>
            <body pos=".5 .6 .7" euler=".1 .2 .3" {around}>
              <geom size="1"/>
              <{within} pos="0 1 2" axisangle="1 2 3 .5">
                <site name="here" {named} {own}/>
              </{within}>
            </body>
          </worldbody>
        </mujoco>
    """
    try:
        mujoco.MjModel.from_xml_string(text)
    except ValueError:
        return  # MuJoCo refuses pos and fromto from two classes
    check_attached(text)


def test_an_orientation_of_a_class_is_not_set_beside_the_own_one():
    model = mjcf.from_xml_string("""
        <mujoco>
          <default>
            <site euler="10 20 30"/>
            <default class="c"><site zaxis="1 2 3"/></default>
          </default>
          <worldbody><site class="c" quat="1 2 3 4"/><site class="c"/></worldbody>
        </mujoco>
    """)
    before = compiled(model).site_quat
    for site in model.find_all('site'):
        mjcf.commit_defaults(site)
    assert np.array_equal(compiled(model).site_quat, before)


@pytest.mark.parametrize(
    ('tag', 'of_class', 'own', 'field'),
    [
        ('camera', 'fovy="30"', 'sensorsize=".02 .01" resolution="4 2"', 'cam_fovy'),
        ('camera', 'sensorsize=".02 .01" resolution="4 2"', 'fovy="30"', 'cam_fovy'),
        ('light', 'directional="true"', 'type="point"', 'light_type'),
        ('light', 'type="point"', 'directional="true"', 'light_type'),
    ],
)
def test_what_excludes_an_own_attribute_is_not_committed(tag, of_class, own, field):
    text = f"""
        <mujoco>
          <default><{tag} {of_class}/></default><worldbody><{tag} {own}/></worldbody>
        </mujoco>
    """
    model = mjcf.from_xml_string(text)
    mjcf.commit_defaults(model.worldbody.all_children()[0])
    expected = getattr(mujoco.MjModel.from_xml_string(text), field)
    assert np.array_equal(getattr(compiled(model), field), expected)


def test_defaults_of_tendons_and_constraints_are_committed():
    text = """
        <mujoco>
          <default><tendon margin=".5"/><equality solref=".1 2"/></default>
          <worldbody><body><joint name="j"/><geom size="1"/></body></worldbody>
          <tendon><fixed name="t"><joint joint="j" coef="1"/></fixed></tendon>
          <equality><joint name="e" joint1="j"/></equality>
        </mujoco>
    """
    model = mjcf.from_xml_string(text)
    for kind, name, key in (('tendon', 't', 'margin'), ('equality', 'e', 'solref')):
        element = model.find(kind, name)
        mjcf.commit_defaults(element)
        assert getattr(element, key) is not None


def test_the_last_of_several_actuators_in_a_class_is_committed():
    model = mjcf.from_xml_string("""
        <mujoco>
          <default><motor gear="2"/><general gear="3"/></default>
          <worldbody><body><joint name="j"/><geom size="1"/></body></worldbody>
          <actuator><motor name="m" joint="j"/></actuator>
        </mujoco>
    """)
    motor = model.find('actuator', 'm')
    mjcf.commit_defaults(motor)
    assert motor.gear.tolist() == [3]
    assert compiled(model).actuator_gear[0, 0] == 3


@pytest.mark.parametrize('library', [mjcf, pymjcf], ids=['mjcf', 'pymjcf'])
def test_parameters_of_a_kind_of_actuator_are_committed_whatever_was_asked_for(library):
    model = library.RootElement()
    model.default.position.kp = 7
    assert model.default.velocity.kv is None
    inner = model.default.add('default', dclass='inner')
    inner.general.ctrlrange = [0, 1]
    body = model.worldbody.add('body')
    body.add('joint', name='j')
    plain = model.actuator.add('position', joint='j')
    limited = model.actuator.add('position', joint='j', dclass='inner')
    for actuator in (plain, limited):
        library.commit_defaults(actuator)
    assert (plain.kp, limited.kp) == (7, 7)
    assert limited.ctrlrange.tolist() == [0, 1]
    inner.general.gainprm = [3]
    replaced = model.actuator.add('position', joint='j', dclass='inner')
    library.commit_defaults(replaced)
    assert replaced.kp is None


def test_numbers_that_a_class_leaves_open_are_committed_from_the_class_around_it():
    model = mjcf.from_xml_string("""
        <mujoco>
          <default>
            <geom friction="1 2 3" size=".1"/>
            <default class="c"><geom friction="4"/></default>
          </default>
          <worldbody><geom class="c"/></worldbody>
        </mujoco>
    """)
    expected = compiled(model).geom_friction
    (geom,) = model.worldbody.geom
    mjcf.commit_defaults(geom)
    assert geom.friction.tolist() == [4, 2, 3]
    geom.dclass = None
    model.default.remove()
    assert np.array_equal(compiled(model).geom_friction, expected)


def test_a_free_joint_has_no_defaults():
    model = mjcf.from_xml_string("""
        <mujoco>
          <default><joint group="3"/></default>
          <worldbody><body><freejoint name="f"/><geom size="1"/></body></worldbody>
        </mujoco>
    """)
    mjcf.commit_defaults(model.find('joint', 'f'))
    assert model.find('joint', 'f').group is None


def test_what_a_class_says_is_committed_from_the_classes_around_it():
    model = mjcf.from_xml_string("""
        <mujoco>
          <default>
            <geom mass="1"/>
            <default class="a">
              <geom mass="2"/>
              <default class="b"><geom margin=".1"/></default>
            </default>
          </default>
        </mujoco>
    """)
    section = model.find('default', 'b').geom
    mjcf.commit_defaults(section)
    assert (section.mass, section.margin) == (2, 0.1)


OF_ACTUATORS = (
    '<general gainprm="7"/>', '<general dyntype="integrator"/>', '<general biasprm="1 2 3"/>',
    '<motor gear="2"/>', '<position/>', '<position kp="5"/>', '<position kv="2"/>',
    '<position dampratio="1"/>', '<position timeconst="1"/>', '<position ctrlrange="0 1"/>',
    '<position inheritrange="1"/>', '<velocity kv="3"/>', '<intvelocity kp="4"/>',
)  # fmt: skip
"""Sections of defaults. Each one resets its unnamed attributes for actuators of other kinds."""
IN_ORDER = (
    '<default>{}</default><default>{}</default>',
    '<default>{}{}</default>',
    '<default>{}<default class="x">{}</default></default>',
    '<default><default class="x">{}</default></default><default>{}</default>',
)
OF_COMPILED = [name for name in dir(mujoco.MjModel) if name.startswith('actuator_')]


@pytest.mark.slow
@pytest.mark.parametrize('first', OF_ACTUATORS)
@pytest.mark.parametrize('layout', IN_ORDER)
def test_defaults_of_several_kinds_of_actuators_are_written_and_committed_as_they_are(
    layout, first
):
    compared = 0
    of_class = 'class="x"' if 'class' in layout else ''
    tags = 'general', 'motor', 'position'
    for turn, second in enumerate(OF_ACTUATORS, OF_ACTUATORS.index(first)):
        tag = tags[turn % len(tags)]
        text = f"""
            <mujoco>
              {layout.format(first, second)}
              <worldbody><body><joint name="j" range="0 1"/><geom size="1"/></body></worldbody>
              <actuator><{tag} joint="j" {of_class}/></actuator>
            </mujoco>
        """
        try:
            expected = actuators(text)
        except ValueError:  # MuJoCo refuses this pair of sections
            continue
        model = mjcf.from_xml_string(text)
        assert actuators(model.to_xml_string()) == expected, text
        mjcf.commit_defaults(model.actuator.all_children()[0])
        assert actuators(model.to_xml_string()) == expected, f'committed: {text}'
        compared += 1
    assert compared


def actuators(text: str) -> dict[str, list]:
    """Returns all arrays of the compiled model that describe actuators."""
    compiled = mujoco.MjModel.from_xml_string(text)
    return {name: getattr(compiled, name).tolist() for name in OF_COMPILED}


@pytest.mark.parametrize('attached', [True, False])
def test_an_actuator_with_parameters_of_later_defaults_is_refused_where_models_are_attached(
    attached,
):
    model = mjcf.from_xml_string("""
        <mujoco model="arm">
          <default><default class="x"><position kp="4"/></default></default>
          <default><general gainprm="7"/></default>
          <worldbody><body><joint name="j"/><geom size="1"/></body></worldbody>
          <actuator>
            <position name="p" class="x" joint="j"/>
            <general name="g" class="x" joint="j"/>
            <velocity name="v" class="x" joint="j"/>
          </actuator>
        </mujoco>
    """)
    assert actuators(model.to_xml_string())['actuator_gainprm'][2][0] == 7
    one, other = (mjcf.RootElement('host'), model) if attached else (model, mjcf.RootElement('o'))
    one.attach(other)
    with pytest.raises(ValueError, match=r'<velocity .*for other kinds of actuators, but a later'):
        one.to_xml_string()
    model.find('actuator', 'v').remove()
    assert model.default.velocity.kv is None, 'a section that is only asked for is for nobody'
    gains = actuators(one.to_xml_string())['actuator_gainprm']
    assert [each[0] for each in gains] == [4, 4]
