"""The quality of service of the topics as users override it, and the parameters that show it."""

from __future__ import annotations

from contextlib import closing

import pytest
from rclpy.qos import (
    DurabilityPolicy,
    QoSProfile,
    ReliabilityPolicy,
    qos_profile_sensor_data,
)
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64
from std_srvs.srv import Trigger

from .harness import PENDULUM, Client, refusal_at_start, wait_until
from .plugin_site import PluginSite
from .qos import (
    EVERYTHING,
    LATCHED,
    ROVER,
    TFMessage,
    all_shown,
    heard,
    mismatches,
    offered,
    shown,
)

pytestmark = pytest.mark.slow


@pytest.mark.usefixtures('graphics')
def test_overrides_hold_after_a_reload_too(start):
    states, images = 'qos_overrides./joint_states.publisher', 'qos_overrides./cameras/eye/rgb'
    _, client = start({
        **EVERYTHING,
        f'{states}.reliability': 'best_effort',
        f'{states}.lifespan': 2_000_000_000,
        f'{images}.publisher.reliability': 'reliable',
        f'{images}.publisher.depth': 1,
    })  # fmt: skip
    for reload in (False, True):
        assert not reload or client.trigger('reload').success
        wait_until(lambda: len(offered(client, '/joint_states')) == 1, 'the end of the old one')
        (profile,) = offered(client, '/joint_states')
        assert profile.reliability == ReliabilityPolicy.BEST_EFFORT
        assert profile.lifespan.nanoseconds == 2_000_000_000
        assert shown(client, '/joint_states') == {
            'history': 'keep_last',
            'depth': 10,
            'reliability': 'best_effort',
            'durability': 'volatile',
            'lifespan': 2_000_000_000,
        }
        assert shown(client, '/cameras/eye/rgb')['depth'] == 1
        assert shown(client, '/cameras/eye/depth')['depth'] == 5
        reliabilities = {each.reliability for each in offered(client, '/cameras/eye/rgb')}
        assert reliabilities == {ReliabilityPolicy.RELIABLE}
    refused = mismatches(client, JointState, '/joint_states', QoSProfile(depth=10))
    wait_until(lambda: refused, 'a default subscriber of joint states is refused')


OVERRIDDEN = {
    'mujoco_xml': ROVER.replace(
        '</mujoco>', '<actuator><motor joint="hinge"/></actuator></mujoco>'
    ),
    'render_offscreen': False,
    'MujocoPlugins': '[{type: mujoco_ros_py/Odometry, publish_tf: true},'
    ' {type: mujoco_ros_py/JointController, name: arm}]',
    'qos_overrides./tf_static.publisher.depth': 3,
    'qos_overrides./arm/joint_commands.subscription.reliability': 'best_effort',
    'qos_overrides./joint_statse.publisher.depth': 3,
    'qos_overrides./joint_statse.publisher.reliability': 'reliable',
}


def test_the_depth_that_overrides_is_what_a_latched_topic_keeps(share):
    _, client = share(OVERRIDDEN)
    early = heard(client, TFMessage, '/tf_static', LATCHED)
    for count in range(2, 6):  # one message is that of the load
        assert client.trigger('reset').success
        wait_until(lambda n=count: len(early) >= n, f'{count} messages')
    late = heard(client, TFMessage, '/tf_static', LATCHED)
    wait_until(lambda: len(late) >= 3, 'what is kept')
    assert client.trigger('reset').success
    wait_until(lambda: len(early) == 6 and len(late) > 3, 'the message of the last reset')
    assert len(late) == 4


def test_an_override_of_a_subscription_is_heard_by_its_publishers(share):
    _, client = share(OVERRIDDEN, reload=False)
    best_effort = client.node.create_publisher(
        JointState, '/arm/joint_commands', qos_profile_sensor_data
    )
    wait_until(best_effort.get_subscription_count, 'the subscription')
    assert shown(client, '/arm/joint_commands', 'subscription')['reliability'] == 'best_effort'


def test_a_wrong_override_ends_the_start(tmp_path, domain):
    name = 'qos_overrides./joint_states.publisher.dpeth'
    refusal = refusal_at_start(tmp_path, domain, {name: 1})
    assert refusal.startswith(f'mujoco_server: {name}')
    assert "unknown policy of a publisher 'dpeth' (did you me" in refusal


def test_an_override_of_a_misspelt_topic_is_told_once(share):
    process, client = share(OVERRIDDEN, reload=False)
    said = (
        'qos_overrides./joint_statse.publisher has no effect: unknown topic of a publisher '
        "'/joint_statse' (did you mean '/joint_states'?); known: "
    )
    process.wait_for_output(said)
    assert client.trigger('reload').success
    assert process.output.count('has no effect') == 1


def test_what_is_read_at_the_start_is_refused_later_with_this_reason(share):
    _, client = share(OVERRIDDEN, reload=False)
    for name, reason in (
        ('qos_overrides./joint_states.publisher.depth', 'read-only'),
        ('qos_overrides./other.publisher.depth', 'is only read at startup'),
    ):
        (result,) = client.set_parameters(**{name: 3})
        assert not result.successful
        assert reason in result.reason
    assert shown(client, '/joint_states')['depth'] == 10


TALKER = '''
from std_msgs.msg import Float64

from mujoco_ros_py.plugins.topic_qos import COMMANDS
from mujoco_ros_py.plugins import MujocoPlugin


class Talker(MujocoPlugin):
    """Makes a topic in each way."""

    def load(self, model, data):
        self.echoes = self.ros.create_publisher(Float64, '~/echo')
        self.ros.create_subscription(Float64, '~/value', self.echo, COMMANDS)
        self.others = self.node.create_publisher(Float64, '/other', self.config['depth'])

    def echo(self, message):
        self.echoes.publish(message)
'''


def talker(depth: int) -> str:
    return f'[{{type: talkers/Talker, name: talker, depth: {depth}}}]'


@pytest.fixture(scope='module')
def site(tmp_path_factory) -> PluginSite:
    site = PluginSite(tmp_path_factory.mktemp('plugins'))
    site.add_module('talkers', TALKER)
    return site


def test_overrides_are_for_the_topics_of_plugins_too_and_parameters_come_and_go(start, site):
    given = {
        'qos_overrides./talker/echo.publisher.reliability': 'best_effort',
        'qos_overrides./talker/value.subscription.reliability': 'best_effort',
        'qos_overrides./other.publisher.durability': 'transient_local',
    }
    _, client = start(
        {'mujoco_xml': PENDULUM, 'MujocoPlugins': talker(4), **given}, **site.environment
    )
    values = client.node.create_publisher(Float64, '/talker/value', qos_profile_sensor_data)
    echoes = heard(client, Float64, '/talker/echo', qos_profile_sensor_data)
    wait_until(lambda: values.publish(Float64(data=1.5)) or echoes, 'an echo')
    (profile,) = offered(client, '/other')
    assert profile.durability == DurabilityPolicy.TRANSIENT_LOCAL
    assert shown(client, '/other')['depth'] == 4

    names = all_shown(client)
    for turn in range(5, 7):
        assert client.set_parameters(MujocoPlugins=talker(turn))[0].successful
        assert client.trigger('reload').success
        assert shown(client, '/other')['depth'] == turn
        assert all_shown(client) == names, 'they do not pile up'
    assert client.set_parameters(MujocoPlugins='[]')[0].successful
    assert client.trigger('reload').success
    left = all_shown(client)
    assert left == [name for name in names if 'talker' not in name and '/other' not in name]
    assert left


def test_a_command_that_a_new_publisher_sends_at_once_and_once_is_not_lost(share, site):
    """A best-effort subscription loses about a quarter of them, as DDS connects one side first."""
    _, client = share({'mujoco_xml': PENDULUM, 'MujocoPlugins': talker(4)}, **site.environment)
    echoes = client.collect(Float64, '/talker/echo')
    first = client.node.create_publisher(Float64, '/talker/value', 10)
    wait_until(lambda: first.publish(Float64(data=-1.0)) or echoes, 'the first echo')
    for number in range(20):
        publisher = client.node.create_publisher(Float64, '/talker/value', 10)
        wait_until(publisher.get_subscription_count, 'the subscription')
        publisher.publish(Float64(data=float(number)))
        wait_until(lambda n=number: n in [each.data for each in echoes], f'echo {number}')


def test_parameters_are_listed_while_reloads_make_the_topics_anew(share, site):
    process, client = share(
        {'mujoco_xml': PENDULUM, 'MujocoPlugins': talker(4)}, **site.environment
    )
    domain = client.node.context.get_domain_id()
    names, reloads, asked = set(all_shown(client)), [], 0
    with closing(Client(domain)) as other:
        while len(reloads) < 8:
            reloads.append(other.call_async(Trigger, 'reload', Trigger.Request()))
            while not reloads[-1].done():
                assert set(all_shown(client)) <= names
                asked += 1
    assert asked > len(reloads)
    assert all(reload.result().success for reload in reloads)
    assert set(all_shown(client)) == names
    assert 'a ROS callback raised' not in process.output
