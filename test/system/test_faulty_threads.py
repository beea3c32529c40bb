"""Whatever a plugin raises, or however long it takes, on whichever thread: it alone is out."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from diagnostic_msgs.msg import DiagnosticArray
from nav_msgs.msg import Odometry
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import Image, JointState
from std_msgs.msg import Empty
from std_srvs.srv import Trigger

from .cameras import configs
from .faults import Counts, environment, log_entries, reload_with, with_plugins
from .harness import Client, Process, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures('graphics')]
MOBILE = """
<mujoco>
  <worldbody>
    <light pos="0 -1 3"/>
    <camera name="front" pos="0 -2 0" xyaxes="1 0 0 0 0 1"/>
    <body name="base"><freejoint/><geom size="0.3"/>
      <body name="rod"><joint name="hinge" axis="0 1 0"/><geom size="0.1" pos="0.3 0 0"/></body>
    </body>
  </worldbody>
</mujoco>
"""
TOPICS = {
    '/clock': Clock,
    '/joint_states': JointState,
    '/ground_truth': Odometry,
    '/cameras/front/rgb': Image,
}
RUNNING = ('follower', 'wanted', 'deliver', 'submit', 'timer', 'control_callback')
"""Where a fault is met without being asked for."""
ASKED = ('subscription', 'service', 'reset', 'parameters', 'render_callback')
OWN_WORD = {'raise': 'RuntimeError', 'exit': 'SystemExit', 'interrupt': 'KeyboardInterrupt',
            'generator exit': 'GeneratorExit', 'recurse': 'RecursionError'}  # fmt: skip
Status = tuple[bytes, str, dict[str, str]]


def anywhere(place: str, fault: str, **more: Any) -> dict[str, Any]:
    return {'type': 'faulty/Anywhere', 'name': place, 'place': place, 'fault': fault, **more}


def server(start: Any, *plugins: dict[str, Any]) -> tuple[Process, Client]:
    witnesses = [
        {'type': 'faulty/Witness', 'name': 'first'},
        {'type': 'faulty/CompiledWitness', 'name': 'last'},
        {'type': 'mujoco_ros_py/Odometry', 'name': 'odometry'},
    ]
    parameters = with_plugins(
        *plugins, *witnesses, mujoco_xml=MOBILE, **configs(front={'frequency': 20.0})
    )
    return start(parameters, **environment())


class Topics:
    """What the server publishes all the time."""

    def __init__(self, client: Client) -> None:
        self._came = {
            topic: client.collect(kind, topic, reliable=False) for topic, kind in TOPICS.items()
        }

    def wait_for_more(self, process: Process, by: int = 5) -> None:
        for topic, messages in self._came.items():
            enough = len(messages) + by
            wait_until(lambda: len(messages) >= enough, f'more of {topic}', process=process)  # noqa: B023


class Diagnostics:
    """What the server tells of itself, by the status's name without the node."""

    def __init__(self, client: Client) -> None:
        self._told = client.collect(DiagnosticArray, '/diagnostics')

    def next(self) -> dict[str, Status]:
        count = len(self._told)
        wait_until(lambda: len(self._told) > count, 'diagnostics')
        return {
            status.name.partition(': ')[2]: (
                status.level,
                status.message,
                {pair.key: pair.value for pair in status.values},
            )
            for status in self._told[-1].status
        }

    def wait_for(self, *names: str, wanted: Callable[[bytes, str], Any]) -> dict[str, Status]:
        """Until level and message of all of these are as wanted."""
        while not all(wanted(*(found := self.next())[name][:2]) for name in names):
            assert len(self._told) < 40, found
        return found


@pytest.fixture
def gate(tmp_path: Path) -> Path:
    """What blocks waits until it is opened."""
    os.mkfifo(tmp_path / 'gate')
    return tmp_path / 'gate'


def is_error(level: bytes, message: str) -> bool:
    return level == b'\x02'


def is_ok(level: bytes, message: str) -> bool:
    return level == b'\x00'


def faults(shift: int) -> dict[str, str]:
    """Returns a fault for each place."""
    places = (*RUNNING, *ASKED, 'load', 'unload', 'done')
    kinds = list(OWN_WORD)
    return {place: kinds[(number + shift) % len(kinds)] for number, place in enumerate(places)}


SHIFTS = [1, *(pytest.param(shift, marks=pytest.mark.nightly) for shift in (0, 2, 3, 4))]


@pytest.mark.parametrize('shift', SHIFTS)
def test_whatever_a_plugin_raises_anywhere_takes_it_out_alone(start, shift):
    given = faults(shift)
    process, client = server(start, *(anywhere(place, fault) for place, fault in given.items()))
    topics, diagnostics = Topics(client), Diagnostics(client)
    publisher = client.node.create_publisher(Empty, '/faulty/topic', 1)
    wait_until(publisher.get_subscription_count, 'the plugin subscribes')
    publisher.publish(Empty())
    client.call_async(Trigger, '/faulty/service', Trigger.Request())
    assert client.trigger('reset').success
    assert client.set_parameters(realtime=2.0)[0].successful

    out = (f'plugin {place}' for place in (*RUNNING, *ASKED))
    told = diagnostics.wait_for(*out, wanted=is_error)
    for place in (*RUNNING, *ASKED):
        _, message, values = told[f'plugin {place}']
        assert values['state'] == 'failed'
        assert OWN_WORD[given[place]] in message
        (entry,) = [each for each in log_entries(process) if f"plugin '{place}'" in each]
        assert 'is disabled' in entry
        assert 'faulty/faults.py' in entry, 'with the traceback'
    assert told['plugin load'][2]['state'] == 'refused'
    for name in ('first', 'last', 'odometry', 'unload', 'done'):
        assert told[f'plugin {name}'][2]['state'] == 'loaded'
    assert told['threads'][2]['the executor of the ROS callbacks'] == 'running'
    topics.wait_for_more(process)
    Counts(client, 'first', 'last').wait_for_more()
    assert 'Exception in thread' not in process.output

    assert reload_with(client, {'type': 'mujoco_ros_py/Odometry', 'name': 'odometry'}).success
    assert "plugin 'unload' raised in unload" in process.output
    topics.wait_for_more(process)


def test_a_plugin_that_shuts_rclpy_down_ends_the_server_in_good_order(start):
    process, _ = server(start, anywhere('timer', 'end ROS'))
    assert process.wait() == 1
    assert 'the process ends because some code in it has shut rclpy down' in process.output
    assert 'first unloads' in process.output
    assert 'Exception in thread' not in process.output


@pytest.mark.parametrize(
    ('follow', 'others'),
    [(('follower', 'wanted'), ('timer',)), (('deliver', 'render_callback'), ())],
)
def test_what_follows_or_is_called_by_ros_and_does_not_return_is_named_and_others_go_on(
    start, gate, follow, others
):
    places = (*follow, *others)
    names = [f'plugin {place}' for place in places]
    process, client = server(start, *(anywhere(place, 'wait', gate=str(gate)) for place in places))
    topics, diagnostics = Topics(client), Diagnostics(client)
    for place in places:
        process.wait_for_output(f'{place} waits at the gate')
    told = diagnostics.wait_for(*names, wanted=is_error)
    for name in names:
        assert 'has not returned for' in told[name][1]
    assert told['threads'][2]['the executor of the ROS callbacks'] == 'running'
    assert client.trigger('reset').success
    topics.wait_for_more(process)
    for place in follow:
        process.wait_for_output(f"of plugin '{place}'")
        (entry,) = [e for e in log_entries(process, 'WARN') if f"of plugin '{place}'" in e]
        assert 'has made no progress for' in entry

    gate.write_text('')
    diagnostics.wait_for(*names, 'threads', wanted=is_ok)
    topics.wait_for_more(process)
    assert log_entries(process) == []


def test_a_physics_thread_that_stands_still_is_an_error_with_its_plugin_until_it_goes_on(
    start, gate
):
    process, client = server(start)
    diagnostics = Diagnostics(client)
    for place in ('last_stage_callback', 'submit'):
        assert reload_with(client, anywhere(place, 'wait', gate=str(gate))).success
        name = f'plugin {place}'
        process.wait_for_output(f'{place} waits at the gate')
        told = diagnostics.wait_for('threads', name, wanted=is_error)
        message = told['threads'][1]
        assert 'the physics' in message
        assert f"of plugin '{place}'" in message
        assert 'has made no progress for' in message
        assert is_error(*told['simulation'][:2])

        gate.write_text('')
        diagnostics.wait_for('threads', 'simulation', name, wanted=is_ok)


def test_names_that_are_not_utf_8_reach_all_topics_and_end_none(start, tmp_path):
    model = tmp_path / 'latin.xml'
    for name in ('base', 'hinge', 'front', 'rod'):
        text = MOBILE.replace(f'"{name}"', f'"{name}@"')
        model.write_bytes(text.encode().replace(b'@', b'\xff'))
    listed = [{'type': 'mujoco_ros_py/Transforms', 'name': 'tf', 'rate': 'fast \ud800'}]
    parameters = with_plugins(*listed, mujoco_xml='', modelfile=str(model))
    process, client = start(parameters, **environment())
    joints = client.collect(JointState, '/joint_states')
    assert wait_until(lambda: joints and joints[-1].name, 'joint states', process=process)
    told = Diagnostics(client).next()
    assert is_error(*told['plugin tf'][:2])
    assert r'fast \ud800' in told['plugin tf'][1], 'why it is refused'
    assert told['threads'][2]['the executor of the ROS callbacks'] == 'running'
