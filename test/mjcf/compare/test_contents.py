"""Comparison of the contents of two elements."""

import pytest

from mujoco_ros_py import mjcf


def read(content):
    return mjcf.from_xml_string(f'<mujoco>{content}</mujoco>')


BODY = '<body pos="0 1 2"><geom size="1"/><site size="2"/></body>'


@pytest.mark.parametrize(
    ('one', 'other', 'same'),
    [
        ('', '<option/>', True),
        ('<option timestep="0.1"/>', '<option timestep="1e-1"/>', True),
        ('<option timestep="0.1"/>', '<option timestep="0.2"/>', False),
        ('<option timestep="0.1"/>', '', False),
        (f'<worldbody>{BODY}</worldbody>', f'<worldbody>{BODY}</worldbody>', True),
        ('<worldbody/>', f'<worldbody>{BODY}</worldbody>', False),
        (
            f'<worldbody>{BODY}</worldbody>',
            '<worldbody><body pos="0 1 2"><site size="2"/><geom size="1"/></body></worldbody>',
            True,
        ),
        (
            '<worldbody><geom size="1"/><geom size="2"/></worldbody>',
            '<worldbody><geom size="2"/><geom size="1"/></worldbody>',
            False,
        ),
        (
            '<tendon><spatial><site site="a"/><geom geom="b"/></spatial></tendon>',
            '<tendon><spatial><geom geom="b"/><site site="a"/></spatial></tendon>',
            False,
        ),
        (
            '<worldbody><geom pos="0 0"/></worldbody>',
            '<worldbody><geom pos="0 0 0"/></worldbody>',
            False,
        ),
        (
            '<worldbody><geom name="a"/></worldbody>',
            '<worldbody><geom name="b"/></worldbody>',
            False,
        ),
    ],
)
def test_models_are_the_same_if_they_say_the_same(one, other, same):
    assert read(one).is_same_as(read(other)) is same
    assert read(other).is_same_as(read(one)) is same


def test_names_of_models_do_not_count():
    assert mjcf.RootElement(model='a').is_same_as(mjcf.RootElement(model='b'))


def test_elements_of_other_tags_and_what_is_no_element_are_not_the_same():
    body = read(f'<worldbody>{BODY}</worldbody>').worldbody.body[0]
    for other in (body.geom[0], body.site[0], None, 'body', 3):
        assert not body.is_same_as(other)
    assert not body.geom[0].is_same_as(body.site[0])


def test_references_are_the_same_if_they_name_the_same():
    text = (
        '<worldbody><body><joint name="j"/></body></worldbody>'
        '<actuator><motor joint="{}"/></actuator>'
    )
    one, same, other = (read(text.format(name)) for name in ('j', 'j', 'k'))
    assert one.is_same_as(same)
    assert not one.is_same_as(other)
    same.find('joint', 'j').name = 'renamed'
    assert not one.actuator.is_same_as(same.actuator)


def test_equal_elements_are_those_that_are_one():
    one, other = read(''), read('')
    assert one == one
    assert one != other


def test_a_file_that_is_missing_is_the_same_if_its_path_is():
    one, same, other = (read(f'<asset><mesh file="{name}.obj"/></asset>') for name in 'aab')
    assert one.is_same_as(same)
    assert not one.is_same_as(other)
