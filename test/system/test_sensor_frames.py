"""The frames of sensors on /tf_static: who publishes them, and how often."""

from __future__ import annotations

import json

import pytest

from .harness import wait_until
from .plugin_site import PluginSite

TFMessage = pytest.importorskip('tf2_msgs.msg', reason='tf2_msgs is not installed').TFMessage

pytestmark = pytest.mark.slow

ROBOT = """
<mujoco>
  <worldbody>
    <body name="head" pos="0 0 1">
      <freejoint/><geom name="skull" size="0.1"/>
      <site name="left" pos="0 0.1 0"/><site name="right" pos="0 -0.1 0"/><site name="head"/>
    </body>
  </worldbody>
</mujoco>
"""
EARS = '''
from std_msgs.msg import Header
from geometry_msgs.msg import PointStamped
import mujoco
from mujoco_ros_py.builtin.sensors import SensorConfig, SensorPlugin
from mujoco_ros_py.plugins import compiled


class Ears(SensorPlugin[SensorConfig]):
    """Has a topic at each ear."""

    def load(self, model, data):
        super().load(model, data)
        self.new_topic('right', self.fill, lambda frames: self.at('right', frames), [])

    def describe(self, model, frames):
        self.sites = {name: model.site(name).id for name in ('left', 'right')}
        return self.at('left', frames)

    def at(self, name, frames):
        frame = frames.of(mujoco.mjtObj.mjOBJ_SITE, self.sites[name])
        return PointStamped(header=Header(frame_id=frame)), {}

    @staticmethod
    @compiled
    def fill(state, model, data, message):
        message.point.x = data.time
'''


def imu(name: str, site: str, **config) -> dict:
    return {'type': 'mujoco_ros_py/Imu', 'name': name, 'site': site, **config}


def frames(client, wanted: set[str]) -> dict[str, list[str]]:
    """Returns the parents of each frame, one for each time that it was published."""
    came = client.collect(TFMessage, '/tf_static', latched=True)

    def told() -> list[tuple[str, str]]:
        pairs = [each for message in tuple(came) for each in message.transforms]
        return [(each.child_frame_id, each.header.frame_id) for each in pairs]

    wait_until(lambda: wanted <= {child for child, _ in told()}, f'{wanted}')
    client.diagnostics()  # after which all that was published before has come
    return {child: [parent for each, parent in told() if each == child] for child, _ in told()}


def test_of_sensors_that_share_a_site_one_publishes_its_frame_unless_it_is_left_to_others(start):
    plugins = [
        imu('one', 'left'),
        imu('other', 'left'),
        imu('elsewhere', 'right', publish_tf=False),
        imu('third', 'head'),
    ]
    _, client = start({'mujoco_xml': ROBOT, 'MujocoPlugins': json.dumps(plugins)})
    told = frames(client, {'left', 'head_site'})
    assert told == {'left': ['head'], 'head_site': ['head']}, 'a body has the name of the site'


def test_a_topic_that_a_sensor_of_ones_own_adds_has_its_frame_published(start, tmp_path):
    site = PluginSite(tmp_path)
    site.add_module('ears', EARS)
    plugins = '[{type: ears/Ears, name: ears}]'
    _, client = start({'mujoco_xml': ROBOT, 'MujocoPlugins': plugins}, **site.environment)
    assert frames(client, {'left', 'right'}) == {'left': ['head'], 'right': ['head']}
