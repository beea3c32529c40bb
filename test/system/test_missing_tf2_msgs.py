"""A server in whose Python tf2_msgs cannot be imported, as where only PyPI's packages are."""

from __future__ import annotations

import os
import re

import pytest

pytest.importorskip('nav_msgs.msg', reason='nav_msgs is not installed')

from nav_msgs.msg import Odometry

from .cameras import configs, images, wait_for_more
from .faults import log_entries

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures('graphics')]
DRONE = """
<mujoco>
  <option timestep="0.002" gravity="0 0 0"/>
  <worldbody>
    <camera name="front" pos="0 -2 0" xyaxes="1 0 0 0 0 1"/>
    <camera name="chase" mode="trackcom" pos="0 -2 0" xyaxes="1 0 0 0 0 1"/>
    <body name="drone">
      <freejoint/>
      <geom size="0.3"/>
      <body name="rotor" pos="0 0 0.3"><joint axis="0 0 1"/><geom size="0.1"/></body>
      <body name="mast" pos="0 0 0.5"><geom size="0.1"/></body>
    </body>
  </worldbody>
</mujoco>
"""
PLUGINS = """
[{type: mujoco_ros_py/Odometry, publish_tf: true},
 {type: mujoco_ros_py/Transforms, root: drone}]
"""


@pytest.fixture
def without_tf2_msgs(tmp_path) -> dict[str, str]:
    """The environment of a server that cannot import it."""
    hides = tmp_path / 'hides'
    hides.mkdir()
    (hides / 'sitecustomize.py').write_text("import sys\nsys.modules['tf2_msgs'] = None\n")
    before = filter(None, [os.environ.get('PYTHONPATH')])
    return {'PYTHONPATH': os.pathsep.join([str(hides), *before])}


def test_without_tf2_msgs_all_but_transforms_comes_and_one_warning_says_how_to_get_it(
    start, without_tf2_msgs
):
    fast = {'frequency': 50.0}
    parameters = {'mujoco_xml': DRONE, 'MujocoPlugins': PLUGINS}
    cameras = configs(front=fast, chase=fast)
    process, client = start({**parameters, **cameras}, **without_tf2_msgs)
    came = [
        client.collect(Odometry, 'odom'),
        images(client, '/cameras/front/rgb'),
        images(client, '/cameras/chase/rgb'),
    ]
    for reloads in range(3):
        if reloads:
            assert client.trigger('reload').success
        for messages in came:
            wait_for_more(messages, process=process)
    assert process.output.count('2 of 2 plugins ready') == 3, process.output
    missing = 'tf2_msgs is not installed: no transforms are published'
    (warning,) = [entry for entry in log_entries(process, 'WARN') if missing in entry]
    assert 'tf2-msgs' in warning
    assert re.search(r' by: /\S+ /\S+/interfaces/install.py', warning)
    assert log_entries(process) == []
    assert 'Traceback' not in process.output
    assert [client.node.count_publishers(topic) for topic in ('/tf', '/tf_static')] == [0, 0]
