"""FIFOs, sockets and devices that models name are found wherever they are named."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from mujoco_ros_py.named_files import special_file_named_in


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
    monkeypatch.chdir(tmp_path)  # the names of sockets must be short
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
