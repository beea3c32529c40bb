"""The listening sockets of a process, and the processes of its connections."""

import socket
import subprocess
import sys

import pytest

from mujoco_ros_py.errors import ViewerError
from mujoco_ros_py.viewer.page import loopback


def test_a_socket_on_all_interfaces_is_found_and_refused():
    loopback.refuse_other_interfaces()
    with socket.socket() as wide:
        wide.bind(('0.0.0.0', 0))
        wide.listen()
        assert ('0.0.0.0', wide.getsockname()[1]) in loopback.listening()
        with pytest.raises(ViewerError, match=r'listens on 0\.0\.0\.0'):
            loopback.refuse_other_interfaces()
    loopback.refuse_other_interfaces()


@pytest.mark.skipif(not socket.has_ipv6, reason='Python has no IPv6')
def test_a_socket_on_all_interfaces_of_ipv6_is_refused():
    try:
        wide = socket.create_server(('::', 0), family=socket.AF_INET6)
    except OSError as error:
        pytest.skip(f'this machine has no IPv6: {error}')
    with wide, pytest.raises(ViewerError, match='listens on ::'):
        loopback.refuse_other_interfaces()


def test_a_taken_port_is_told():
    with socket.create_server(('127.0.0.1', 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ViewerError, match=f'port {port} cannot be used'):
            loopback.bind_loopback(port)


def test_a_socket_for_this_process_alone_answers_no_other_process():
    with loopback.OwnProcessSocket(socket.AF_INET, socket.SOCK_STREAM) as listener:
        listener.bind(('127.0.0.1', 0))
        listener.listen()
        place = listener.getsockname()
        with socket.create_connection(place) as ours:
            connection, _ = listener.accept()
            with connection:
                ours.sendall(b'x')
                assert connection.recv(1) == b'x'
        code = f'import socket; s = socket.create_connection({place}); print(s.recv(1))'
        other = subprocess.Popen([sys.executable, '-c', code], stdout=subprocess.PIPE)
        with pytest.raises(ConnectionAbortedError):
            listener.accept()
        assert other.communicate()[0].strip() in (b"b''", b'')
