"""Topics that compiled code fills and reads, over DDS; and the same by plain rclpy."""

from __future__ import annotations

import statistics
from contextlib import contextmanager
from itertools import pairwise

import pytest
from geometry_msgs.msg import Vector3
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray

from .harness import PENDULUM, seconds, wait_until
from .plugin_site import PluginSite

pytestmark = pytest.mark.slow

TALKERS = '''
import numpy as np
from geometry_msgs.msg import Vector3
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray
from std_srvs.srv import Trigger

from mujoco_ros_py.plugins import Adaptable, MujocoPlugin, compiled, new_state
from mujoco_ros_py.plugins.compiled_code import same_text


class Echo(MujocoPlugin):
    """Answers with what it got last, and with the count of what it got."""

    def load(self, model, data):
        self.state = new_state(values=np.zeros(3), count=0, steps=0)
        template = JointState(name=['hinge', 'b'], position=[0.0] * 2, velocity=[0.0] * 3)
        template.header.frame_id = 'base'
        self.echo = self.ros.create_compiled_publisher(
            JointState, '~/echo', self.fill, rate_hz=250.0, template=template,
            state=self.state,
        )
        self.commands = self.ros.create_compiled_subscription(
            Float64MultiArray, '~/values', self.read, 100, state=self.state
        )
        self.ros.create_service(Trigger, '~/counts', self.counts)

    @staticmethod
    @compiled
    def fill(state, model, data, message):
        message.position[0] = data.qpos[0]
        message.position[1] = state.count
        message.velocity[:] = state.values

    @staticmethod
    @compiled
    def read(state, model, data, message):
        if len(message.data) > 3:
            raise ValueError('too long')
        state.count += 1
        for k in range(len(message.data)):
            state.values[k] = message.data[k]

    def counts(self, request, response):
        commands, echo = self.commands, self.echo
        response.message = f'{commands.taken} {commands.publishers} {echo.subscribers}'
        return response


class Staying(Echo, Adaptable):
    """Stays over a reload of the same model."""

    def adapt(self, model, data):
        pass


class Texts(MujocoPlugin):
    """Tells which of the names of a message is that of its first joint."""

    def load(self, model, data):
        self.state = new_state(found=-1)
        self.ros.create_compiled_subscription(JointState, '~/names', self.find, state=self.state)
        self.ros.create_compiled_publisher(
            Vector3, '~/found', self.fill, rate_hz=100.0, state=self.state
        )

    @staticmethod
    @compiled
    def find(state, model, data, message):
        for k in range(1, len(message.name)):
            if same_text(message.name[k], message.name[0]):
                state.found = k

    @staticmethod
    @compiled
    def fill(state, model, data, message):
        message.x = state.found


class Wrong(MujocoPlugin):
    """Asks for what cannot be."""

    def load(self, model, data):
        wanted = {'state': None, 'rate_hz': 0.0, **self.config['wanted']}
        wanted['fill'] = {'fill': self.fill, 'method': self.method}.get(wanted.get('fill'))
        self.ros.create_compiled_publisher(Vector3, '~/topic', **wanted)

    def method(self):
        pass

    @staticmethod
    @compiled
    def fill(state, model, data, message):
        message.x = 1.0
'''


@pytest.fixture(scope='module')
def site(tmp_path_factory) -> PluginSite:
    made = PluginSite(tmp_path_factory.mktemp('talkers'))
    made.add_module('talkers', TALKERS)
    return made


@pytest.fixture(params=[True, False], ids=['without the GIL', 'by rclpy'])
def talk(request, share, site):
    """`talk(type)`: a paused server with that plugin, and a client."""

    def talk(plugin):
        base = {'mujoco_xml': PENDULUM, 'MujocoPlugins': '[]', 'compiled_topics': request.param}
        _, client = share(base, **site.environment)
        for topic in ('/it/values', '/it/names'):  # messages to those before would be lost
            wait_until(lambda topic=topic: not client.node.count_subscribers(topic), 'their end')
        listed = f'[{{type: talkers/{plugin}, name: it}}]'
        return share(base, given={'MujocoPlugins': listed}, **site.environment)

    return talk


@contextmanager
def commands(client):
    """A publisher of values, which the plugin has found."""
    publisher = client.node.create_publisher(Float64MultiArray, '/it/values', 100)
    wait_until(lambda: publisher.get_subscription_count() == 1, 'the subscription')
    wait_until(lambda: client.trigger('/it/counts').message.split()[1] == '1', 'the publisher')
    try:
        yield publisher
    finally:
        client.run_in_executor(client.node.destroy_publisher, publisher)


def test_messages_are_filled_at_their_rate_from_a_template(talk):
    _, client = talk('Echo')
    came = client.collect(JointState, '/it/echo')
    assert client.pause(False).success
    wait_until(lambda: len(came) >= 100, 'messages')
    for message in came:
        assert list(message.name) == ['hinge', 'b']
        assert (message.header.frame_id, len(message.velocity)) == ('base', 3)
    times = [seconds(message.header.stamp) for message in came]
    assert times == sorted(set(times))
    assert len(times) <= 250 * (times[-1] - times[0]) + 2, 'a rate of 250 Hz'
    gaps = [after - before for before, after in pairwise(times)]
    assert statistics.median(gaps) == pytest.approx(0.004), 'a busy machine may make some late'


def test_what_is_sent_is_read_in_a_pause_too_and_what_comes_back_is_that(talk):
    _, client = talk('Echo')
    came = client.collect(JointState, '/it/echo')
    with commands(client) as publisher:
        publisher.publish(Float64MultiArray(data=[7.0]))
        wait_until(lambda: came and list(came[-1].velocity) == [7.0, 0.0, 0.0], 'the answer')
        assert client.pause(False).success
        for number in range(2, 31):
            publisher.publish(Float64MultiArray(data=[float(number), 2.0, -1.5]))
        wait_until(lambda: came[-1].position[1] == 30, 'all of them')
        assert list(came[-1].velocity) == [30.0, 2.0, -1.5]
        assert client.trigger('/it/counts').message == '30 1 1'


def starts_over(messages) -> bool:
    """Whether the time of one message is before that of the message before."""
    times = [seconds(message.header.stamp) for message in messages]
    return times != sorted(times)


def test_a_plugin_that_stays_over_reloads_fills_and_reads_on_from_time_zero(talk):
    _, client = talk('Staying')
    came = client.collect(JointState, '/it/echo')
    assert client.pause(False).success
    with commands(client) as publisher:
        for number in range(1, 4):
            publisher.publish(Float64MultiArray(data=[float(number), 2.0, -1.5]))
            wait_until(lambda n=number: came and came[-1].position[1] == n, 'the message')
            assert list(came[-1].velocity) == [float(number), 2.0, -1.5]
            seen = len(came)
            assert client.trigger('reload').success
            wait_until(lambda seen=seen: starts_over(came[seen - 1 :]), 'messages of the new load')
        assert client.trigger('/it/counts').message == '3 1 1'


def test_a_reload_makes_the_topics_anew_and_an_exception_takes_them_with_the_plugin(talk):
    server, client = talk('Echo')
    came = client.collect(JointState, '/it/echo')
    assert client.pause(False).success
    for _ in range(2):
        before = len(came)
        assert client.trigger('reload').success
        wait_until(lambda count=before: len(came) > count + 10, 'messages again')
    wait_until(lambda: client.node.count_publishers('/it/echo') == 1, 'one publisher alone')
    with commands(client) as publisher:
        publisher.publish(Float64MultiArray(data=[0.0] * 4))
        server.wait_for_output("plugin 'it' is disabled")
    assert 'ValueError: too long' in server.output
    wait_until(lambda: client.node.count_publishers('/it/echo') == 0, 'the end of the publisher')
    wait_until(lambda: client.node.count_subscribers('/it/values') == 0, 'that of the other')


def test_texts_are_compared(talk):
    _, client = talk('Texts')
    came = client.collect(Vector3, '/it/found')
    publisher = client.node.create_publisher(JointState, '/it/names', 10)
    wait_until(lambda: publisher.get_subscription_count() == 1, 'the subscription')
    publisher.publish(JointState(name=['hinge', 'hinge2', 'hing', 'hinge']))
    wait_until(lambda: came and came[-1].x == 3.0, 'the name')


WRONG = [
    ('{fill: fill, rate_hz: 0.0}', 'rate_hz must be > 0, got 0.0'),
    ('{fill: fill}', 'rate_hz must be > 0, got 0.0'),
    ('{fill: method, rate_hz: 1.0}', 'fill must be marked @compiled, got <bound method'),
    ('{rate_hz: 1.0}', 'fill must be marked @compiled, got None'),
    (
        '{fill: fill, rate_hz: 1.0, derived: all}',
        "derived must be one of state, poses, sensors, got 'all'",
    ),
    ('{fill: fill, rate_hz: 1.0, template: 3}', 'template must be a Vector3, got 3'),
]


def test_what_cannot_be_is_refused_with_the_reason(share, site):
    plugins = [
        f'{{type: talkers/Wrong, name: wrong{number}, wanted: {wanted}}}'
        for number, (wanted, _) in enumerate(WRONG)
    ]
    base = {'mujoco_xml': PENDULUM, 'MujocoPlugins': '[]', 'compiled_topics': True}
    given = {'MujocoPlugins': f'[{", ".join(plugins)}]'}
    server, _ = share(base, given=given, **site.environment)
    for number, (_, words) in enumerate(WRONG):
        assert f'refused to load: PluginError: wrong{number}/topic: {words}' in server.output
