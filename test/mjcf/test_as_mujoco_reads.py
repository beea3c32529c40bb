"""Text that MuJoCo accepts is read, and keeps its meaning when written or attached."""

from __future__ import annotations

import warnings

import mujoco
import pytest

from mujoco_ros_py import mjcf
from mujoco_ros_py.errors import MjcfError
from mujoco_ros_py.mjcf.tools.checking import check

BODY = '<worldbody><body name="a"><geom size=".1"/></body></worldbody>'
SUB = b"""
<mujoco model="sub">
  <worldbody><body name="b"><joint name="j"/><geom size=".1"/></body></worldbody>
</mujoco>
"""


def compiled(model):
    return mujoco.MjModel.from_xml_string(model.to_xml_string(), model.get_assets())


def attached(model, **options):
    arena = mjcf.RootElement(model='arena')
    arena.attach(model, **options)
    return arena


# Empty texts


def test_a_reference_to_nothing_is_none_where_it_is_written_and_attached():
    model = mjcf.from_xml_string("""
        <mujoco>
          <default><geom material="red"/></default>
          <asset><material name="red"/></asset>
          <worldbody><geom size=".1" material=""/><geom size=".1"/></worldbody>
        </mujoco>
    """)
    assert model.worldbody.geom[0].material is None
    assert compiled(model).geom_matid.tolist() == [-1, 0]
    mjcf.commit_defaults(model.worldbody.geom[0])
    assert compiled(attached(model)).geom_matid.tolist() == [-1, 0]


def test_an_empty_name_is_none():
    model = mjcf.from_xml_string("""
        <mujoco>
          <worldbody><body name=""><joint name="" /><geom size=".1" name=""/></body></worldbody>
          <keyframe><key name="" qpos="1"/></keyframe>
        </mujoco>
    """)
    body = model.worldbody.body[0]
    exclude = model.contact.add('exclude', body1=body, body2=model.worldbody)
    assert exclude.body1 is body
    assert compiled(model).nexclude == 1
    assert compiled(attached(model)).key_qpos.tolist() == [[1]]


def test_a_number_that_is_an_empty_text_is_as_if_it_were_not_there():
    text = '<mujoco><worldbody><geom size=".1" mass="" group="" user=""/></worldbody></mujoco>'
    model = mjcf.from_xml_string(text)
    assert model.worldbody.geom[0].mass is None
    assert compiled(model).ngeom == 1


def test_a_model_may_have_an_empty_name():
    text = '<mujoco model=""><worldbody/></mujoco>'
    model = mjcf.from_xml_string(text)
    assert model.model == 'unnamed_model'
    assert compiled(model).names == mujoco.MjModel.from_xml_string(text).names


def test_a_spec_may_have_an_empty_name():
    spec = mujoco.MjSpec()
    spec.modelname = ''
    spec.worldbody.add_body(name='b').add_geom(size=[0.1, 0, 0])
    assert mjcf.from_spec(spec).find('body', 'b') is not None


# Angles and keys


def test_angles_that_are_0_are_the_same_in_all_units():
    radians = mjcf.from_xml_string("""
        <mujoco model="radians">
          <compiler angle="radian" eulerseq="zyx"/>
          <worldbody><body euler="0 0 0"><joint range="0 0" ref="0"/><geom size=".1"/></body></worldbody>
        </mujoco>
    """)  # noqa: E501
    arena = mjcf.from_xml_string("""
        <mujoco model="arena">
          <worldbody><body euler="0 0 90" axisangle=""><geom size=".1"/></body></worldbody>
        </mujoco>
    """)
    arena.attach(radians)
    assert compiled(arena).body_quat[1] == pytest.approx([0.5**0.5, 0, 0, 0.5**0.5])


def test_angles_that_are_not_0_are_still_refused():
    radians = mjcf.from_xml_string("""
        <mujoco model="radians">
          <compiler angle="radian"/>
          <worldbody><body axisangle="0 0 1 1"/></worldbody>
        </mujoco>
    """)
    arena = mjcf.from_xml_string("""
        <mujoco><worldbody><body euler="0 0 90"/></worldbody></mujoco>
    """)
    with pytest.raises(ValueError, match=r'both .* depend on it'):
        arena.attach(radians)


def test_a_key_may_be_shorter_than_the_state():
    text = """
        <mujoco model="m">
          <worldbody>
            <body>
              <joint name="x" type="slide"/><joint type="slide" ref="6"/><geom size=".1"/>
            </body>
            <body mocap="true" pos="1 2 3"/><body mocap="true" pos="4 5 6"/>
          </worldbody>
          <actuator><motor joint="x"/><motor joint="x"/></actuator>
          <keyframe><key qpos="7" ctrl="8" mpos="9 9 9 9"/></keyframe>
        </mujoco>
    """
    plain = mujoco.MjModel.from_xml_string(text)
    arena = attached(mjcf.from_xml_string(text), extra_body=False)
    arena.attach(mjcf.from_xml_string(text), extra_body=False)
    model = compiled(arena)
    for name, width in (('qpos', 2), ('ctrl', 2), ('mpos', 6)):
        ours = getattr(model, f'key_{name}').reshape(2, 2, width)
        (theirs,) = getattr(plain, f'key_{name}').reshape(1, width)
        assert ours[0, 0].tolist() == ours[1, 1].tolist() == theirs.tolist()


# <attach>


@pytest.mark.parametrize(('worldbody', 'joint'), [
    ('<attach model="sub" body="b" prefix="p_"/>', 'p_j'),
    ('<attach model="sub" body="b" prefix=""/>', 'j'),
    ('<body name="k"><joint name="j"/><geom size=".1"/></body>'
     '<body><geom size=".1"/><attach body="k" prefix="p_"/></body>', 'p_j'),
    ('<body name="k"><joint name="j"/><geom size=".1"/></body>'
     '<body name="l"><geom size=".1"/><attach body="k" prefix="p_"/></body>'
     '<body><geom size=".1"/><attach body="l" prefix="q_"/></body>', 'q_p_j'),
])  # fmt: skip
@pytest.mark.filterwarnings('ignore')
def test_an_actuator_of_an_attached_model_acts_on_joints_that_attach_makes(worldbody, joint):
    text = f"""
        <mujoco model="m">
          <asset><model name="sub" file="sub.xml"/></asset>
          <worldbody>{worldbody}</worldbody>
          <actuator><motor joint="{joint}"/></actuator>
        </mujoco>
    """
    plain = mujoco.MjModel.from_xml_string(text, {'sub.xml': SUB})
    once = attached(mjcf.from_xml_string(text, assets={'sub.xml': SUB}))
    for arena in once, attached(once):
        model = compiled(arena)
        assert model.njnt == plain.njnt
        assert model.actuator_trnid[0, 0] == plain.actuator_trnid[0, 0]


# Included files


def test_what_a_file_in_a_folder_includes_is_looked_for_in_that_folder_too(tmp_path):
    (tmp_path / 'sub').mkdir()
    for name, text in {
        'sub/body.xml': '<mujoco><include file="geom.xml"/></mujoco>',
        'sub/geom.xml': '<mujoco><geom name="near" size=".1"/></mujoco>',
        'both.xml': '<mujoco><geom name="top" size=".1"/></mujoco>',
        'sub/both.xml': '<mujoco><geom name="sub" size=".1"/></mujoco>',
        'sub/other.xml': '<mujoco><include file="both.xml"/></mujoco>',
    }.items():
        (tmp_path / name).write_text(text)
    for name, geom in (('body', 'near'), ('other', 'top')):
        path = tmp_path / f'{name}.xml'
        included = f'<include file="sub/{name}.xml"/>'
        path.write_text(f'<mujoco><worldbody>{included}</worldbody></mujoco>')
        assert mujoco.MjModel.from_xml_path(str(path)).geom(0).name == geom
        assert compiled(mjcf.from_path(path)).geom(0).name == geom


def test_a_file_that_is_in_neither_folder_is_told_with_both():
    files = {'sub/body.xml': b'<mujoco>\n<include file="none.xml"/></mujoco>'}
    text = '<mujoco><worldbody><include file="sub/body.xml"/></worldbody></mujoco>'
    with pytest.raises(MjcfError, match=r"^sub/body.xml: Line 2: .*'sub/none.xml'"):
        mjcf.from_xml_string(text, assets=files)


def test_the_file_that_is_found_is_written_when_includes_are_kept(tmp_path):
    (tmp_path / 'sub').mkdir()
    (tmp_path / 'sub/body.xml').write_text('<mujoco><include file="geom.xml"/></mujoco>')
    (tmp_path / 'sub/geom.xml').write_text('<mujoco><geom name="g" size=".1"/></mujoco>')
    text = '<mujoco><worldbody><include file="sub/body.xml"/></worldbody></mujoco>'
    (tmp_path / 'model.xml').write_text(text)
    model = mjcf.from_path(tmp_path / 'model.xml')
    model.find('geom', 'g').size = [0.5]
    mjcf.save(model, tmp_path / 'model.xml', keep_includes=True)
    assert 'size="0.5"' in (tmp_path / 'sub/geom.xml').read_text()
    assert mujoco.MjModel.from_xml_path(str(tmp_path / 'model.xml')).geom_size[0, 0] == 0.5


def test_bodies_beside_the_worldbody_are_ignored_as_mujoco_does():
    text = (
        '<mujoco>\n<body name="a"><geom size=".1"/></body><worldbody><site/></worldbody></mujoco>'
    )
    plain = mujoco.MjModel.from_xml_string(text)
    with pytest.warns(UserWarning, match='Line 2: MuJoCo ignores <body> of <mujoco>'):
        model = mjcf.from_xml_string(text)
    assert compiled(model).nbody == plain.nbody == 1
    assert model.to_source() == text
    _, warned = check(text.encode(), '', {}, compiled=True)
    assert [str(each) for each in warned] == ['Line 2: MuJoCo ignores <body> of <mujoco>']


@pytest.mark.parametrize('inside', [
    '<body name="a"><geom size=".1"/></body>',
    '<geom rgba="1 0 0 1"/><default class="c"><joint damping="1"/></default>',
    '<motor name="m" joint="elsewhere"/>',
    '<asset/><worldbody/>',
    '<mesh name="m" vertex="0 0 0"/>',
])  # fmt: skip
def test_a_fragment_is_valid_if_there_is_a_place_where_it_can_be_included(inside):
    text = f'<mujocoinclude model="part">{inside}</mujocoinclude>'
    assert check(text.encode(), '', {}, compiled=True) == ([], [])


def test_faults_in_a_fragment_are_told():
    for inside, told in (
        ('<geom size="x"/>', 'size must be'),
        ('<goem/>', '<goem> is not allowed'),
    ):
        text = f'<mujocoinclude>\n{inside}</mujocoinclude>'
        ((error,), _) = check(text.encode(), '', {}, compiled=True)
        assert str(error).startswith('Line 2: ')
        assert told in str(error)


# Missing files


def test_a_missing_file_is_told_with_the_line_that_names_it():
    text = """<mujoco>
        <compiler meshdir="meshes"/>
        <asset><mesh name="m" file="none.obj"/></asset>
        <worldbody><geom type="mesh" mesh="m"/></worldbody>
    </mujoco>"""
    with pytest.raises(FileNotFoundError, match=r'\(line 3\)'):
        mjcf.from_xml_string(text).get_assets()
    ((error,), _) = check(text.encode(), '', {}, compiled=True)
    assert str(error) == "Line 3: Error opening file 'meshes/none.obj'"


# Text that is no XML


TOLERATED = {
    'text before the root': f'text <mujoco>{BODY}</mujoco>',
    'a second root': f'<mujoco>{BODY}</mujoco><mujoco><worldbody/></mujoco>',
    'another end tag': f'<mujoco>{BODY}</mujoco></mujoco>',
    'two hyphens in a comment': f'<mujoco><!-- a -- b --->{BODY}</mujoco>',
    'an ampersand in text': f'<mujoco> a & b {BODY}</mujoco>',
    'a late declaration': f'\n<?xml version="1.0"?><mujoco>{BODY}</mujoco>',
    'two declarations': f'<?xml version="1.0"?><?xml version="1.0"?><mujoco>{BODY}</mujoco>',
    'an end tag with attributes': f'<mujoco>{BODY}</mujoco name="a">',
    'an unknown declaration': f'<mujoco><!foo>{BODY}</mujoco>',
    'an unknown encoding': f'<?xml version="1.0" encoding="GB2312"?><mujoco>{BODY}</mujoco>',
}


@pytest.mark.parametrize('text', TOLERATED.values(), ids=TOLERATED)
def test_what_is_no_xml_is_read_with_a_warning_if_mujoco_reads_it(text, tmp_path):
    assert mujoco.MjModel.from_xml_string(text).nbody == 2
    (tmp_path / 'model.xml').write_text(text)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter('always')
        model = mjcf.from_path(tmp_path / 'model.xml')
    assert 'MuJoCo reads it anyway' in str(warned[-1].message)
    assert compiled(model).nbody == 2
    model.find('body', 'a').pos = [1, 2, 3]
    assert model.to_source() == text.replace('name="a">', 'name="a" pos="1 2 3">', 1)


def test_what_is_no_xml_is_a_warning_of_validate():
    text = TOLERATED['two hyphens in a comment']
    errors, warned = check(text.encode(), '', {}, compiled=True)
    assert errors == []
    assert 'not well-formed' in str(warned[0])


@pytest.mark.filterwarnings('ignore')
def test_an_included_file_need_not_be_xml_either():
    part = b'text <mujoco><!-- -- --><body name="a"/></mujoco></mujoco>'
    text = '<mujoco><worldbody><include file="part.xml"/></worldbody></mujoco>'
    model = mjcf.from_xml_string(text, assets={'part.xml': part})
    assert model.find('body', 'a') is not None
    assert mujoco.MjModel.from_xml_string(model.to_source()).nbody == 2


@pytest.mark.parametrize(('value', 'told'), [
    ('a & b', '&amp;'),
    ('a &foo; b', '&amp;'),
    ('a < b', '&lt;'),
    ('a\x01', 'control characters'),
    ('a&#1;', 'control characters'),
    ('a"pos="1 2 3', 'separate attributes with a blank'),
])  # fmt: skip
def test_values_that_are_no_xml_are_refused_with_what_to_mend(value, told):
    text = f'<mujoco>\n<worldbody><body name="{value}"/></worldbody></mujoco>'
    assert mujoco.MjModel.from_xml_string(text).nbody == 2
    with pytest.raises(
        MjcfError, match=f"^Line 2: not well-formed: .*{told}.*MuJoCo's own parser"
    ):
        mjcf.from_xml_string(text)


def test_a_document_type_is_refused_with_what_to_mend():
    with pytest.raises(MjcfError, match='so remove it'):
        mjcf.from_xml_string(f'<!DOCTYPE mujoco><mujoco>{BODY}</mujoco>')
