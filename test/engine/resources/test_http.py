from __future__ import annotations

from collections.abc import Iterator

import mujoco
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.engine.resources import Http, Https, read, register

from .assets import OBJ, check_robot, with_meshes
from .web import Handler, Site, refusal


@pytest.fixture
def site(monkeypatch) -> Iterator[Site]:
    monkeypatch.setenv('no_proxy', '*')
    with Site().served() as site:
        register(Http([site.host], timeout_s=DEADLINE_S, limit=10**6))
        yield site


def redirect(target: str):
    def answer(handler: Handler) -> None:
        handler.send_response(302)
        handler.send_header('Location', target)
        handler.end_headers()

    return answer


def test_a_model_with_all_that_it_names_is_loaded_from_a_host(site):
    check_robot(mujoco.MjModel.from_xml_path(site.uri('robot/main.xml')))


def test_a_file_with_the_same_tag_is_not_made_anew(site):
    site.files['/a.obj'], site.tags['/a.obj'] = OBJ, '"1"'
    text = with_meshes(site.uri('a.obj'))
    assert mujoco.MjModel.from_xml_string(text).nmeshvert == 4
    site.files['/a.obj'] = OBJ + b'v 2 2 2\n'
    assert mujoco.MjModel.from_xml_string(text).nmeshvert == 4
    site.tags['/a.obj'] = '"2"'
    assert mujoco.MjModel.from_xml_string(text).nmeshvert == 5


def test_it_is_off_unless_hosts_are_allowed(site):
    register(Http)
    said = refusal(site.uri('robot/main.xml'))
    assert said == "host '127.0.0.1' is not allowed; allowed: none"
    assert not site.sent
    with pytest.raises(ValueError, match='is not allowed; allowed: none'):
        mujoco.MjModel.from_xml_path(site.uri('robot/main.xml'))


@pytest.mark.parametrize(
    'uri',
    [
        'http://example.org/a.obj',
        'http://{host}@example.org/a.obj',
        'http://127.0.0.1.example.org/a.obj',
        'http://127.0.0.1:1/a.obj',
        'http:///a.obj',
        'http:a.obj',
    ],
)
def test_another_host_is_refused(site, uri):
    assert f'is not allowed; allowed: {site.host}' in refusal(uri.format(host=site.host))


def test_a_port_that_is_none_is_refused(site):
    assert refusal('http://127.0.0.1:x/a.obj').startswith('Port could not be cast')


def test_a_host_without_a_port_is_allowed_at_each(site):
    register(Http(['127.0.0.1']))
    assert read(site.uri('robot/meshes/arm.obj')) == OBJ


def test_https_is_another_prefix_with_the_same_rules():
    register(Https)
    said = refusal('https://example.org/a.obj')
    assert said == "host 'example.org' is not allowed; allowed: none"


def test_a_redirect_is_followed_to_an_allowed_host_only(site):
    site.files['/here'] = redirect('/robot/meshes/arm.obj')
    assert read(site.uri('here')) == OBJ
    other = Site()
    site.files['/there'] = redirect(other.uri('robot/meshes/arm.obj'))
    assert 'is not allowed' in refusal(site.uri('there'))
    site.files['/file'] = redirect('file:///etc/passwd')
    assert 'is not allowed' in refusal(site.uri('file'))
    other.server_close()


def test_a_redirect_without_end_is_refused(site):
    site.files['/circle'] = redirect('/circle')
    assert 'redirect' in refusal(site.uri('circle'))


def test_a_missing_file_is_refused_with_the_answer_of_the_server(site):
    assert refusal(site.uri('none.obj')) == 'HTTP Error 404: Not Found'
    with pytest.raises(ValueError, match=r'none\.obj: HTTP Error 404: Not Found'):
        mujoco.MjModel.from_xml_string(with_meshes(site.uri('none.obj')))


def test_a_host_that_does_not_answer_is_refused(site):
    closed = Site()
    closed.server_close()
    register(Http([closed.host]))
    assert 'refused' in refusal(closed.uri('a.obj'))


def test_a_file_beyond_the_limit_is_refused(site):
    site.files['/huge'] = bytes(2 * 10**6)
    assert refusal(site.uri('huge')) == 'is longer than 1,000,000 bytes'


def test_a_file_that_comes_without_its_end_is_refused(site):
    def cut(handler: Handler) -> None:
        handler.send_response(200)
        handler.send_header('Content-Length', '1000')
        handler.end_headers()
        handler.wfile.write(OBJ)

    site.files['/cut'] = cut
    assert refusal(site.uri('cut')) == f'ended after {len(OBJ)} of 1,000 bytes'


def test_a_server_that_falls_silent_is_given_up(site):
    def silent(handler: Handler) -> None:
        handler.send_response(200)
        handler.end_headers()
        handler.wfile.write(OBJ)
        handler.server.released.wait(DEADLINE_S)

    site.files['/silent'] = silent
    register(Http([site.host], timeout_s=0.2))
    assert 'timed out' in refusal(site.uri('silent'))


def test_a_server_that_sends_drop_by_drop_is_given_up(site):
    def dripping(handler: Handler) -> None:
        handler.send_response(200)
        handler.end_headers()
        try:
            while not handler.server.released.wait(0.01):
                handler.wfile.write(b'v')
        except OSError:
            pass

    site.files['/dripping'] = dripping
    register(Http([site.host], timeout_s=1.0))
    assert refusal(site.uri('dripping')) == 'took longer than 1 s'
