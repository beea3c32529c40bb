"""Models that are no files, in a real server."""

from __future__ import annotations

import os
import threading
import zipfile
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import quote

import pytest
from sensor_msgs.msg import JointState

from .harness import refusal_at_start, wait_until

pytestmark = pytest.mark.slow

OBJ = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n'
"""A tetrahedron."""


def robot(joint: str) -> dict[str, str]:
    """The files of a model of one joint."""
    main = f"""
        <mujoco>
          <compiler meshdir="meshes"/>
          <option timestep="0.004"/>
          <include file="assets.xml"/>
          <worldbody><body>
            <joint name="{joint}" type="slide"/><geom type="mesh" mesh="part" mass="1"/>
          </body></worldbody>
        </mujoco>"""
    assets = '<mujoco><asset><mesh name="part" file="part.obj"/></asset></mujoco>'
    return {'main.xml': main, 'assets.xml': assets, 'meshes/part.obj': OBJ}


def write(folder: Path, joint: str) -> None:
    for name, text in robot(joint).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def pack(path: Path, joint: str, without: str = '') -> None:
    with zipfile.ZipFile(path, 'w') as archive:
        for name, text in robot(joint).items():
            if name != without:
                archive.writestr(f'robot/{name}', text)


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The files of a folder on the web; yields host and port."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
    with ThreadingHTTPServer(('127.0.0.1', 0), handler) as site:
        thread = threading.Thread(target=site.serve_forever, args=[0.01])
        thread.start()
        try:
            yield f'127.0.0.1:{site.server_port}'
        finally:
            site.shutdown()
            thread.join()


def wait_for_joint(states: list[JointState], name: str) -> None:
    wait_until(lambda: states and states[-1].name == [name], f'a model with the joint {name}')


def test_a_model_comes_from_an_archive_or_is_the_uri_itself_and_changes_with_it(start, tmp_path):
    archive = tmp_path / 'robot.zip'
    pack(archive, 'red')
    uri = f'zip:{archive}!/robot/main.xml'
    process, client = start({'modelfile': uri})
    process.wait_for_output(f'loaded {uri}: 2 bodies')
    states = client.collect(JointState, 'joint_states')
    wait_for_joint(states, 'red')

    pack(archive, 'green')
    assert client.trigger('reload').success
    wait_for_joint(states, 'green')

    pack(archive, 'blue', without='meshes/part.obj')
    answer = client.trigger('reload')
    assert not answer.success
    reason = 'no such file in the archive; it contains robot/'
    assert f'zip:{archive}!/robot/meshes/part.obj: {reason}' in answer.message
    archive.write_text('no archive')
    answer = client.trigger('reload')
    assert not answer.success
    assert f'{uri}: {archive} is not a zip archive: File is not a zip file' in answer.message
    assert states[-1].name == ['green'], 'the last good one runs on'

    mesh = f'data:model/obj,{quote(OBJ)}#part.obj'
    main = robot('blue')['main.xml'].replace(
        '<include file="assets.xml"/>', f'<asset><mesh name="part" file="{mesh}"/></asset>'
    )
    uri = f'data:;base64,{urlsafe_b64encode(main.encode()).decode()}#robot.xml'
    assert client.set_parameters(modelfile=uri)[0].successful
    assert client.trigger('reload').success
    wait_for_joint(states, 'blue')
    broken = 'data:;base65,AP8='
    assert client.set_parameters(modelfile=broken)[0].successful
    answer = client.trigger('reload')
    assert (answer.success, answer.message) == (
        False, f"{broken}: unknown encoding 'base65'; known: base64",
    )  # fmt: skip


def test_a_model_comes_from_a_file_wherever_that_is_and_from_hosts_that_are_allowed(
    start, tmp_path
):
    pack(tmp_path / 'robot.zip', 'red')
    path = f'{tmp_path}/robot.zip!/robot/main.xml'
    process, client = start({'modelfile': path, 'trust_network': True}, no_proxy='*')
    process.wait_for_output(f'loaded {path}: 2 bodies')
    states = client.collect(JointState, 'joint_states')
    wait_for_joint(states, 'red')

    pack(tmp_path / 'robot.zip', 'green')
    assert client.trigger('reload').success
    wait_for_joint(states, 'green')

    for bad, reason in {
        f'{tmp_path}/robot.zip': 'must have a single XML file',
        f'{tmp_path}/none.zip': 'no such file',
        f'{tmp_path}/robot.zip!/main.xml': (
            'no such file in the archive; it contains robot/main.xml'
        ),
    }.items():
        assert client.set_parameters(modelfile=bad)[0].successful
        answer = client.trigger('reload')
        assert not answer.success
        assert reason in answer.message

    write(tmp_path, 'blue')
    with served(tmp_path) as host:
        uri = f'http://{host}/main.xml'
        assert client.set_parameters(modelfile=uri)[0].successful
        answer = client.trigger('reload')
        assert (answer.success, answer.message) == (
            False, f"{uri}: host '127.0.0.1' is not allowed; allowed: none",
        )  # fmt: skip

        assert client.set_parameters(http_hosts=['example.org', host])[0].successful
        answer = client.trigger('reload')
        assert answer.success, answer.message
        wait_for_joint(states, 'blue')

        uri = f'http://{host}/robot.zip!/robot/main.xml'
        assert client.set_parameters(modelfile=uri)[0].successful
        answer = client.trigger('reload')
        assert answer.success, answer.message
        process.wait_for_output(f'loaded {uri}: 2 bodies')


def test_a_model_and_its_meshes_come_from_a_package(start, tmp_path):
    index = tmp_path / 'prefix/share/ament_index/resource_index/packages'
    index.mkdir(parents=True)
    (index / 'arm').touch()
    write(tmp_path / 'prefix/share/arm', 'red')
    known = filter(None, [str(tmp_path / 'prefix'), os.environ.get('AMENT_PREFIX_PATH')])
    uri = 'package://arm/main.xml'
    process, client = start({'modelfile': uri}, AMENT_PREFIX_PATH=os.pathsep.join(known))
    process.wait_for_output(f'loaded {uri}')
    wait_for_joint(client.collect(JointState, 'joint_states'), 'red')


def test_a_host_that_is_none_is_refused_with_the_rule(tmp_path, domain):
    said = refusal_at_start(tmp_path, domain, {'http_hosts': ['a.org', 'http://b.org']})
    assert "http_hosts must be <name> or <name>:<port>, got 'http://b.org'" in said
