"""Everything at once, for as long as it is asked for: the memory of the server stays flat.

A model that is not freed as soon as it is replaced comes to light within a minute.
"""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Callable, Iterator

import pytest
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import Image, JointState

from .cameras import configs, images
from .faults import between_witnesses, environment, plugin_list
from .harness import Client, wait_until
from .test_soak import use_of

pytestmark = [pytest.mark.nightly, pytest.mark.usefixtures('graphics')]
MINUTES = float(os.environ.get('MUJOCO_ROS_PY_SOAK_MINUTES', '1'))
WARM_UP = 0.3
"""Of the time: what is allocated meanwhile is not counted."""
FLAT_MIB = 32.0
"""Between the least and the most: two models of unlike sizes take turns."""
MOBILE = """
<mujoco>
  <asset>
    <texture name="board" type="2d" builtin="checker" width="256" height="256"/>
    <material name="board" texture="board"/>
  </asset>
  <worldbody>
    <light pos="0 -1 3"/>
    <geom type="plane" size="5 5 0.1" material="board"/>
    <camera name="front" pos="0 -2 0.5" xyaxes="1 0 0 0 0.2 1"/>
    <body name="base" pos="0 0 0.2">
      <freejoint/><geom type="box" size="0.2 0.2 0.1"/>
      <camera name="top" pos="0 0 1"/>
      <body name="rod" pos="0 0 0.1">
        <joint name="hinge" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 0.5" size="0.02"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor name="motor" joint="hinge"/></actuator>
</mujoco>
"""
CROWDED = MOBILE.replace(
    '<body name="base"',
    ''.join(
        f'<body pos="{0.3 * n - 3} 2 0.5"><freejoint/><geom type="box" size=".1 .1 .1"/></body>'
        for n in range(20)
    )
    + '<body name="base"',
).replace('width="256" height="256"', 'width="1024" height="1024"')
PLUGINS = plugin_list(
    *between_witnesses('faulty/Compiled'),
    {'type': 'mujoco_ros_py/Transforms', 'name': 'tf', 'root': 'base'},
    {'type': 'mujoco_ros_py/Odometry', 'name': 'odometry', 'publish_tf': True},
)


def load(client: Client, domain: int) -> Iterator[Callable[[], None]]:
    """What users do, one after the other and without end."""

    def visit() -> None:
        visitor = Client(domain)
        came = images(visitor, '/cameras/top/segmented')
        wait_until(lambda: came, 'a segmented image')
        visitor.close()

    def call(name: str) -> None:
        answer = client.trigger(name)
        assert answer.success, answer.message

    def pause() -> None:
        assert client.pause(True).success
        call('step')
        assert client.pause(False).success

    def reload(model: str) -> None:
        assert client.set_parameters(mujoco_xml=model)[0].successful
        call('reload')

    work = [pause, *[lambda: call('reset')] * 5, lambda: client.set_parameters(realtime=2.0)]
    work += [lambda: reload(CROWDED), *[lambda: call('reset')] * 5, lambda: reload(MOBILE)]
    work += [lambda: client.set_parameters(realtime=1.0), visit]
    return itertools.cycle(work)


def test_memory_is_flat_while_all_is_asked_of_the_server(start, domain, record_property):
    config = {'stream_type': 7, 'frequency': 30.0, 'width': 320, 'height': 240, 'compressed': True}
    parameters = {
        'mujoco_xml': MOBILE,
        'MujocoPlugins': PLUGINS,
        **configs(front=config, top=config),
    }
    process, client = start(parameters, **environment())
    counts = dict.fromkeys(('/joint_states', '/cameras/front/rgb', '/cameras/top/depth'), 0)

    def count(topic: str) -> Callable[[object], None]:
        def more(message: object) -> None:
            counts[topic] += 1

        return more

    for topic in counts:
        kind = JointState if topic == '/joint_states' else Image
        client.node.create_subscription(kind, topic, count(topic), qos_profile_sensor_data)
    begin = time.monotonic()
    curve: list[float] = []
    every: list[float] = []
    before = dict(counts)
    for number, work in enumerate(load(client, domain)):
        work()
        every.append(use_of(process.pid).memory_mib)
        passed = (time.monotonic() - begin) / 60.0
        if passed >= (len(curve) + 1) * max(MINUTES / 20, 0.2):
            use = use_of(process.pid)
            curve.append(use.memory_mib)
            print(f'{passed:.1f} min, {number} calls: {use}', counts, flush=True)
            assert all(counts[topic] > before[topic] for topic in counts), (before, counts)
            before = dict(counts)
        if passed >= MINUTES:
            break
    record_property('figure', ' '.join(f'{memory:.0f}' for memory in curve))
    warm = every[int(WARM_UP * len(every)) :]
    assert max(warm) - min(warm) < FLAT_MIB, curve
