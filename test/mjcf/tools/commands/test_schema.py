"""The schema for editors."""

from pathlib import Path

from lxml import etree


def test_the_schema_checks_models(call):
    code, out, err = call('schema')
    assert (code, err) == (0, '')
    schema = etree.XMLSchema(etree.fromstring(out.encode()))
    assert schema.validate(etree.parse('good.xml'))
    assert not schema.validate(etree.fromstring('<mujoco><worldbdy/></mujoco>'))


def test_the_schema_is_written_to_a_file(call):
    assert call('schema', '-o', 'mjcf.xsd') == (0, '', '')
    assert Path('mjcf.xsd').read_text() == call('schema').out
