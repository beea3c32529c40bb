"""The internals of MuJoCo's Studio that the viewer relies on; each test names missing parts."""

import inspect
import re
from pathlib import Path

import pytest

pytest.importorskip('mujoco.studio', reason='this MuJoCo has no Studio')
pytest.importorskip('websockets', reason='the extra `viewer` is not installed')

from mujoco.studio import app, web_viewer
from mujoco.studio.web import web_server

from mujoco_ros_py.viewer.page import studio_internals

PACKAGE = Path(studio_internals.__file__).parents[2]


def source(thing):
    return inspect.getsource(thing)


def test_the_names_are_there():
    assert studio_internals.lost() == []
    assert studio_internals.missing() == ''


def test_a_name_that_is_gone_is_named(monkeypatch):
    monkeypatch.delattr(web_server, 'serve')
    assert studio_internals.lost() == ['mujoco.studio.web.web_server.serve']


def test_no_other_file_of_the_package_looks_inside_studio():
    inside = re.compile(
        r'mujoco\.studio\.web|\b(app|endpoints|imgui|messages|sim|viewer_protocol)\._[a-z]'
    )
    found = [
        path.name
        for path in PACKAGE.rglob('*.py')
        if inside.search(path.read_text()) and path.name != 'studio_internals.py'
    ]
    assert found == []


def test_the_viewer_makes_its_sockets_by_the_two_functions_and_no_others():
    made = source(web_viewer)
    assert made.count('web_server.bind_public_socket(') == 1
    assert made.count('web_server.bind_loopback_socket(') == 1
    assert 'socket.socket(' not in made
    elsewhere = source(web_server).replace(source(web_server.bind_public_socket), '')
    elsewhere = elsewhere.replace(source(web_server.bind_loopback_socket), '')
    assert 'socket.socket(socket.' not in elsewhere


def test_all_requests_are_answered_by_the_one_server():
    server = source(web_server)
    assert server.count('await serve(') == 1
    assert server.count('asyncio.start_server(') == 1
    for name in ('process_request=process_request', 'process_response=process_response'):
        assert name in source(web_server._run_server)
    assert 'open_timeout' in inspect.signature(web_server.serve).parameters


def test_the_server_takes_the_path_of_a_websocket_from_its_request():
    assert 'req.path.split("?")[0]' in source(web_server._run_server)


def test_models_of_before_are_kept_up_to_a_limit():
    assert 'self.model_cache_bytes' in source(web_server.WebServer)
    assert 'self._web_server = web_server.WebServer(' in source(web_viewer.WebViewer)


def test_the_page_asks_by_fetch_and_websocket():
    folder = Path(web_server._find_static_files_dir())
    page = (folder / 'index.html').read_text()
    assert page.count('<head>') == 1
    assert 'fetch("assets/' in page
    assert 'new WebSocket(' in (folder / 'web_client.js').read_text()


@pytest.mark.parametrize('name', ['close', 'reset_physics', 'save_keyframe', 'apply_perturb'])
def test_the_panels_call_their_own_methods_for_what_the_user_asks_for(name):
    assert f'self.{name}' in source(app.App)


def test_the_panels_get_dropped_files_from_the_viewer():
    assert 'self.viewer.get_drop_file()' in source(app.App.update)
