from __future__ import annotations

import base64
from urllib.parse import quote

import mujoco
import pytest

from mujoco_ros_py.engine.resources import Data, read, register
from mujoco_ros_py.errors import ResourceError

from .assets import OBJ, png, with_assets, with_meshes


@pytest.fixture(autouse=True)
def data() -> None:
    register(Data)


def encoded(content: bytes) -> str:
    return base64.b64encode(content).decode()


@pytest.mark.parametrize(
    ('uri', 'content'),
    [
        ('data:,hello%2C%20world', b'hello, world'),
        ('data:text/plain,a+b c', b'a+b c'),
        ('data:text/plain;charset=utf-8,%C3%A9', b'\xc3\xa9'),
        ('data:,50%25', b'50%'),
        ('data:,a,b', b'a,b'),
        ('data:,%00%ff', b'\0\xff'),
        ('data:;base64,AP8=', b'\0\xff'),
        ('data:image/png;base64,AP8%3D', b'\0\xff'),
        ('data:a/b;charset=x;base64, AP\n8= ', b'\0\xff'),
        ('data:model/obj;base64,AP8=#m.obj', b'\0\xff'),
        ('data:;base64,-_%2F%2B', b'\xfb\xff\xfe'),
    ],
)
def test_a_uri_is_its_content(uri, content):
    assert read(uri) == content


@pytest.mark.parametrize(
    ('uri', 'reason'),
    [
        ('data:', 'must be data:[<type>][;base64],<data>'),
        ('data:model/obj;base64', 'must be data:[<type>][;base64],<data>'),
        ('data:;base65,AP8=', "unknown encoding 'base65'; known: base64"),
        ('data:;base64,AP8', 'invalid base64: Incorrect padding'),
        ('data:;base64,AP*=', 'invalid base64: '),
        ('data:;base64,A/8', 'invalid base64: Incorrect padding (MuJoCo turns // into /: '),
        ('data:,', 'must have 1 to 2,147,483,647 bytes, got 0'),
    ],
)
def test_what_is_no_data_uri_is_refused_with_the_reason(uri, reason):
    with pytest.raises(ResourceError) as caught:
        read(uri)
    assert str(caught.value).startswith(f'{uri}: {reason}')


def test_a_model_with_a_mesh_a_texture_and_a_height_field_has_no_files():
    image = encoded(png(4, 4))
    model = mujoco.MjModel.from_xml_string(
        with_assets(
            f'<mesh name="m" file="data:model/obj;base64,{encoded(OBJ)}#m.obj"/>',
            f'<mesh name="n" file="data:model/obj,{quote(OBJ)}#n.obj"/>',
            f'<texture name="t" type="2d" content_type="image/png" file="data:;base64,{image}"/>',
            f'<hfield name="h" size="1 1 1 1" file="data:;base64,{image}#h.png"/>',
        )
    )
    assert (model.nmesh, model.ntex, model.nhfield) == (2, 1, 1)


def test_a_whole_model_is_a_uri_and_includes_others():
    part = quote('<mujoco><worldbody><body name="part"/></worldbody></mujoco>')
    text = f'<mujoco><include file="data:,{part}#part.xml"/></mujoco>'
    assert mujoco.MjModel.from_xml_path(f'data:,{quote(text)}').nbody == 2


def test_slashes_of_base64_survive_as_underscores_or_percent_signs():
    content = b'# \xff\xff\xff\xff\n' + OBJ
    standard = encoded(content)
    assert '//' in standard
    for slash in ('_', '%2F'):
        uri = f'data:;base64,{standard.replace("/", slash)}#m.obj'
        assert mujoco.MjModel.from_xml_string(with_meshes(uri)).nmesh == 1


def test_long_uris_that_differ_at_their_end_are_different_files():
    begin = quote(OBJ + b'#' * 5000 + b'\n')
    for vertices in (4, 5, 6):
        uri = f'data:,{begin}{"v 2 2 2%0A" * (vertices - 4)}#m.obj'
        assert mujoco.MjModel.from_xml_string(with_meshes(uri)).nmeshvert == vertices


def test_a_long_uri_is_cut_short_in_the_message():
    uri = f'data:model/obj;base64,{"A" * 100_000}!#m.obj'
    with pytest.raises(ValueError, match='invalid base64') as caught:
        mujoco.MjModel.from_xml_string(with_meshes(uri))
    (line,) = [line for line in str(caught.value).splitlines() if 'invalid base64' in line]
    assert line.startswith(f'{uri[:150]}... ({len(uri)} characters): ')
