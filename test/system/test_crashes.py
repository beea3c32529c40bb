"""A process that crashes in compiled code names the callback or the topic whose code it was."""

from __future__ import annotations

import signal

import pytest
from std_msgs.msg import Float64

from .faults import between_witnesses, environment, with_plugins
from .harness import Client, server_process, wait_until

pytestmark = pytest.mark.slow

RUNNING = {
    'callback': "last_stage_callback of plugin 'faulty'",
    'fill': 'the message of /faulty/out',
    'take': 'the function that reads /faulty/in',
}


@pytest.mark.parametrize('where', RUNNING)
def test_a_crash_names_what_ran_and_ends_as_without_the_line(tmp_path, domain, where):
    plugins = between_witnesses('faulty/Crashes', where=where)
    process = server_process(tmp_path, domain, with_plugins(*plugins), **environment())
    client = Client(domain)
    try:
        if where == 'take':
            publisher = client.node.create_publisher(Float64, '/faulty/in', 1)
            wait_until(publisher.get_subscription_count, 'the subscription', process=process)
            publisher.publish(Float64())
        elif where == 'fill':
            client.collect(Float64, '/faulty/out')
        code = process.wait()
    finally:
        client.close()
        process.kill()
    assert code == -signal.SIGSEGV
    lines = process.output.splitlines()
    told = [line for line in lines if line.startswith('SIGSEGV while this ran: ')]
    (names,) = (line.partition(': ')[2].split(', ') for line in told)
    assert RUNNING[where] in names, 'others may have run on other threads'
    assert 'Fatal Python error: Segmentation fault' in lines[lines.index(told[0]) :]


@pytest.mark.parametrize('number', [signal.SIGABRT, signal.SIGSEGV])
def test_a_signal_that_somebody_sends_ends_it_as_without_the_line(tmp_path, domain, number):
    process = server_process(tmp_path, domain, with_plugins(), **environment())
    try:
        process.wait_for_output(': loaded ')
        process.signal(number)
        # Python's dump reads frames of threads that go on, and may crash by that
        assert process.wait() in (-number, -signal.SIGSEGV), process.output
    finally:
        process.kill()
    assert 'Fatal Python error' in process.output
