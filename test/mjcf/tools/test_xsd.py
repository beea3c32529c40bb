"""The XSD, compared with MuJoCo's verdict on the same models."""

from pathlib import Path

import mujoco
import pytest
from lxml import etree

from mujoco_ros_py import mjcf
from mujoco_ros_py.mjcf import schema
from mujoco_ros_py.mjcf.schema.class_names import class_names
from mujoco_ros_py.mjcf.tools.xsd import by_tag, schema_xsd

REPOSITORY = Path(__file__).parents[3]
MODELS = [
    *Path(mujoco.__file__).parent.rglob('*.xml'),
    *(REPOSITORY / 'examples').glob('*.xml'),
    *(path for path in (REPOSITORY / 'benchmarks').rglob('*.xml') if path.name != 'plugins.xml'),
]
INERTIAL = '<inertial pos="0 0 0" mass="1"/>'


@pytest.fixture(scope='module')
def document():
    return etree.fromstring(schema_xsd())


@pytest.fixture(scope='module')
def xsd(document):
    return etree.XMLSchema(document)


def faults(xsd, xml):
    """Returns the lines and messages of all validation errors."""
    xsd.validate(etree.fromstring(xml))
    return [(each.line, each.message) for each in xsd.error_log]


def refusal(xml):
    """Returns the error of MuJoCo's parser, or '' if it accepts the text."""
    try:
        mujoco.MjSpec.from_string(xml)
    except ValueError as error:
        return str(error)
    return ''


def test_all_models_of_the_mujoco_package_and_of_this_repository_are_valid(xsd):
    found = {path: faults(xsd, path.read_bytes()) for path in MODELS}
    assert len([path for path in found if 'testdata' in path.parts]) >= 2
    assert {path: told for path, told in found.items() if told} == {}


@pytest.mark.parametrize(
    'inside',
    [
        '<worldbody/><asset/><worldbody/>',
        '<default><geom/><default class="a"><default class="b"/></default></default>',
        '<worldbody><body><frame><body/><joint/></frame><freejoint/></body></worldbody>',
        f'<worldbody><body><geom/>{INERTIAL}<body/></body></worldbody>',
        '<worldbody><replicate count="2" ignored="x"><geom size="1"/></replicate></worldbody>',
        '<worldbody>text<geom size=" .5\n+1e-3 inf " type="box" contype="+1"/></worldbody>',
        '<worldbody><geom size="1" rgba="1 1 1 1" solref=".1" user=""/></worldbody>',
        '<worldbody><camera output="rgb  depth"/></worldbody>',
        '<worldbody><light name="a/b c"/></worldbody>',
        '<custom><numeric name="a" data="1 2 3"/></custom>',
        '<option/><size memory="1M"/><compiler angle="radian"><lengthrange/></compiler>',
        '<visual><map znear="0.1"/><global/><rgba fog="1 0 0 1"/></visual>',
    ],
)
def test_what_mujoco_takes_is_valid(xsd, inside):
    xml = f'<mujoco model="m">{inside}</mujoco>'
    assert refusal(xml) == ''
    assert faults(xsd, xml) == []


@pytest.mark.parametrize(
    'inside',
    [
        '<world/>',
        '<worldbody><geom sise="1"/></worldbody>',
        '<worldbody><goem size="1"/></worldbody>',
        '<worldbody name="w"/>',
        '<worldbody><joint/></worldbody>',
        '<worldbody><geom size="1"><geom/></geom></worldbody>',
        '<worldbody><geom size="1 2 3 4"/></worldbody>',
        '<worldbody><geom size="1" rgba="1 1 1"/></worldbody>',
        '<worldbody><geom size="big"/></worldbody>',
        '<worldbody><geom size="1" contype="1.5"/></worldbody>',
        '<worldbody><geom size="1" contype="3000000000"/></worldbody>',
        '<worldbody><geom size="1" type="cube"/></worldbody>',
        '<worldbody><geom size="1" type=" box"/></worldbody>',
        '<worldbody><camera output="rgb smell"/></worldbody>',
        '<worldbody><body><inertial pos="0 0 0"/></body></worldbody>',
        f'<worldbody><body>{INERTIAL}{INERTIAL}</body></worldbody>',
        '<compiler autolimits="True"/>',
        '<option><flag/><flag/></option>',
        '<default><default/></default>',
        '<actuator><motor joint="j" kp="1"/></actuator>',
        '<worldbody><include/></worldbody>',
    ],
)
def test_what_mujoco_refuses_is_told_at_its_line(xsd, inside):
    xml = f'<mujoco model="m">\n{inside}\n</mujoco>'
    assert refusal(xml) != ''
    ((line, _),) = faults(xsd, xml)[:1]
    assert line == 2


def test_includes_are_anywhere_and_files_for_them_are_valid_too(xsd):
    include = '<include file="a.xml"/>'
    body = f'<body>{include}<geom/>{include}{INERTIAL}{include}</body>'
    xml = f'<mujoco>{include}<worldbody>{include}{body}</worldbody>{include}</mujoco>'
    assert faults(xsd, xml) == []
    of_bodies = '<joint axis="1 0 0"/><geom size="1"/><body name="b"><geom/></body>'
    of_others = (
        '<joint joint1="a"/><default class="c"/><contact><pair geom1="a" geom2="b"/></contact>'
    )
    assert faults(xsd, f'<mujocoinclude>{include}{of_bodies}{of_others}</mujocoinclude>') == []
    assert faults(xsd, '<mujocoinclude model="part"><geom size=".1"/></mujocoinclude>') == []
    assert faults(xsd, '<mujocoinclude><geom sise="1"/></mujocoinclude>') != []
    assert faults(xsd, '<mujocoinclude><goem/></mujocoinclude>') != []


def test_what_is_in_elements_of_one_tag_is_alike_by_tag():
    for tag, specs in by_tag(class_names(schema.root()).values()).items():
        children = {(name, each) for spec in specs for name, each in spec.children.items()}
        assert len(children) == len({name for name, _ in children}), tag


def sample(spec):
    """Returns a valid value of an attribute."""
    if spec.default:
        return spec.default
    if spec.keywords:
        return spec.keywords[-1]
    return ' '.join(['1'] * max(spec.low, 1)) if spec.kind in ('int', 'real') else 'x'


def written(spec, deeper=3):
    """Returns the XML of an element with all attributes and with one child of each tag."""
    attributes = ''.join(f' {each.name}="{sample(each)}"' for each in spec.attributes.values())
    children = [written(each, deeper - 1) for each in spec.children.values()] if deeper else []
    return f'<{spec.name}{attributes}>{"".join(children)}</{spec.name}>'


def test_every_attribute_of_every_element_may_have_its_default(xsd):
    for section in schema.root().children.values():
        assert faults(xsd, f'<mujoco>{written(section)}</mujoco>') == [], section.name


def test_a_default_is_told_to_who_edits(document):
    found = document.xpath('//*[@name="Geom"]/*[@name="rgba"]//*[local-name()="documentation"]')
    assert [each.text for each in found] == ['Default: 0.5 0.5 0.5 1']


def test_a_model_that_names_its_schema_is_read_and_keeps_that_in_its_source():
    instance = 'http://www.w3.org/2001/XMLSchema-instance'
    names = f'xmlns:xsi="{instance}" xsi:noNamespaceSchemaLocation="mjcf.xsd"'
    xml = f'<mujoco model="one" {names}>\n  <worldbody/>\n</mujoco>\n'
    assert refusal(xml) == ''
    model = mjcf.from_xml_string(xml)
    model.model = 'two'
    assert model.to_source() == xml.replace('one', 'two')
    assert model.to_xml_string() == '<mujoco model="two"/>\n'
