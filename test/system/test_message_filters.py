"""Message filters over DDS: messages are held back, lost, repeated and changed in between."""

from __future__ import annotations

from contextlib import contextmanager

import pytest
from geometry_msgs.msg import Vector3Stamped
from mujoco_ros_py_interfaces.srv import GetState, SetState
from simulation_interfaces.srv import StepSimulation
from std_msgs.msg import Float64MultiArray, String

from .harness import PENDULUM, seconds, wait_until
from .plugin_site import PluginSite

pytestmark = pytest.mark.slow

PLUGINS = '''
import numpy as np
from geometry_msgs.msg import Vector3Stamped
from std_msgs.msg import Float64MultiArray, String
from std_srvs.srv import Trigger

from mujoco_ros_py.plugins import MujocoPlugin, Savable, compiled, new_state

TOPICS = (
    ('steps', False), ('commands', True), ('in', True), ('python', False), ('stamped', True),
)


class Talker(MujocoPlugin):
    """Publishes its steps, and notes when each command arrives."""

    def load(self, model, data):
        self.state = new_state(came=np.full((100, 2), -1.0), count=0)
        self.ros.create_compiled_publisher(
            Vector3Stamped, '~/steps', self.fill, rate_hz=500.0, state=self.state
        )
        self.ros.create_compiled_subscription(
            Float64MultiArray, '~/commands', self.read, 100, state=self.state
        )
        self.out = self.ros.create_publisher(String, '~/python', 10)
        self.ros.create_subscription(String, '~/in', self.take, 10)
        self.ros.create_subscription(Vector3Stamped, '~/stamped', self.take_stamped, 10)
        self.ros.create_service(Trigger, '~/came', self.answer)
        self.texts = []

    @staticmethod
    @compiled
    def fill(state, model, data, message):
        message.vector.x = data.time

    @staticmethod
    @compiled
    def read(state, model, data, message):
        state.came[state.count, 0], state.came[state.count, 1] = message.data[0], data.time
        state.count += 1

    def take(self, message):
        self.texts.append(f'{message.data} at {self.environment.simulation.time:.3f}')
        self.out.publish(message)

    def take_stamped(self, message):
        self.texts.append(f'{message.vector.x:g} at {self.environment.simulation.time:.3f}')

    def answer(self, request, response):
        came = [f'{value:g} at {time:.3f}' for value, time in self.state.came[:self.state.count]]
        response.message = '; '.join(came + self.texts)
        return response


class Late(MujocoPlugin, Savable):
    """Delays all messages, loses the third of each ten, and doubles the fourth."""

    def load(self, model, data):
        self.state = new_state(delay=float(self.config['delay']))
        self.filters = [
            self.ros.create_message_filter(
                f'/talker/{topic}', self.decide, incoming=incoming, state=self.state
            )
            for topic, incoming in TOPICS
        ]
        self.ros.create_service(Trigger, '~/held', self.answer)

    def reset(self, model, data):
        for each in self.filters:
            each.clear()

    def save(self):
        return [each.save() for each in self.filters]

    def check_saved(self, saved):
        for each, messages in zip(self.filters, saved, strict=True):
            each.check_saved(messages)

    def restore(self, saved):
        for each, messages in zip(self.filters, saved):
            each.restore(messages)

    @staticmethod
    @compiled
    def decide(state, transit):
        transit.delays[:] = state.delay
        if transit.number % 10 == 2:
            transit.copies = 0
        if transit.number % 10 == 3:
            transit.copies = 2

    def answer(self, request, response):
        held = [str(each.held) for each in self.filters]
        response.message = ' '.join(held)
        return response


class Wrong(Late):
    """Asks for a topic that does not exist."""

    def load(self, model, data):
        self.ros.create_message_filter(self.config['topic'], self.decide, incoming=False)
'''


@pytest.fixture(scope='module')
def site(tmp_path_factory) -> PluginSite:
    made = PluginSite(tmp_path_factory.mktemp('filters'))
    made.add_module('filters', PLUGINS)
    return made


DELAY_S, STEP_S = 0.008, 0.002
TALKER = '{type: filters/Talker, name: talker}'
LATE = f'{{type: filters/Late, name: late, delay: {DELAY_S}}}'


@pytest.fixture(params=[True, False], ids=['without the GIL', 'by rclpy'])
def late(request, share, site):
    """The client of a paused server whose messages are four steps late."""
    listed = f'[{TALKER}, {LATE}]'
    base = {'mujoco_xml': PENDULUM, 'MujocoPlugins': listed, 'compiled_topics': request.param}
    return share(base, **site.environment)[1]


@contextmanager
def publisher_of(client, kind, topic):
    publisher = client.node.create_publisher(kind, topic, 100)
    wait_until(lambda: publisher.get_subscription_count() == 1, 'the subscription')
    yield publisher
    client.run_in_executor(client.node.destroy_publisher, publisher)


def held(client, place: int) -> int:
    """The number of messages in one of the filters: steps, commands, in, python."""
    return int(client.trigger('/late/held').message.split()[place])


def came(client) -> list[str]:
    """What the talker got, with its times."""
    return client.trigger('/talker/came').message.split('; ')


def step(client, count: int) -> None:
    answer = client.call(StepSimulation, 'step_simulation', StepSimulation.Request(steps=count))
    assert answer.result.result == 1, answer.result.error_message


def test_commands_arrive_four_steps_later_but_the_third_and_the_fourth_twice(late):
    with publisher_of(late, Float64MultiArray, '/talker/commands') as publisher:
        for number in range(5):
            publisher.publish(Float64MultiArray(data=[float(number)]))
        wait_until(lambda: held(late, 1) == 5, 'the commands')
        step(late, 3)
        assert came(late) == ['']
        step(late, 1)
        wait_until(lambda: held(late, 1) == 0, 'the commands')
    assert came(late) == [f'{number} at 0.008' for number in (0, 1, 3, 3, 4)]


def test_states_arrive_four_steps_later_with_the_stamp_of_their_measurement(late):
    heard = late.collect(Vector3Stamped, '/talker/steps')
    wait_until(lambda: late.node.count_publishers('/talker/steps') == 1, 'the publisher')
    late.pause(False)
    wait_until(lambda: len(heard) > 200, 'messages')
    late.pause(True)
    stamps = [seconds(message.header.stamp) for message in heard]
    assert stamps == sorted(stamps)
    for message, stamp in zip(heard, stamps, strict=True):
        assert message.vector.x == pytest.approx(stamp, abs=1e-8)
    assert len(set(stamps)) < len(stamps), 'some are sent twice'
    steps = {round(stamp / STEP_S) for stamp in stamps}
    assert not {number % 10 for number in steps} & {2}, 'one of ten is lost'
    before = len(heard)
    assert 3 <= held(late, 0) <= 5, 'the messages of four steps, in the pause too'
    step(late, 3)
    wait_until(lambda: len(heard) > before, 'the next')


def test_functions_of_python_get_late_messages_too(late):
    heard = late.collect(String, '/talker/python')
    wait_until(lambda: late.node.count_publishers('/talker/python') == 1, 'the publisher')
    with publisher_of(late, String, '/talker/in') as publisher:
        publisher.publish(String(data='hello'))
        wait_until(lambda: held(late, 2) == 1, 'the message')
        step(late, 3)
        assert held(late, 2) == 1
        step(late, 1)
        wait_until(lambda: held(late, 3) == 1, 'its answer')
    assert came(late) == ['hello at 0.008']
    step(late, 3)
    assert not heard
    step(late, 1)
    wait_until(lambda: heard, 'the answer')
    assert heard[0].data == 'hello'


def test_the_time_of_a_command_is_that_of_its_arrival_and_not_its_stamp(late):
    with publisher_of(late, Vector3Stamped, '/talker/stamped') as publisher:
        message = Vector3Stamped()
        message.vector.x, message.header.stamp.sec = 3.0, 1_000_000
        publisher.publish(message)
        wait_until(lambda: held(late, 4) == 1, 'the message')
        step(late, 4)
        wait_until(lambda: came(late) == ['3 at 0.008'], 'its arrival')


def test_a_saved_state_has_the_messages_on_their_way(late):
    with publisher_of(late, Float64MultiArray, '/talker/commands') as publisher:
        step(late, 2)
        publisher.publish(Float64MultiArray(data=[7.0]))
        wait_until(lambda: held(late, 1) == 1, 'the command')
        step(late, 2)
        saved = late.call(GetState, 'get_state', GetState.Request())
        assert saved.success, saved.message
        step(late, 10)
        assert came(late)[0] == '7 at 0.012'
        assert late.trigger('reset').success
        assert held(late, 1) == 0
    answer = late.call(SetState, 'set_state', SetState.Request(state=saved.state))
    assert answer.success, answer.message
    assert held(late, 1) == 1
    step(late, 10)
    assert came(late)[0] == '7 at 0.012'


def test_filters_end_with_their_plugin_and_come_back_with_it(late):
    heard = late.collect(Vector3Stamped, '/talker/steps')
    for listed in (f'[{TALKER}]', f'[{TALKER}, {LATE}]'):
        late.set_parameters(MujocoPlugins=listed)
        assert late.trigger('reload').success
        before = len(heard)
        step(late, 1)
        if 'Late' in listed:
            wait_until(lambda: held(late, 0) >= 1, 'held messages')
        else:
            wait_until(lambda before=before: len(heard) > before, 'a message at once')


@pytest.mark.parametrize(('topic', 'said'), [
    ('/talker/nothing', "unknown topic with a publisher of a plugin '/talker/nothing'"),
])  # fmt: skip
def test_an_unknown_topic_is_refused(share, site, topic, said):
    listed = f'[{TALKER}, {{type: filters/Wrong, name: wrong, topic: {topic}}}]'
    base = {'mujoco_xml': PENDULUM, 'MujocoPlugins': '[]', 'compiled_topics': True}
    process, _ = share(base, given={'MujocoPlugins': listed}, **site.environment)
    process.wait_for_output(said)
    assert '/talker/python, /talker/steps' in process.output
