"""Files that models name are found at all places where MuJoCo finds them."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from mujoco_ros_py.named_files import (
    foreign_name_in,
    other_xml_named_in,
    special_file_named_in,
)

INCLUDE = '<mujoco><include file="{}"/></mujoco>'


@pytest.fixture
def fifo(tmp_path: Path) -> Path:
    (tmp_path / 'assets').mkdir()
    os.mkfifo(tmp_path / 'assets/pipe.stl')
    return tmp_path / 'assets/pipe.stl'


@pytest.mark.parametrize(
    'text',
    [
        '<mujoco><asset><mesh file="assets/pipe.stl"/></asset></mujoco>',
        '<mujoco><asset><texture fileright="assets\\pipe.stl"/></asset></mujoco>',
        '<mujoco><compiler meshdir="assets"/><asset><mesh file="pipe.stl"/></asset></mujoco>',
        '<mujoco><asset><mesh file="pipe.stl"/></asset><compiler assetdir="assets"/></mujoco>',
        '<mujoco><compiler meshdir="assets" strippath="true"/><mesh file="x/pipe.stl"/></mujoco>',
        '<mujoco><include file="assets/pipe.stl"/></mujoco>',
        '<mujoco><include file="assets/inner.xml"/></mujoco>',
        '<mujoco><asset><model file="assets/inner.xml"/></asset></mujoco>',
        '<robot><link><visual><geometry><mesh filename="assets/pipe.stl"/></geometry></visual>',
    ],
)
def test_a_fifo_is_found_wherever_it_is_named(fifo, text):
    (fifo.parent / 'inner.xml').write_text('<mujoco><mesh file="pipe.stl"/></mujoco>')
    told = special_file_named_in(text.encode(), str(fifo.parents[1]))
    assert told is not None
    assert told.endswith("pipe.stl' is a FIFO, not a file")


def test_devices_and_sockets_are_told(tmp_path, monkeypatch):
    assert (
        special_file_named_in(b'<a file="/dev/zero"/>', '')
        == "'/dev/zero' is a device, not a file"
    )
    monkeypatch.chdir(tmp_path)  # socket names must be short
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind('here')
        assert special_file_named_in(b'<a file="here"/>', '') == "'here' is a socket, not a file"


def test_what_includes_itself_is_looked_into_once(tmp_path):
    text = b'<mujoco><include file="self.xml"/></mujoco>'
    (tmp_path / 'self.xml').write_bytes(text)
    assert special_file_named_in(text, str(tmp_path)) is None


@pytest.mark.parametrize('name', ['', 'missing.stl', '.', 'a&#0;b', 'x' * 5000, 'package://a/b'])
def test_everything_else_is_left_to_mujoco(tmp_path, name):
    assert (
        special_file_named_in(f'<mujoco><mesh file="{name}"/></mujoco>'.encode(), str(tmp_path))
        is None
    )
    assert special_file_named_in(b'<mujoco><include file="/proc/kmsg"/></mujoco>', '') is None
    assert special_file_named_in(b'\xff\xfe no XML', '') is None


def named(tmp_path, content: str, text: str = '<mujoco><include file="a.xml"/></mujoco>'):
    (tmp_path / 'a.xml').write_text(content)
    found = other_xml_named_in(text.encode(), str(tmp_path))
    return found and found.removeprefix(f'{tmp_path}/')


@pytest.mark.parametrize(
    'content',
    [
        '<settings><server password="x"/></settings>',
        '<?xml version="1.0"?>\n<!-- <mujoco> --><settings/>',
        '<!DOCTYPE settings SYSTEM "x">< settings />',
        '<settings',
        'text <settings/>',
        '<s:mujoco/>',
    ],
)
def test_other_xml_is_found(tmp_path, content):
    assert named(tmp_path, content) == 'a.xml'


@pytest.mark.parametrize(
    'content',
    ['<mujoco/>', '<!-- x --><mujocoinclude>', '\ufeff<robot name="r"/>', '', 'root:x:0:0', '<'],
)
def test_models_and_what_is_no_xml_are_none(tmp_path, content):
    assert named(tmp_path, content) is None


@pytest.mark.parametrize(
    'text',
    [
        '<mujoco><asset><model file="a.xml"/></asset></mujoco>',
        '<mujoco><include file="b.xml"/></mujoco>',
        '<mujoco><!-- -- --><include file="a.xml"/></mujoco>',
        '<!DOCTYPE a [<!ENTITY x "><mujoco><include file=\'a.xml\'/></mujoco><!--">]><mujoco/>',
    ],
)
def test_it_is_found_wherever_mujoco_finds_it(tmp_path, text):
    (tmp_path / 'b.xml').write_text('<mujoco><include file="a.xml"/></mujoco>')
    assert named(tmp_path, '<settings/>', text) == 'a.xml'


def test_a_mesh_is_no_model(tmp_path):
    text = '<mujoco><asset><mesh file="a.xml"/></asset></mujoco>'
    assert named(tmp_path, '<settings/>', text) is None


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
