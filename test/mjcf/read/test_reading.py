"""Reading of MJCF, and its errors with line and element."""

import io

import pytest

from mujoco_ros_py import mjcf
from mujoco_ros_py.errors import MjcfAttributeError, MjcfError


def read(content, **options):
    return mjcf.from_xml_string(f'<mujoco>{content}</mujoco>', **options)


MODEL = '<mujoco model="m"><worldbody><geom name="g"/></worldbody></mujoco>'


def test_a_model_is_read_from_a_string_from_bytes_from_a_file_and_from_a_path(tmp_path):
    path = tmp_path / 'm.xml'
    path.write_text(MODEL)
    models = [
        mjcf.from_xml_string(MODEL),
        mjcf.from_xml_string(MODEL.encode('utf-16')),
        mjcf.from_file(io.StringIO(MODEL)),
        mjcf.from_file(io.BytesIO(MODEL.encode())),
        mjcf.from_path(path),
        mjcf.from_path(str(path)),
        mjcf.from_xml_file(path),
    ]
    for model in models:
        assert isinstance(model, mjcf.RootElement)
        assert model.model == 'm'
        assert model.find('geom', 'g') is model.worldbody.geom[0]


def test_a_path_in_place_of_an_open_file_is_told(tmp_path):
    for path in (tmp_path / 'm.xml', 'm.xml'):
        with pytest.raises(TypeError, match=r"must be an open file, got the path '.*m\.xml'"):
            mjcf.from_file(path)


def test_a_file_that_is_not_there_is_an_error_of_the_system(tmp_path):
    with pytest.raises(FileNotFoundError):
        mjcf.from_path(tmp_path / 'none.xml')


def test_a_string_is_read_as_it_is_whatever_encoding_it_declares():
    text = '<?xml version="1.0" encoding="latin-1"?><mujoco model="h\u00e4"/>'
    assert mjcf.from_xml_string(text).model == 'h\u00e4'
    assert mjcf.from_xml_string(text.encode('latin-1')).model == 'h\u00e4'


@pytest.mark.parametrize(
    ('line', 'kind', 'tag', 'reason'),
    [
        ('<bod/>', KeyError, 'bod', '<bod> is not allowed in it; known: body, geom'),
        ('<body poss="1"/>', AttributeError, 'body', "unknown attribute 'poss'; known: name"),
        ('<body dclass="1"/>', AttributeError, 'body', "unknown attribute 'dclass'"),
        ('<body pos="1 2 3 4"/>', ValueError, 'body', 'pos must be at most 3 numbers'),
        ('<body pos="here"/>', ValueError, 'body', "at most 3 numbers, got 'here'"),
        ('<body pos="NaN 0 0"/>', ValueError, 'body', "at most 3 numbers, not nan, got 'NaN 0 0'"),
        ('<geom type="cube"/>', ValueError, 'geom', 'type must be one of plane, hfield'),
        ('<geom mass="heavy"/>', ValueError, 'geom', 'mass must be a number'),
        ('<geom condim="1.5"/>', ValueError, 'geom', 'condim must be a whole number'),
        ('<geom condim="4294967296"/>', ValueError, 'geom', 'condim must be a whole number'),
        ('<camera output="rgb x"/>', ValueError, 'camera', 'output must be some of rgb, depth'),
        ('<geom name="g"/>', ValueError, 'geom', 'name \'g\' is already used by <geom name="g"/>'),
        ('<body name="world"/>', ValueError, 'body', "name must not be 'world'"),
        ('<body><inertial mass="1"/></body>', AttributeError, 'inertial', 'pos is required'),
        ('<body><freejoint/><freejoint/></body>', ValueError, 'freejoint', 'only once'),
        ('<include/>', ValueError, 'include', 'file must be its only attribute'),
        ('<include file="a" b="c"/>', ValueError, 'include', 'file must be its only attribute'),
        ('<include file="none.xml"/>', OSError, 'include', "'none.xml': No such file"),
    ],
)
def test_an_error_tells_line_element_and_rule_and_is_of_a_known_type(line, kind, tag, reason):
    text = f'<mujoco>\n<worldbody><geom name="g"/>\n{line}\n</worldbody>\n</mujoco>'
    with pytest.raises(MjcfError) as caught:
        mjcf.from_xml_string(text)
    assert isinstance(caught.value, kind)
    assert isinstance(caught.value, ValueError)
    assert str(caught.value).startswith(f'Line 3: error while parsing element <{tag}>: ')
    assert reason in str(caught.value)


@pytest.mark.parametrize(
    ('text', 'reason'),
    [
        ('', 'Line 1: not well-formed: no element found'),
        ('<mujoco>\n<option', 'Line 2: not well-formed: unclosed token'),
        ('<mujoco model="&"/>', 'Line 1: not well-formed: invalid token'),
        ('<mujoco>\n</muj>', 'Line 2: not well-formed: mismatched tag'),
        ('<mujoco/> more', 'Line 1: not well-formed: junk after document element'),
        ('<mujoco model="&nothing;"/>', 'Line 1: not well-formed: undefined entity'),
        ('<mujoco model="\ud800"/>', 'Line 1: not well-formed: '),
        ('<robot/>', 'Line 1: error while parsing element <robot>: the first element must be'),
        ('<mujoco x="1"/>', 'Line 1: error while parsing element <mujoco>: '),
    ],
)
def test_what_is_no_model_is_refused_with_the_line(text, reason):
    with pytest.raises(MjcfError, match=reason):
        mjcf.from_xml_string(text)


@pytest.mark.parametrize(
    'doctype',
    [
        '<!DOCTYPE mujoco>',
        '<!DOCTYPE mujoco SYSTEM "file:///etc/hostname">',
        '<!DOCTYPE mujoco [<!ENTITY x SYSTEM "file:///etc/hostname">]>',
        '<!DOCTYPE mujoco [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>',
    ],
)
def test_document_types_and_their_entities_are_refused(doctype):
    with pytest.raises(MjcfError, match=r'^Line 2: a document type is not allowed'):
        mjcf.from_xml_string(f'<?xml version="1.0"?>\n{doctype}<mujoco>&b;</mujoco>')


def test_sections_that_occur_twice_are_one():
    model = read(
        '<option timestep="1"/><worldbody><geom name="a"/></worldbody><asset/>'
        '<option timestep="2" gravity="0 0 0"><flag gravity="disable"/></option>'
        '<worldbody><geom name="b"/></worldbody><option><flag contact="disable"/></option>'
    )
    assert [geom.name for geom in model.worldbody.geom] == ['a', 'b']
    flag = '<flag gravity="disable" contact="disable"/>'
    assert model.option.to_xml_string(pretty_print=False) == (
        f'<option timestep="2" gravity="0 0 0">{flag}</option>'
    )


@pytest.mark.parametrize('tag', ['frame', 'replicate count="1"'])
def test_attributes_of_frames_that_mujoco_ignores_are_ignored_with_a_warning(tag):
    text = f'<mujoco>\n<worldbody><{tag} euler="0 0 1" colour="red"/></worldbody></mujoco>'
    with pytest.warns(UserWarning, match=f'Line 2: MuJoCo ignores colour of <{tag.split()[0]}>'):
        model = mjcf.from_xml_string(text)
    assert 'colour' not in model.to_xml_string()
    assert 'euler="0 0 1"' in model.to_xml_string()


@pytest.mark.parametrize(
    ('text', 'expected'),
    [
        ('<geom type="Box"/>', '<geom type="box"/>'),
        ('<geom condim="3.0"/>', '<geom condim="3"/>'),
        ('<camera output="RGB Depth"/>', '<camera output="rgb depth"/>'),
    ],
)
def test_what_pymjcf_reads_and_mujoco_does_not_is_made_to_fit(text, expected):
    assert expected in read(f'<worldbody>{text}</worldbody>').to_xml_string()


def test_default_classes_may_be_named_main():
    model = read('<default/><default class="main"><geom size="1"/></default>')
    assert model.find('default', 'main') is model.default
    with pytest.raises(MjcfError, match="class 'main' is already used"):
        read('<default class="main"><default class="main"/></default>')


@pytest.mark.parametrize('references', [True, False])
def test_separators_in_names_are_escaped_if_asked(references):
    text = (
        '<default><default class="arm/"/></default>'
        '<worldbody><body name="arm/b" childclass="arm/"><joint name="arm/j"/></body></worldbody>'
        '<actuator><motor joint="arm/j"/><motor joint="arm/nowhere"/></actuator>'
    )
    plain = read(text, resolve_references=references)
    assert plain.find('joint', 'arm/j').name == 'arm/j'
    model = read(text, escape_separators=True, resolve_references=references)
    assert '/' not in model.to_xml_string().replace('</', '').replace('/>', '')
    assert model.find('joint', 'arm\\j').name == 'arm\\j'
    assert model.find('joint', 'arm/j') is None
    assert 'joint="arm\\nowhere"' in model.to_xml_string()
    assert 'childclass="arm\\"' in model.to_xml_string()


def nested(count):
    return f'<worldbody>{"<body>" * count}{"</body>" * count}</worldbody>'


def test_elements_as_deep_as_mujoco_takes_them_are_read_searched_compared_and_written():
    model, other = read(nested(497)), read(nested(497))
    assert len(model.find_all('body')) == 497
    assert model.is_same_as(other)
    assert mjcf.from_xml_string(model.to_xml_string()).is_same_as(model)
    assert len(list(model.to_xml().iter('body'))) == 497
    model.worldbody.body[0].remove()
    assert model.find_all('body') == []


@pytest.mark.parametrize('count', [498, 10_000])
def test_deeper_elements_are_refused(count):
    with pytest.raises(MjcfError, match='element <body>: nested more than 499 elements deep'):
        read(nested(count))


@pytest.mark.parametrize('attributes', ['type="Box" sise="1"', 'sise="1" type="Box"'])
def test_an_unknown_attribute_is_told_beside_one_that_is_mended(attributes):
    with pytest.raises(MjcfAttributeError, match="unknown attribute 'sise'"):
        mjcf.from_xml_string(f'<mujoco><worldbody><geom {attributes}/></worldbody></mujoco>')


def test_an_error_knows_file_line_and_reason():
    parts = {'part.xml': b'<mujoco>\n<geom sise="1"/></mujoco>'}
    with pytest.raises(MjcfError) as caught:
        read('<worldbody>\n<include file="part.xml"/></worldbody>', assets=parts)
    error = caught.value
    assert (error.path, error.line) == ('part.xml', 2)
    assert error.reason.startswith('error while parsing element <geom>: unknown attribute')
    assert str(error) == f'part.xml: Line 2: {error.reason}'

    with pytest.raises(MjcfError) as caught:
        read('\n<worldbody>')
    assert (caught.value.path, caught.value.line) == ('', 2)
