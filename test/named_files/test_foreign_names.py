"""What a model from outside may name."""

from __future__ import annotations

import pytest

from mujoco_ros_py.named_files import foreign_name_in

INCLUDE = '<mujoco><include file="{}"/></mujoco>'


@pytest.mark.parametrize(
    'name',
    [
        'part.xml',
        '../shared/part.xml',
        'a!b/part.xml',
        'data:text/xml,x',
        'package://robot/part.xml',
        'HTTPS://example.org/part.xml',
    ],
)
def test_what_comes_along_and_what_has_rules_of_its_own_may_be_named(name):
    assert foreign_name_in(INCLUDE.format(name).encode()) is None


@pytest.mark.parametrize(
    ('written', 'name'),
    [
        ('/etc/passwd', '/etc/passwd'),
        ('&#47;etc/passwd', '/etc/passwd'),
        (' /etc/passwd', ' /etc/passwd'),
        ('\\\\etc\\\\passwd', '\\\\etc\\\\passwd'),
        ('../other.zip!/part.xml', '../other.zip!/part.xml'),
        ('..\\other.zip!\\part.xml', '..\\other.zip!\\part.xml'),
        ('zip:/other.zip!/part.xml', 'zip:/other.zip!/part.xml'),
        ('ZIP:/other.zip!/part.xml', 'ZIP:/other.zip!/part.xml'),
        ('mem:secret.xml', 'mem:secret.xml'),
        ('file:///etc/passwd', 'file:///etc/passwd'),
        ('C:/secret.xml', 'C:/secret.xml'),
    ],
)
@pytest.mark.parametrize('end', ['', '<', '\0<mujoco/>'], ids=['clean', 'ill-formed', 'zero'])
def test_other_names_are_found_in_clean_text_and_in_ill_formed_text(written, name, end):
    assert foreign_name_in((INCLUDE.format(written) + end).encode()) == name


@pytest.mark.parametrize(
    'element',
    [
        '<compiler meshdir="/etc"/>',
        '<compiler assetdir="../other.zip!"/>',
        '<asset><texture fileright="/x.png"/></asset>',
        '<asset><model file="/x.xml"/></asset>',
        '<robot><mesh filename="/x.stl"/></robot>',
    ],
)
def test_every_attribute_that_names_a_file_or_a_folder_counts(element):
    assert foreign_name_in(f'<mujoco>{element}</mujoco>'.encode()) is not None


def test_comments_and_what_is_no_xml_name_nothing():
    assert foreign_name_in(b'<mujoco><!-- file="/etc/passwd" --></mujoco>') is None
    assert foreign_name_in(b'v 0 0 0\nv 1 0 0 file="/etc"') is None
    assert foreign_name_in(b'\x89PNG\0<include file="/etc/passwd"/>') is None


def test_a_text_is_read_as_mujoco_reads_it_whatever_encoding_it_claims():
    claims = '<?xml version="1.0" encoding="cp037"?>' + INCLUDE.format('/etc/passwd')
    assert foreign_name_in(claims.encode()) == '/etc/passwd'


@pytest.mark.parametrize(
    'text',
    [
        '<!DOCTYPE a [<!ENTITY x "><mujoco><include file=\'{}\'/></mujoco><!--">]><a/><!-- -->',
        '<mujoco><!-- -- file=" --><include file="{}"/></mujoco>',
        "<mujoco><!-- -- dir=' --><include file='{}'/></mujoco>",
    ],
)
def test_what_mujoco_alone_takes_for_an_element_counts(text):
    assert foreign_name_in(text.format('/etc/passwd').encode()) == '/etc/passwd'
