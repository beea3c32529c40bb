"""Providers serve everything that MuJoCo loads, and their failures become MuJoCo's errors."""

from __future__ import annotations

import array
import logging
import threading

import mujoco
import numpy as np
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py import mjcf
from mujoco_ros_py.engine.resources import ResourceProvider, read, register, register_shipped
from mujoco_ros_py.errors import MjcfError, ResourceError

from .assets import OBJ, ROBOT, Files, check_robot, png, recompile, with_assets, with_meshes


def from_path(uri: str) -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_path(uri)


def from_text(text: str) -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(text)


@pytest.fixture
def files() -> Files:
    provider = Files(**{'a.obj': OBJ, 'b.obj': OBJ, 'c.obj': OBJ})
    provider.add(ROBOT)
    register(provider)
    return provider


def test_a_model_and_all_that_it_names_come_from_a_provider(files):
    check_robot(mujoco.MjModel.from_xml_path('files://robot/main.xml'))
    assert not files.held, 'all is closed'


def test_a_model_of_elements_and_all_that_it_names_come_from_a_provider(files):
    model = mjcf.from_path('files://robot/main.xml')
    check_robot(mjcf.Physics.from_mjcf_model(model).model)
    assert model.find('mesh', 'arm').file.contents == OBJ
    assert not files.held, 'all is closed'
    arena = mjcf.RootElement('arena')
    arena.attach(model)
    whole = mujoco.MjModel.from_xml_string(arena.to_xml_string(), arena.get_assets())
    assert (whole.nmesh, whole.ntex, whole.nhfield) == (2, 1, 1)


@pytest.mark.parametrize(
    'compiler', ['', 'meshdir="files://robot/meshes"', 'meshdir="elsewhere"', 'assetdir="x"']
)
def test_no_folder_is_put_before_a_uri(files, compiler):
    name = 'arm.obj' if 'files' in compiler else 'files://robot/meshes/arm.obj'
    text = f'<mujoco><compiler {compiler}/><asset><mesh file="{name}"/></asset></mujoco>'
    assert from_text(text).nmesh == 1
    model = mjcf.from_xml_string(text, model_dir='nowhere')
    assert mjcf.Physics.from_mjcf_model(model).model.nmesh == 1
    assert model.to_source() == text


def test_what_a_provider_says_is_in_the_error_of_a_model_of_elements(files):
    with pytest.raises(
        MjcfError, match=r"Line 1: .*<include>: 'files:none': files:none: not here"
    ):
        mjcf.from_xml_string('<mujoco><include file="files:none"/></mujoco>')
    model = mjcf.from_xml_string(with_meshes('files:none.obj'))
    with pytest.raises(
        OSError, match=r"^<mesh .* 'files:none.obj' is not .* files:none.obj: not he"
    ):
        model.get_assets()
    files.files['files:none.obj'] = OSError('the disk is full')
    with pytest.raises(OSError, match=r'files:none.obj: the disk is full$'):
        model.get_assets()


def test_what_is_included_from_a_provider_is_kept_and_cannot_be_edited(files, tmp_path):
    model = mjcf.from_xml_string('<mujoco><include file="files://robot/hand/hand.xml"/></mujoco>')
    mjcf.save(model, tmp_path / 'model.xml', keep_includes=True)
    assert [path.name for path in tmp_path.iterdir()] == ['model.xml']
    mjcf.save(model, tmp_path / 'flat.xml')
    for name in ('model.xml', 'flat.xml'):
        assert from_path(str(tmp_path / name)).nmesh == 1
    model.find('body', 'palm').name = 'other'
    with pytest.raises(ValueError, match=r"'files://robot/hand/hand.xml' is included and edited"):
        mjcf.save(model, tmp_path / 'model.xml', keep_includes=True)


def test_a_spec_is_loaded_compiled_changed_and_compiled_again(files):
    spec = mujoco.MjSpec.from_file('files://robot/main.xml')
    model = spec.compile()
    check_robot(model)
    for name in 'abc':
        spec.add_mesh(name=name, file=f'files:{name}.obj')
    model, _ = spec.recompile(model, mujoco.MjData(model))
    assert model.nmesh == 5
    assert not files.held


def test_a_urdf_and_a_compiled_model_come_from_a_provider(files, tmp_path):
    mesh = '<mesh filename="files://robot/meshes/arm.obj"/>'
    urdf = f"""
        <robot name="arm"><link name="arm"><collision><geometry>{mesh}</geometry></collision>
        </link></robot>"""
    files.files['files:arm.urdf'] = urdf.encode()
    model = from_path('files:arm.urdf')
    assert model.nmesh == 1
    mujoco.mj_saveModel(model, str(tmp_path / 'arm.mjb'))
    files.files['files:arm.mjb'] = (tmp_path / 'arm.mjb').read_bytes()
    assert mujoco.MjModel.from_binary_path('files:arm.mjb').nmesh == 1


def test_the_scheme_of_a_uri_is_found_in_either_case_and_given_as_the_provider_writes_it(files):
    assert from_text(with_meshes('FILES:a.obj')).nmesh == 1
    assert ('read', 'files:a.obj') in files.calls


@pytest.mark.parametrize(
    'content',
    [OBJ, bytearray(OBJ), memoryview(OBJ), array.array('B', OBJ), np.frombuffer(OBJ, np.uint8)],
    ids=lambda content: type(content).__name__,
)
def test_contents_are_bytes_or_what_has_a_buffer(files, content):
    files.files['files:a.obj'] = content
    assert from_text(with_meshes('files:a.obj')).nmesh == 1


class Moody(ResourceProvider):
    prefix = 'moody'

    def open(self, uri):
        if 'nowhere' in uri:
            raise ValueError('it rains')
        return uri

    def read(self, opened):
        if 'broken' in opened:
            raise RuntimeError('it snows')
        return b'<mujoco/>'


ENTRIES = {
    'model': lambda uri: from_path(f'{uri}.xml'),
    'spec': lambda uri: mujoco.MjSpec.from_file(f'{uri}.xml'),
    'compiled model': lambda uri: mujoco.MjModel.from_binary_path(f'{uri}.mjb'),
    'include': lambda uri: from_text(f'<mujoco><include file="{uri}.xml"/></mujoco>'),
    'attached model': lambda uri: from_text(with_assets(f'<model name="m" file="{uri}.xml"/>')),
    'mesh': lambda uri: from_text(with_meshes(f'{uri}.obj')),
    'mesh of a spec': lambda uri: mujoco.MjSpec.from_string(with_meshes(f'{uri}.obj')).compile(),
    'recompiled mesh': lambda uri: recompile(f'{uri}.obj', f'{uri}.obj'),
    'texture': lambda uri: from_text(with_assets(f'<texture type="2d" file="{uri}.png"/>')),
    'height field': lambda uri: from_text(
        with_assets(f'<hfield size="1 1 1 1" file="{uri}.png"/>')
    ),
    'skin': lambda uri: from_text(with_assets(f'<skin file="{uri}.skn"/>')),
}


@pytest.mark.parametrize('entry', ENTRIES.values(), ids=ENTRIES)
@pytest.mark.parametrize(
    ('uri', 'reason'),
    [('moody:nowhere', 'it rains'), ('moody:broken', 'RuntimeError: it snows')],
    ids=['open', 'read'],
)
def test_an_error_has_the_uri_and_the_reason_wherever_it_comes_from(entry, uri, reason):
    register(Moody)
    with pytest.raises(ValueError, match=rf'{uri}[.\w]*: {reason}'):
        entry(uri)


def test_of_several_errors_all_are_told_once_though_they_come_from_threads_of_mujoco(files):
    missing = [f'files:{name}.obj' for name in 'xyz']
    with pytest.raises(ValueError, match='not here') as caught:
        from_text(with_meshes('files:a.obj', *missing))
    for uri in missing:
        assert str(caught.value).count(f'{uri}: not here') == 1


def test_the_error_of_a_provider_is_the_cause_of_that_of_the_load(files):
    with pytest.raises(ValueError, match=r'x\.xml') as caught:
        from_path('files:x.xml')
    assert isinstance(caught.value.__cause__, FileNotFoundError)


def test_a_file_that_was_looked_for_in_several_places_is_none_of_another_error(files):
    """Assets of an included file can be next to this file, or next to the model."""
    broken = (
        b'<mujoco><asset><mesh file="arm.obj"/></asset><worldbody><body name="bad"><freejoint/>'
    )
    files.add({
        'deep/main.xml': b'<mujoco><include file="sub/part.xml"/></mujoco>',
        'deep/sub/part.xml': broken + b'</body></worldbody></mujoco>',
        'deep/sub/arm.obj': OBJ,
    })  # fmt: skip
    with pytest.raises(ValueError, match='mass and inertia') as caught:
        from_path('files://robot/deep/main.xml')
    assert 'not here' not in str(caught.value)


def test_ctrl_c_in_a_provider_ends_the_load_as_ctrl_c(files):
    files.files['files:main.xml'] = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        from_path('files:main.xml')
    assert not files.held


@pytest.mark.parametrize(
    ('content', 'reason'),
    [
        ('text', 'TypeError: read must return bytes, got str'),
        (None, 'TypeError: read must return bytes, got NoneType'),
        (b'', r'must have 1 to 2,147,483,647 bytes, got 0'),
        (np.zeros((4, 4), np.uint8)[:, ::2], 'not C-contiguous'),
    ],
    ids=['text', 'none', 'empty', 'strided'],
)
def test_contents_that_are_none_are_refused_with_the_reason(files, content, reason):
    files.files['files:x.obj'] = content
    with pytest.raises(ValueError, match=rf'files:x.obj: .*{reason}'):
        from_text(with_meshes('files:x.obj', 'files:a.obj'))


@pytest.mark.parametrize('size', [1, 7, 8, 33, 60])
def test_an_image_that_is_cut_off_is_an_error_that_names_it(files, size):
    files.files['files:x.png'] = png()[:size]
    with pytest.raises(ValueError, match=r'files:x\.png'):
        from_text(with_assets('<texture type="2d" file="files:x.png"/>'))


def test_more_than_the_file_is_no_error_of_the_provider(files):
    files.files['files:x.png'] = png() + bytes(100_000)
    assert from_text(with_assets('<texture type="2d" file="files:x.png"/>')).ntex == 1


def test_more_than_mujoco_can_count_is_refused():
    class Endless(ResourceProvider):
        prefix = 'endless'

        def read(self, opened):
            return np.broadcast_to(np.zeros(1, np.uint8), 2**31)

    register(Endless)
    with pytest.raises(ValueError, match=r'endless:x\.obj: '):
        from_text(with_meshes('endless:x.obj'))


def test_a_file_with_the_same_timestamp_is_read_once_and_one_without_each_time(files):
    files.stamps['files:a.obj'] = 'version 1'
    for _ in range(3):
        from_text(with_meshes('files:a.obj', 'files:b.obj'))
    assert [name for method, name in files.calls if method == 'read'].count('files:a.obj') == 1
    assert [name for method, name in files.calls if method == 'read'].count('files:b.obj') == 3
    files.stamps['files:a.obj'] = 'version 2'
    files.files['files:a.obj'] = OBJ + b'v 2 2 2\n'
    assert from_text(with_meshes('files:a.obj')).nmeshvert == 5


def test_a_class_may_tell_itself_whether_a_file_was_modified():
    class Judging(Files):
        answer: object = False

        def modified(self, opened, timestamp):
            self.calls.append(('modified', timestamp))
            if isinstance(self.answer, Exception):
                raise self.answer
            return self.answer

    provider = Judging(**{'a.obj': OBJ})
    provider.stamps['files:a.obj'] = 'version 1'
    register(provider)
    from_text(with_meshes('files:a.obj'))
    provider.stamps['files:a.obj'] = 'version 2'
    for answer, reads in ((False, 1), (True, 2), (RuntimeError('who knows'), 3)):
        provider.answer = answer
        from_text(with_meshes('files:a.obj'))
        assert provider.count('read') == reads
    asked = [stamp for method, stamp in provider.calls if method == 'modified']
    assert asked == ['version 1', 'version 1', 'version 2']


def test_timestamps_may_be_long(files):
    for end in '12':
        files.stamps['files:a.obj'] = 'x' * 2000 + end
        from_text(with_meshes('files:a.obj'))
        from_text(with_meshes('files:a.obj'))
    assert files.count('read') == 2


@pytest.mark.parametrize('stamp', [None, 7], ids=['none', 'number'])
def test_what_is_no_timestamp_is_an_error_and_the_file_is_closed(files, stamp):
    files.stamps['files:a.obj'] = stamp
    with pytest.raises(ValueError, match=r'files:a\.obj: '):
        from_text(with_meshes('files:a.obj'))
    assert not files.held


def test_a_close_that_raises_is_logged_and_the_model_is_loaded(caplog):
    class Clumsy(Files):
        def close(self, opened):
            raise RuntimeError('dropped')

    register(Clumsy(**{'a.obj': OBJ}))
    assert from_text(with_meshes('files:a.obj')).nmesh == 1
    assert 'files:a.obj: close raised' in caplog.text
    assert 'dropped' in caplog.text


def test_an_unexpected_error_on_a_thread_of_mujoco_is_logged_with_its_traceback(caplog):
    register(Moody)
    with caplog.at_level(logging.ERROR), pytest.raises(ValueError, match='it snows'):
        mujoco.MjSpec.from_string(with_meshes('moody:broken.obj')).compile()
    assert "raise RuntimeError('it snows')" in caplog.text


def test_a_provider_may_itself_load_a_model(files):
    class Compiler(ResourceProvider):
        prefix = 'compiler'

        def read(self, opened):
            mujoco.MjModel.from_xml_path('files://robot/main.xml')
            return OBJ

    register(Compiler)
    uris = [f'compiler:{n}.obj' for n in range(3)]
    assert from_text(with_meshes(*uris)).nmesh == 3
    del files.files['files://robot/main.xml']
    with pytest.raises(ValueError, match=r'files://robot/main\.xml: not here'):
        from_text(with_meshes(*uris))


def test_a_provider_that_blocks_stops_no_other_load():
    inside, go_on = threading.Event(), threading.Event()

    class Slow(Files):
        def read(self, opened):
            if 'slow' in opened:
                inside.set()
                assert go_on.wait(DEADLINE_S)
            return super().read(opened)

    provider = Slow(**{f'{kind}{n}.obj': OBJ for kind in ('slow', 'fast') for n in range(4)})
    register(provider)
    models: list[mujoco.MjModel] = []
    slow = [f'files:slow{n}.obj' for n in range(4)]
    thread = threading.Thread(target=lambda: models.append(from_text(with_meshes(*slow))))
    thread.start()
    try:
        assert inside.wait(DEADLINE_S)
        assert from_text(with_meshes(*[f'files:fast{n}.obj' for n in range(4)])).nmesh == 4
        assert not models, 'the other waits still'
    finally:
        go_on.set()
        thread.join(DEADLINE_S)
    assert models[0].nmesh == 4


def test_an_edited_class_takes_the_place_of_the_first_and_what_is_open_stays_with_that():
    inside, go_on = threading.Event(), threading.Event()
    closed = []

    class First(ResourceProvider):
        prefix = 'edited'

        def read(self, opened):
            inside.set()
            assert go_on.wait(DEADLINE_S)
            return OBJ

        def close(self, opened):
            closed.append(opened)

        def timestamp(self, opened):
            return 'never changes'

    class Second(First):
        prefix = 'Edited'

        def read(self, opened):
            return OBJ + b'v 2 2 2\n'

    register(First)
    models: list[mujoco.MjModel] = []
    text = with_meshes('edited:a.obj')
    thread = threading.Thread(target=lambda: models.append(from_text(text)))
    thread.start()
    try:
        assert inside.wait(DEADLINE_S)
        register(Second)
        assert from_text(text).nmeshvert == 5
    finally:
        go_on.set()
        thread.join(DEADLINE_S)
    assert models[0].nmeshvert == 4
    assert closed == ['Edited:a.obj', 'edited:a.obj']
    assert from_text(text).nmeshvert == 5, 'what MuJoCo kept of the first is not used'


def test_a_prefix_that_a_class_of_another_module_has_is_refused(files):
    register_shipped()
    taken = {'files': 'resources.assets.Files', 'PACKAGE': 'resources.package.Package'}
    for prefix, owner in taken.items():
        other = type('Other', (Moody,), {'prefix': prefix})
        with pytest.raises(
            ResourceError, match=rf"^prefix '{prefix}' is taken by class .*{owner}$"
        ):
            register(other)
    assert from_text(with_meshes('files:a.obj')).nmesh == 1, 'the first one goes on'
    register(Files(**{'a.obj': OBJ + b'v 2 2 2\n'}))
    assert from_text(with_meshes('files:a.obj')).nmeshvert == 5, 'its own module may replace it'


@pytest.mark.parametrize('prefix', [None, '', 'a b', '1st', 'a/b', 'a:', 'é', 7], ids=repr)
def test_a_prefix_that_is_no_scheme_is_refused(prefix):
    class Wrong(ResourceProvider):
        def read(self, opened):
            return OBJ

    if prefix is not None:
        Wrong.prefix = prefix
    with pytest.raises(ResourceError) as caught:
        register(Wrong)
    rule = 'a letter, then letters, digits, + . and -'
    assert str(caught.value).endswith(f'Wrong.prefix must be {rule}, got {prefix!r}')


@pytest.mark.parametrize('other', [object, object(), 5, dict])
def test_what_is_no_provider_is_refused(other):
    with pytest.raises(ResourceError, match='must be derived from ResourceProvider'):
        register(other)


def test_a_provider_without_read_is_refused():
    class Mute(ResourceProvider):
        prefix = 'mute'

    with pytest.raises(ResourceError, match='Mute must define read'):
        register(Mute)


def test_read_gives_what_mujoco_would_get_and_the_same_errors(files):
    register(Moody)
    assert read('files:a.obj') == OBJ
    assert not files.held
    for uri, reason in {
        'moody:nowhere': 'it rains',
        'moody:broken': 'RuntimeError: it snows',
    }.items():
        with pytest.raises(ResourceError) as caught:
            read(uri)
        assert str(caught.value) == f'{uri}: {reason}'
    with pytest.raises(ResourceError, match=r'nobody:x: no such prefix; known: .*files, .*moody'):
        read('nobody:x')
