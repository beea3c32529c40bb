"""Settings and workarounds for Fast DDS, which do not touch other middleware.

The shared memory of a killed process does not block later processes.
"""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest
from system.harness import Client, server_process

from mujoco_ros_py.ros.fast_dds import (
    make_room_for_images,
    remove_half_made_ports,
    uses_fast_dds,
)

LONG_AGO_S = 60.0


def make_port(path: Path, state: int, age_s: float = LONG_AGO_S) -> Path:
    path.write_bytes(state.to_bytes(4, 'little') + bytes(100))
    os.utime(path, (time.time() - age_s,) * 2)
    return path


def test_ports_that_nobody_makes_any_more_are_removed_and_no_others(tmp_path):
    half, begun = (make_port(tmp_path / f'fastdds_port{7410 + k}', k) for k in (0, 1))
    ready = make_port(tmp_path / 'fastdds_port7412', 2)
    others = [make_port(tmp_path / name, 0) for name in ('fastdds_port7410_el', 'fastdds_0a1b')]
    remove_half_made_ports(tmp_path)
    assert half.exists() is not uses_fast_dds()
    assert begun.exists() is not uses_fast_dds()
    assert ready.exists()
    assert all(each.exists() for each in others)


@pytest.mark.skipif(not uses_fast_dds(), reason='the ports are those of Fast DDS')
def test_a_port_that_another_process_makes_now_is_waited_for(tmp_path):
    port = make_port(tmp_path / 'fastdds_port7410', 1, age_s=0.0)
    waiting = threading.Thread(target=remove_half_made_ports, args=(tmp_path,))
    waiting.start()
    waiting.join(0.1)
    assert waiting.is_alive()
    port.write_bytes((2).to_bytes(4, 'little'))
    waiting.join()
    assert port.exists()


@pytest.mark.parametrize('given', [None, 'FASTDDS_BUILTIN_TRANSPORTS'])
def test_the_profile_for_images_is_for_fast_dds_that_nobody_has_configured(monkeypatch, given):
    profiles = 'FASTDDS_DEFAULT_PROFILES_FILE', 'FASTRTPS_DEFAULT_PROFILES_FILE'
    for name in (*profiles, 'FASTDDS_BUILTIN_TRANSPORTS'):
        monkeypatch.delenv(name, raising=False)
    if given:
        monkeypatch.setenv(given, 'UDPv4')
    make_room_for_images()
    files = [file for name in profiles if (file := os.environ.get(name))]
    for name in profiles:
        monkeypatch.delenv(name, raising=False)
    assert len(files) == int(uses_fast_dds() and given is None)
    assert all(Path(file).is_file() for file in files)


@pytest.mark.slow
def test_a_server_and_its_client_start_where_a_process_was_killed_in_its_start(tmp_path, domain):
    """Without the removal, they hang while creating their nodes."""
    for offset in range(10, 20):  # the first participants of the domain
        for name in ('fastdds', 'fastrtps'):  # versions 3 and 2
            make_port(Path(f'/dev/shm/{name}_port{7400 + 250 * domain + offset}'), 0)
    process = server_process(tmp_path, domain, {})
    try:
        process.wait_for_output(': loaded ')
        client = Client(domain)
        assert client.trigger('reset').success
        client.close()
    finally:
        process.end()


@pytest.mark.slow
@pytest.mark.skipif(not uses_fast_dds(), reason='others permit two types on a topic')
def test_a_topic_of_two_types_ends_the_start_of_a_server_with_one_line(tmp_path, domain):
    process = server_process(tmp_path, domain, {}, '-r', '/diagnostics:=/clock')
    assert process.wait() == 2, process.output
    assert 'Traceback' not in process.output
    assert (
        'mujoco_server: ROS refuses a topic or a service: Failed to create publisher'
        in process.output
    )
