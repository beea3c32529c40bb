"""What a reload says of plugins that are not ready, and what `strict` makes of them."""

from __future__ import annotations

from typing import Any

import pytest
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64

from .cameras import first, images
from .harness import PENDULUM, server_process, wait_until
from .plugin_site import PluginSite, as_text, data_of, plugin

pytestmark = pytest.mark.slow

BROKEN = [
    (plugin('Caller', 'two', refusal='raises'), 'two: refused to load: RuntimeError: there is no'),
    (plugin('Caller', 'two', refusal='returns False'), 'two: refused to load'),
    ({'type': 'recording/Caler', 'name': 'two'}, 'two: cannot be constructed: PluginError: un'),
    ({'name': 'two'}, "MujocoPlugins[1]: must have a 'type', got only: name"),
]


@pytest.fixture
def site(tmp_path):
    return PluginSite(tmp_path)


def test_a_reload_says_how_many_are_ready_and_why_not_the_others(start, site):
    one = plugin('Caller', 'one')
    parameters = {'mujoco_xml': PENDULUM, 'MujocoPlugins': as_text(one), 'unpause': False}
    _, client = start(parameters, **site.environment)
    answer = client.trigger('reload')
    assert (answer.success, answer.message) == (True, 'reloaded; 1 of 1 plugins ready')
    for broken, reason in BROKEN:
        client.set_parameters(MujocoPlugins=as_text(one, broken))
        answer = client.trigger('reload')
        assert answer.success
        assert answer.message.startswith(f'reloaded; 1 of 2 plugins ready; {reason}')


@pytest.mark.parametrize(('broken', 'reason'), BROKEN[1:3])
def test_with_strict_a_plugin_that_is_not_ready_fails_the_start(
    tmp_path, domain, site, broken, reason
):
    plugins = as_text(plugin('Recorder', 'one'), broken)
    parameters = {'mujoco_xml': PENDULUM, 'MujocoPlugins': plugins, 'strict': True}
    process = server_process(tmp_path, domain, parameters, **site.environment)
    try:
        assert process.wait() == 2
    finally:
        process.kill()
    (said,) = [line for line in process.lines if line.startswith('mujoco_server: ')]
    assert f'strict is true, and not every plugin is ready: {reason}' in said
    assert site.names('load', 'unload') in ([], ['load one', 'load two', 'unload one'])


def test_with_strict_a_reload_is_taken_back_and_the_old_ones_run_on(start, site):
    old = [plugin('Probe', 'probe'), plugin('Recorder', 'keeper')]
    parameters = {
        'mujoco_xml': PENDULUM,
        'MujocoPlugins': as_text(*old),
        'strict': True,
        'unpause': False,
        'initial_joint_velocities.joint_map.hinge': 1.0,
    }
    _, client = start(parameters, **site.environment)
    assert all(client.trigger('step').success for _ in range(3))
    other = PENDULUM.replace('0.002', '0.5').replace('"rod"', '"other"')
    client.set_parameters(mujoco_xml=other)

    def reload_with(broken: dict[str, Any], reason: str) -> None:
        new = as_text(old[0], plugin('Recorder', 'new'), broken)
        client.set_parameters(MujocoPlugins=new)
        answer = client.trigger('reload')
        assert not answer.success
        assert answer.message.startswith('strict is true, and not every plugin is ready: ')
        assert reason.removeprefix('MujocoPlugins[1]') in answer.message

    before = data_of(client)
    for broken, reason in BROKEN:
        reload_with(broken, reason)
        assert data_of(client) == before
    client.trigger('step')
    assert data_of(client).time == pytest.approx(before.time + 0.002)
    assert client.pause(False).success
    before = data_of(client)
    reload_with(*BROKEN[0])
    assert data_of(client).time > before.time
    states = client.collect(JointState, '/joint_states')
    wait_until(lambda: len(states) > 2, 'joint states')
    statuses = client.diagnostics()
    assert (statuses['simulation'][2]['loads'], statuses['plugin probe'][1]) == ('1', 'loaded')
    assert 'plugin new' not in statuses
    assert 'unload keeper' not in site.names('unload')

    client.set_parameters(MujocoPlugins=as_text(*old))
    assert client.trigger('reload').message == 'reloaded; 2 of 2 plugins ready'
    assert site.names('unload')[-1] == 'unload keeper'


FOLLOWER = '''
from std_msgs.msg import Float64

from mujoco_ros_py.plugins import MujocoPlugin


class Follower(MujocoPlugin):
    """Publishes what it sees of its model, and its own count of calls."""

    def load(self, model, data):
        self.model, self.calls = model, 0
        self.publisher = self.node.create_publisher(Float64, self.config['topic'], 10)
        self.environment.submit(self.spoil)
        self.follower = self.environment.follow(200.0, self.publish)
        if self.config.get('refuse'):
            raise RuntimeError('no')

    def spoil(self, model, data):
        assert model is self.model, 'of another load'
        data.qvel[0] = self.config['speed']

    def publish(self, snapshot):
        assert snapshot.model is self.model, 'of another load'
        self.calls += 1
        self.publisher.publish(Float64(data=float(self.calls)))

    def unload(self):
        self.follower.close()
        self.node.destroy_publisher(self.publisher)
'''


def test_what_follows_and_what_was_submitted_belong_to_one_load(start, site):
    site.add_module('followers', FOLLOWER)

    def listed(**config):
        return as_text({'type': 'followers/Follower', 'name': 'f', 'topic': '/calls', **config})

    free = PENDULUM.replace('<option', '<option gravity="0 0 0"')
    parameters = {'mujoco_xml': free, 'MujocoPlugins': listed(speed=0.5), 'strict': True}
    process, client = start(parameters, **site.environment)
    calls = client.collect(Float64, '/calls')
    states = client.collect(JointState, '/joint_states')
    wait_until(lambda: calls and calls[-1].data > 20, 'calls')
    for _ in range(5):
        client.set_parameters(MujocoPlugins=listed(speed=7.0, refuse=True))
        assert not client.trigger('reload').success
    count = len(calls)
    wait_until(lambda: len(calls) > count + 20, 'more calls')
    numbers = [message.data for message in calls]
    assert numbers == sorted(numbers), 'one and the same follower all the time'
    wait_until(lambda: len(states) > 5, 'joint states')
    assert all(abs(state.velocity[0]) < 0.6 for state in states)
    assert 'of another load' not in process.output

    client.set_parameters(MujocoPlugins=listed(speed=2.0))
    assert client.trigger('reload').success
    wait_until(lambda: states[-1].velocity[0] == pytest.approx(2.0), 'the new speed')
    assert 'of another load' not in process.output


SEEN = PENDULUM.replace('<worldbody>', '<worldbody><camera name="eye" pos="0 -2 1"/>')


@pytest.mark.usefixtures('graphics')
def test_cameras_go_on_after_a_reload_that_was_taken_back(start, site):
    bad = plugin('Caller', 'bad', refusal='raises')
    cameras = {'type': 'mujoco_ros_py/Cameras'}
    parameters = {'mujoco_xml': SEEN, 'strict': True, 'MujocoPlugins': as_text(cameras)}
    _, client = start({**parameters, 'cam_config.eye.width': 32}, **site.environment)
    came = images(client, '/cameras/eye/rgb')
    first(came)
    client.set_parameters(MujocoPlugins=as_text(cameras, bad))
    assert not client.trigger('reload').success
    count = len(came)
    wait_until(lambda: len(came) > count + 5, 'more images')
    client.set_parameters(MujocoPlugins=as_text(cameras))
    assert client.trigger('reload').success
    count = len(came)
    wait_until(lambda: len(came) > count + 5, 'images of the new load')
