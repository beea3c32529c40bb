"""Models from files and texts, and the errors for invalid models."""

from __future__ import annotations

import os

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.engine.resources import memory, register_shipped
from mujoco_ros_py.errors import ModelError
from mujoco_ros_py.simulation import ModelSource, compile_model

MJCF = '<mujoco model="{}"><worldbody><body name="b"><geom size="1"/></body></worldbody></mujoco>'
URDF = """
<robot name="arm">
  <link name="base"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0"
    iyz="0"/></inertial></link>
  <link name="tool"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0"
    iyz="0"/></inertial></link>
  <joint name="elbow" type="revolute"><parent link="base"/><child link="tool"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
</robot>
"""
BOMB = (
    '<?xml version="1.0"?><!DOCTYPE mujoco [<!ENTITY a0 "aaaaaaaaaa">'
    + ''.join(f'<!ENTITY a{k + 1} "{f"&a{k};" * 10}">' for k in range(9))
    + ']><mujoco><worldbody><body name="&a9;"/></worldbody></mujoco>'
)
EXTERNAL = """<?xml version="1.0"?>
<!DOCTYPE mujoco [<!ENTITY secret SYSTEM "file://{}">]>
<mujoco model="&secret;"><worldbody><body name="&secret;"/></worldbody></mujoco>
"""


def from_file(path, content: str | bytes) -> mujoco.MjModel:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return compile_model(ModelSource(path=str(path)))


def test_text_beats_a_path(tmp_path):
    (tmp_path / 'file.xml').write_text(MJCF.format('file'))
    path = str(tmp_path / 'file.xml')
    assert compile_model(ModelSource(path=path, xml=MJCF.format('text'))).names[:4] == b'text'
    assert compile_model(ModelSource(path=path)).names[:4] == b'file'


def test_a_model_comes_from_a_resource_provider():
    register_shipped()
    for name in ('arm.xml', 'arm.urdf', 'arm.mjb'):
        uri = memory.put(name, URDF.encode())
        if name == 'arm.mjb':
            content = np.zeros(mujoco.mj_sizeModel(compile_model(ModelSource(xml=URDF))), np.uint8)
            mujoco.mj_saveModel(compile_model(ModelSource(xml=URDF)), None, content)
            memory.put(name, content)
        assert compile_model(ModelSource(path=uri)).njnt == 1


@pytest.mark.parametrize(
    ('content', 'reason'),
    [
        (b' \n', 'is empty'),
        (b'<mujoco>\0', 'is binary, not XML'),
        (b'#usda 1.0', 'is text, not XML'),
        (b'<!--' + b' ' * 2**25 + b'-->', 'MJCF must have at most 33,554,432 bytes'),
        (b'<mujoco><bodi/></mujoco>', 'XML Error: Schema violation'),
    ],
)
def test_what_a_resource_provider_has_is_checked_as_a_file_is(content, reason):
    register_shipped()
    uri = memory.put('bad.xml', content)
    with pytest.raises(ModelError) as caught:
        compile_model(ModelSource(path=uri))
    assert str(caught.value).startswith(f'{uri}: {reason}')


def test_an_asset_that_is_missing_is_an_error_with_its_uri_and_the_reason():
    register_shipped()
    text = '<mujoco><asset><mesh file="bad.obj"/></asset></mujoco>'
    with pytest.raises(ModelError, match=r"mem://bad\.obj: there is no file 'bad\.obj'; known"):
        compile_model(ModelSource(path=memory.put('bad.xml', text.encode())))


def test_neither_is_an_empty_world():
    model = compile_model(ModelSource())
    assert (model.nbody, model.nv) == (1, 0)


def test_a_binary_model_is_loaded(tmp_path):
    path = tmp_path / 'model.MJB'
    mujoco.mj_saveModel(mujoco.MjModel.from_xml_string(MJCF.format('saved')), str(path))
    assert compile_model(ModelSource(path=str(path))).names[:5] == b'saved'


def test_urdf_is_loaded_from_file_and_text(tmp_path):
    assert from_file(tmp_path / 'arm.urdf', URDF).joint('elbow').range[1] == 1
    assert compile_model(ModelSource(xml=URDF)).njnt == 1


def test_relative_paths_in_a_file_start_where_it_lies(tmp_path):
    (tmp_path / 'parts').mkdir()
    (tmp_path / 'parts' / 'part.xml').write_text(
        '<mujocoinclude><body name="included"/></mujocoinclude>'
    )
    text = '<mujoco><worldbody><include file="parts/part.xml"/></worldbody></mujoco>'
    assert from_file(tmp_path / 'main.xml', text).body('included').id == 1


@pytest.mark.parametrize(
    ('name', 'content', 'message'),
    [
        ('empty.xml', b'', 'is empty'),
        ('blank.xml', b' \n\t\n', 'is empty'),
        ('binary.xml', b'\x7fELF\0\0\0\1', 'is binary, not XML'),
        ('picture.png', b'\x89PNG\r\n\x1a\n\0\0\0\r', 'is binary, not XML'),
        ('text.xml', b'hello', 'is text, not XML'),
        ('mesh.obj', b'v 0 0 0\nv 1 0 0\n', 'is text, not XML'),
        ('stage.usda', b'#usda 1.0\nrel a = </World>\n', 'is text, not XML'),
        ('marked.xml', b'\xef\xbb\xbf <mujoco>', 'XML parse error'),
        ('led.xml', b'hello <mujoco><boddy/></mujoco>', 'boddy'),
        ('latin.xml', b'<mujoco model="\xe4\xff\xfe"><worldbody', 'XML'),
        ('other.xml', b'<html/>', 'the root element must be mujoco or robot'),
        ('cut.xml', b'<mujoco>\n<worldbody>\n<body>\n</worldbody>', 'Line number=3'),
        ('schema.xml', b'<mujoco>\n\n<worldbody>\n<boddy/>\n</worldbody></mujoco>', 'line 4'),
        ('rule.xml', b'<mujoco>\n<worldbody>\n<geom size="-1"/></worldbody></mujoco>', 'line 3'),
        ('fake.mjb', b'not a model', 'Model file has an incomplete header'),
        ('old.mjb', bytes(4000), 'Model missing header ID'),
        ('empty.mjb', b'', 'empty.mjb'),
    ],
)
def test_a_file_that_is_no_model_is_an_error_that_names_it_and_says_why(
    tmp_path, name, content, message
):
    with pytest.raises(ModelError, match=message) as caught:
        from_file(tmp_path / name, content)
    assert str(caught.value).startswith(str(tmp_path / name))


def test_no_file_and_a_folder_are_errors(tmp_path):
    with pytest.raises(ModelError, match=r'nothing\.xml: no such file'):
        compile_model(ModelSource(path=str(tmp_path / 'nothing.xml')))
    with pytest.raises(ModelError, match='is not a file'):
        compile_model(ModelSource(path=str(tmp_path)))
    with pytest.raises(ModelError, match='is not a file'):
        compile_model(ModelSource(path='/dev/null'))


def test_a_file_that_may_not_be_read_is_an_error(tmp_path, monkeypatch):
    path = tmp_path / 'secret.xml'
    path.write_text(MJCF.format('secret'))

    def refuse(*args, **kwargs):
        raise PermissionError(13, 'Permission denied', str(path))

    monkeypatch.setattr('pathlib.Path.open', refuse)
    with pytest.raises(ModelError, match=r'secret\.xml: .*Permission denied'):
        compile_model(ModelSource(path=str(path)))


@pytest.mark.parametrize('text', [True, False])
def test_more_than_mjcf_may_have_is_refused_at_once(tmp_path, text):
    content = MJCF.format('m') + f'<!-- {" " * 34_000_000} -->'
    (tmp_path / 'large.xml').write_text(content)
    source = ModelSource(xml=content) if text else ModelSource(path=str(tmp_path / 'large.xml'))
    with pytest.raises(ModelError, match=r'at most 33,554,432 bytes, got 34,0\d\d,\d\d\d'):
        compile_model(source)


@pytest.mark.parametrize('text', [True, False])
def test_an_entity_bomb_is_harmless(tmp_path, text):
    try:
        source = ModelSource(xml=BOMB) if text else None
        model = compile_model(source) if source else from_file(tmp_path / 'bomb.xml', BOMB)
    except ModelError:
        return
    assert len(model.names) < 10_000


@pytest.mark.parametrize('text', [True, False])
def test_an_external_entity_is_not_read(tmp_path, text):
    (tmp_path / 'secret').write_text('the-secret')
    xml = EXTERNAL.format(tmp_path / 'secret')
    try:
        source = ModelSource(xml=xml) if text else None
        model = compile_model(source) if source else from_file(tmp_path / 'steal.xml', xml)
    except ModelError as error:
        assert 'the-secret' not in str(error)  # noqa: PT017
    else:
        assert b'the-secret' not in model.names


@pytest.mark.parametrize(
    'text',
    [
        '<mujoco><include file="{}"/></mujoco>',
        '<mujoco><worldbody><include file="{}"/></worldbody></mujoco>',
        '<mujoco><asset><model name="m" file="{}"/></asset></mujoco>',
        '<mujoco><!-- -- --><include file="{}"/></mujoco>',
        '<!DOCTYPE a [<!ENTITY x "><mujoco><include file=\'{}\'/></mujoco><!--">]><a/><!---->',
    ],
)
@pytest.mark.parametrize(
    'content',
    [
        '<the-secret><the-secret a="the-secret"/></the-secret>',
        '<conf><body the-secret="1"/></conf>',
        '<conf><the-secret a=/></conf>',
        '<mujoco><the-secret a=/></mujoco>',
    ],
)
def test_a_text_that_includes_a_file_that_is_no_model_shows_nothing_of_it(tmp_path, text, content):
    (tmp_path / 'settings.xml').write_text(content)
    with pytest.raises(ModelError) as caught:
        compile_model(ModelSource(xml=text.format(tmp_path / 'settings.xml')))
    assert 'secret' not in str(caught.value)


def test_a_text_that_includes_a_model_shows_what_is_wrong_with_it(tmp_path):
    (tmp_path / 'part.xml').write_text('<mujocoinclude><gemo/></mujocoinclude>')
    with pytest.raises(ModelError, match="'gemo'"):
        compile_model(ModelSource(xml=f'<mujoco><include file="{tmp_path}/part.xml"/></mujoco>'))


@pytest.mark.parametrize('content', [None, b'', b'solid nothing\nendsolid', b'\0' * 100])
def test_a_mesh_that_is_missing_or_broken_is_an_error_that_names_it(tmp_path, content):
    if content is not None:
        (tmp_path / 'part.stl').write_bytes(content)
    text = (
        '<mujoco><asset><mesh name="part" file="part.stl"/></asset>'
        '<worldbody><geom type="mesh" mesh="part"/></worldbody></mujoco>'
    )
    with pytest.raises(ModelError, match='part'):
        from_file(tmp_path / 'main.xml', text)


def test_an_error_in_text_says_that_it_is_the_parameter_and_on_which_line():
    with pytest.raises(ModelError, match=r'^mujoco_xml: (.|\n)*line 2'):
        compile_model(ModelSource(xml='<mujoco>\n<worldboddy/>\n</mujoco>'))


def test_a_fatal_error_of_the_compiler_is_a_model_error():
    """Memory that does not even suffice to compile."""
    bodies = '<body><freejoint/><geom size="0.1"/></body>' * 20
    xml = f'<mujoco><size memory="1K"/><worldbody>{bodies}</worldbody></mujoco>'
    with pytest.raises(ModelError, match='memory'):
        compile_model(ModelSource(xml=xml))


@pytest.mark.parametrize(
    ('content', 'said'),
    [
        ('root:s3cret:19000::\n', 'is text, not XML'),
        ('<s3cret a="s3cret"><s3cret/></s3cret>', 'the root element must be mujoco or robot'),
        ('<mujoco><s3cret></b></mujoco>', 'Line number=1'),
        ('<mujoco s3cret></mujoco>', 'Line number=1'),
        ('s3cret\0s3cret', 'is binary, not XML'),
    ],
)
def test_nothing_of_a_file_that_is_no_model_is_said(tmp_path, content, said):
    with pytest.raises(ModelError) as caught:
        from_file(tmp_path / 'any', content)
    assert 's3cret' not in str(caught.value)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    'path', ['/dev/zero', '/dev/tty', '{pipe}', '{link}', 'zip:{pipe}!/a.xml']
)
def test_what_is_no_regular_file_is_not_opened(tmp_path, path):
    register_shipped()
    pipe, link = tmp_path / 'pipe.xml', tmp_path / 'link.xml'
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    with pytest.raises(ModelError, match='is not a file'):
        compile_model(ModelSource(path=path.format(pipe=pipe, link=link)))


def test_a_file_that_the_kernel_makes_up_is_not_read():
    with pytest.raises(ModelError, match='/proc/self/environ: is empty'):
        compile_model(ModelSource(path='/proc/self/environ'))
