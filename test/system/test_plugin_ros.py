"""What plugins talk ROS by: on threads of their own, and gone when they are."""

from __future__ import annotations

import pytest
from action_msgs.msg import GoalStatus
from deadline import DEADLINE_S
from std_msgs.msg import Float64
from std_srvs.srv import Trigger

from .harness import PENDULUM, answered, answered_goal, wait_until
from .plugin_site import PluginSite

TALKERS = '''
import threading
from concurrent.futures import Future

from std_msgs.msg import Float64
from std_srvs.srv import Trigger

from mujoco_ros_py.plugins import MujocoPlugin


class Talker(MujocoPlugin):
    """Uses all that there is but for actions."""

    def load(self, model, data):
        self.threads = set()
        self.echoes = self.ros.create_publisher(Float64, '~/echo')
        self.ros.create_subscription(Float64, '~/value', self.echo)
        self.ros.create_service(Trigger, '~/slow', self.slow)
        self.ros.create_service(Trigger, '~/step_time', self.step_time)
        self.ros.create_service(Trigger, '~/release', self.release)
        self.ros.create_service(Trigger, '/absolute', self.threads_seen)
        self.ros.create_service(Trigger, '~/broken', self.broken)
        self.ticks = 0
        self.ros.create_timer(0.01, self.tick)

    def echo(self, message):
        self.threads.add(threading.current_thread().name)
        self.echoes.publish(Float64(data=2.0 * message.data))

    def slow(self, request, response):
        """Answers when somebody releases it, and holds nobody up."""
        self.answer = Future()
        self.answer.set_running_or_notify_cancel()
        print('slow is asked', flush=True)
        return self.answer

    def release(self, request, response):
        self.answer.set_result(Trigger.Response(success=True, message='released'))
        return response

    def step_time(self, request, response):
        """What the physics thread says, when it gets to it."""
        answer = Future()

        def done(future):
            answer.set_result(Trigger.Response(success=True, message=f'{future.result():.3f}'))

        self.environment.submit(lambda model, data: data.time).add_done_callback(done)
        return answer

    def threads_seen(self, request, response):
        self.threads.add(threading.current_thread().name)
        response.message = ' '.join(sorted(self.threads)) + f' {self.ticks > 3}'
        return response

    def broken(self, request, response):
        return None

    def tick(self):
        self.ticks += 1


class Blocking(MujocoPlugin):
    """Does not return from its callbacks."""

    def load(self, model, data):
        self.ros.create_subscription(Float64, '~/value', self.block)
        self.node.create_subscription(Float64, '/blocked', self.block, 1)

    def block(self, message):
        threading.Event().wait()
'''
ACTOR = '''
import threading

from tf2_msgs.action import LookupTransform

from mujoco_ros_py.plugins import MujocoPlugin


class Actor(MujocoPlugin):
    """Offers an action."""

    def load(self, model, data):
        self.gate = threading.Event()
        self.ros.create_action_server(
            LookupTransform, '~/look', self.look, goal_callback=lambda goal: goal.target_frame
        )

    def look(self, goal):
        result = LookupTransform.Result()
        if goal.request.source_frame == 'never':
            while not goal.is_cancel_requested:
                if self.gate.wait(0.01):
                    return result
            goal.canceled()
            return result
        result.error.error_string = goal.request.source_frame
        return result
'''
ONE = '[{type: talkers/Talker, name: talker}]'


@pytest.fixture(scope='module')
def site(tmp_path_factory):
    site = PluginSite(tmp_path_factory.mktemp('plugins'))
    site.add_module('talkers', TALKERS)
    site.add_module('actors', ACTOR)
    return site.environment


@pytest.fixture
def talking(share, site):
    """`talking(**given)`: a server with a talker, or with these parameters."""
    parameters = {'mujoco_xml': PENDULUM, 'unpause': False, 'MujocoPlugins': ONE}
    return lambda **given: share(parameters, given=given, **site)


def test_a_name_with_a_tilde_is_the_plugins_own_and_messages_come_on_its_thread(talking):
    _, client = talking()
    echoes = client.collect(Float64, '/talker/echo')
    values = client.node.create_publisher(Float64, '/talker/value', 1)
    wait_until(values.get_subscription_count, 'the plugin subscribes')
    wait_until(lambda: values.publish(Float64(data=1.5)) or echoes, 'an echo')
    assert echoes[0].data == 3.0
    wait_until(
        lambda: client.trigger('/absolute').message == "plugin 'talker' True",
        'all on one thread, the timer too',
    )


def test_a_service_answers_when_its_future_is_done_and_holds_up_no_other(talking):
    process, client = talking()
    # The client may still know the services of the load before, where a request gets lost.
    answered(
        lambda: client.call_async(Trigger, '/talker/step_time', Trigger.Request()),
        'the plugin that was loaded last',
    )
    slow = client.call_async(Trigger, '/talker/slow', Trigger.Request())
    process.wait_for_output('slow is asked')
    assert float(client.trigger('/talker/step_time').message) >= 0.0
    assert client.trigger('reset').success
    assert not slow.done()
    client.trigger('/talker/release')
    wait_until(slow.done, 'the slow answer')
    assert (slow.result().success, slow.result().message) == (True, 'released')


@pytest.mark.slow
def test_what_a_plugin_offers_is_gone_after_a_reload_without_it(talking):
    process, client = talking()
    node, service = client.node, client.node.create_client(Trigger, '/talker/slow')
    wait_until(lambda: node.count_publishers('/talker/echo'), 'the topic')
    wait_until(service.service_is_ready, 'the service')
    talking(MujocoPlugins='[]')
    wait_until(lambda: not node.count_publishers('/talker/echo'), 'no publisher')
    wait_until(lambda: not node.count_subscribers('/talker/value'), 'no subscription')
    wait_until(lambda: not service.service_is_ready(), 'no service')
    assert 'Traceback' not in process.output


@pytest.mark.slow
def test_a_service_that_returns_no_response_takes_its_plugin_out(talking):
    process, client = talking()
    service = client.node.create_client(Trigger, '/talker/slow')
    wait_until(service.service_is_ready, 'the service')
    client.call_async(Trigger, '/talker/broken', Trigger.Request())
    process.wait_for_output('must return Trigger.Response or a future, got NoneType')
    wait_until(lambda: not service.service_is_ready(), 'all of its services go')
    assert client.trigger('reset').success


@pytest.mark.slow
def test_an_action_is_executed_cancelled_rejected_and_aborted_at_the_unload(talking):
    kind = pytest.importorskip('tf2_msgs.action', reason='tf2_msgs is not there').LookupTransform
    process, client = talking(MujocoPlugins='[{type: actors/Actor, name: actor}]')
    actions = client.actions(kind, '/actor/look')
    assert actions.wait_for_server(DEADLINE_S)

    def send(source: str, target: str = 'world'):
        goal = kind.Goal(source_frame=source, target_frame=target)
        return answered_goal(actions, goal)

    def outcome(handle):
        result = handle.get_result_async()
        wait_until(result.done, 'a result')
        return result.result().status, result.result().result.error.error_string

    assert not send('arm', target='').accepted
    assert outcome(send('arm')) == (GoalStatus.STATUS_SUCCEEDED, 'arm')
    waiting, other = send('never'), send('never')
    result = other.get_result_async()  # long before the unload, so that the server has the request
    assert outcome(send('leg')) == (GoalStatus.STATUS_SUCCEEDED, 'leg')
    assert client.trigger('reset').success
    waiting.cancel_goal_async()
    assert outcome(waiting)[0] == GoalStatus.STATUS_CANCELED
    assert client.set_parameters(MujocoPlugins='[]')[0].successful
    assert client.trigger('reload').success
    wait_until(result.done, 'the result of a goal whose plugin has gone', process=process)
    assert result.result().status == GoalStatus.STATUS_ABORTED


@pytest.mark.slow
def test_a_plugin_that_blocks_in_its_callbacks_holds_up_nobody(start, site):
    plugins = '[{type: talkers/Blocking, name: blocking}, {type: talkers/Talker, name: talker}]'
    _, client = start({'mujoco_xml': PENDULUM, 'MujocoPlugins': plugins}, **site)
    values = client.node.create_publisher(Float64, '/blocking/value', 1)
    others = client.node.create_publisher(Float64, '/blocked', 1)
    for publisher in (values, others):
        wait_until(publisher.get_subscription_count, 'the plugin subscribes')
        publisher.publish(Float64())
    wait_until(
        lambda: 'has not returned' in client.diagnostics()['plugin blocking'][1],
        'diagnostics name what blocks',
    )
    assert client.trigger('reset').success
    assert client.trigger('/absolute').success is False
    assert client.trigger('reload').success
