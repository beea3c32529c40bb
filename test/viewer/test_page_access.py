"""Only a browser on this machine with the address of the page gets an answer."""

import pytest

from mujoco_ros_py.viewer.page.page_access import PageAccess, new_token

TOKEN = 'tAbC_123-x'
HOST = '127.0.0.1:8080'
OWN = f'http://{HOST}'


@pytest.fixture
def access():
    return PageAccess(TOKEN)


@pytest.mark.parametrize('host', ['127.0.0.1:8080', '127.0.0.1', 'localhost:9', 'LOCALHOST'])
def test_the_token_opens_the_page_by_each_name_of_this_machine(access, host):
    assert access.refusal(f'/{TOKEN}/', host, None, upgrade=False) is None


@pytest.mark.parametrize(
    'path',
    ['/', '', '/index.html', '/tAbC_123-', f'/{TOKEN}x/', f'/x/{TOKEN}/', f'/?{TOKEN}', '/ü/'],
)
def test_no_token_or_a_wrong_one_is_refused(access, path):
    assert access.refusal(path, HOST, None, upgrade=False).status == 403


@pytest.mark.parametrize(
    'host',
    [
        *(None, '', 'evil.example', 'evil.example:8080', '127.0.0.1.evil.example'),
        *('10.0.0.1:8080', '127.0.0.1:80 80', '127.0.0.1 localhost', 'localhost.:1', 'localhost:'),
    ],
)
def test_another_host_is_refused_even_with_the_token(access, host):
    assert 'Host' in access.refusal(f'/{TOKEN}/', host, None, upgrade=False).reason


@pytest.mark.parametrize(
    'origin', ['http://evil.example', 'null', 'http://127.0.0.1:9', f'https://{HOST}', '']
)
@pytest.mark.parametrize('upgrade', [False, True])
def test_a_page_of_another_origin_is_refused_even_with_the_token(access, origin, upgrade):
    refusal = access.refusal(f'/{TOKEN}/state', HOST, origin, upgrade=upgrade)
    assert 'Origin' in refusal.reason


def test_a_websocket_must_tell_its_origin(access):
    assert access.refusal(f'/{TOKEN}/ui', HOST, None, upgrade=True) is not None
    assert access.refusal(f'/{TOKEN}/ui', HOST, OWN, upgrade=True) is None


def test_the_path_behind_the_token_keeps_its_query(access):
    assert access.inner_path(f'/{TOKEN}/state?sid=1') == '/state?sid=1'
    assert access.inner_path(f'/{TOKEN}') == '/'
    assert access.inner_path(f'/{TOKEN}?a') == '/?a'


def test_tokens_are_long_and_differ():
    assert len({new_token() for _ in range(50)}) == 50
    assert len(new_token()) >= 32
