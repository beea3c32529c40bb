from __future__ import annotations

import time

import pytest
from rcl_interfaces.srv import DescribeParameters
from rclpy.parameter import parameter_value_to_python
from rosgraph_msgs.msg import Clock

from mujoco_ros_py.config import ServerConfig, parameters_of

from .harness import PENDULUM, seconds, wait_until

# name: whether it is fixed after the start, its lowest value, what is said of its range
CONTRACT = {
    'modelfile': (False, None, ''),
    'mujoco_xml': (False, None, ''),
    'engine_plugins': (True, None, ''),
    'model_modules': (True, None, ''),
    'http_hosts': (True, None, ''),
    'trust_network': (True, None, ''),
    'model_guard': (True, None, ''),
    'model_memory_limit': (True, 64, 'at least 64 and at most 1000000 MiB'),
    'model_time_limit': (True, 0.1, 'at least 0.1 and at most 86400 s'),
    'step_time_limit': (True, -1, '-1 or at least 0 and at most 86400 s'),
    'command_limit': (True, 0, 'at least 0'),
    'unpause': (True, None, ''),
    'realtime': (False, -1, '-1 or at least 0.01'),
    'update_in_pause': (True, None, ''),
    'time_after_reset': (True, None, 'one of restart, continue'),
    'busy_wait': (True, 0, 'at least 0 and at most 0.01 s'),
    'thread_priority': (True, 0, 'at least 0 and at most 99'),
    'cpu_affinity': (True, None, 'at least 0 and at most 8191'),
    'lock_memory': (True, None, ''),
    'num_steps': (True, -1, '-1 or at least 1 steps'),
    'headless': (True, None, ''),
    'viewer': (True, None, 'one of none, web'),
    'viewer_port': (True, 0, 'at least 0 and at most 65535'),
    'render_offscreen': (True, None, ''),
    'render_backend': (True, None, 'one of auto, egl, osmesa'),
    'render_shadows': (True, None, ''),
    'render_reflections': (True, None, ''),
    'render_samples': (True, 0, 'at least 0 and at most 16'),
    'frame_prefix': (True, None, ''),
    'eval_mode': (True, None, ''),
    'admin_hash': (False, None, ''),
    'clock_rate': (True, 0, 'greater than 0 and at most 10000 Hz'),
    'compiled_topics': (True, None, ''),
    'lockstep_period': (True, 0, '0 or at least 1e-06 and at most 3600 s'),
    'lockstep_topics': (True, None, ''),
    'lockstep_timeout': (True, 0, '0 or at least 0.001 and at most 86400 s'),
    'lockstep_match': (True, None, 'one of stamp, arrival'),
    'lockstep_on_timeout': (True, None, 'one of pause, continue'),
    'joint_states_rate': (True, 0, 'at least 0 and at most 10000 Hz'),
    'report_interval': (True, 0, '0 or at least 0.1 and at most 86400 s'),
    'root_services': (True, None, ''),
    'spawnables': (False, None, ''),
    'named_poses': (False, None, ''),
    'worlds': (False, None, ''),
    'strict': (False, None, ''),
    'strict_options': (False, None, ''),
    'reload_modules': (False, None, ''),
    'boundscheck': (False, None, ''),
    'MujocoPlugins': (False, None, ''),
    'initial_joint_positions.joint_map.hinge': (False, None, ''),
    'initial_joint_velocities.joint_map.hinge': (False, None, ''),
    'cam_config.eye.width': (False, None, 'at least 0 and at most 65536 pixels'),
}
GIVEN = {
    'mujoco_xml': PENDULUM,
    'unpause': False,
    'MujocoPlugins': '[]',
    'initial_joint_positions.joint_map.hinge': 0.5,
    'initial_joint_velocities.joint_map.hinge': 0.5,
    'cam_config.eye.width': 32,
}


@pytest.fixture
def client(share):
    """The client of a paused server."""
    return share(GIVEN, reload=False)[1]


@pytest.mark.slow
def test_every_parameter_is_described_by_a_sentence_and_its_range(client):
    assert set(parameters_of(ServerConfig)) <= set(CONTRACT)

    request = DescribeParameters.Request(names=list(CONTRACT))
    answer = client.call(DescribeParameters, 'describe_parameters', request)

    assert [descriptor.name for descriptor in answer.descriptors] == list(CONTRACT)
    for descriptor in answer.descriptors:
        read_only, low, rule = CONTRACT[descriptor.name]
        assert len(descriptor.description.split()) > 3, descriptor
        assert descriptor.description.endswith('.'), descriptor
        assert descriptor.read_only == read_only, descriptor
        assert descriptor.additional_constraints == rule, descriptor
        ranges = [*descriptor.floating_point_range, *descriptor.integer_range]
        assert [each.from_value for each in ranges] == ([] if low is None else [low]), descriptor


def test_bad_values_at_run_time_are_rejected_with_the_reason(client):
    for value, reason in {
        0.001: 'realtime must be -1 or at least 0.01, got 0.001',
        -2.0: 'realtime',
        float('inf'): 'realtime',
        'fast': 'realtime must be a number, got a string',
    }.items():
        (result,) = client.set_parameters(realtime=value)
        assert not result.successful
        assert reason in result.reason
    for value, kind in ((3, 'a whole number'), (0.5, 'a number')):
        (result,) = client.set_parameters(mujoco_xml=value)
        assert not result.successful
        assert f'must be a string, got {kind}' in result.reason
    assert client.get_parameter('realtime').double_value == 1.0


@pytest.mark.slow
def test_what_is_read_at_the_start_or_not_known_cannot_be_set_later(client):
    now = client.all_parameters()
    fixed = {
        name: parameter_value_to_python(now[name])
        for name, (read_only, *_) in CONTRACT.items()
        if read_only
    }
    for name, result in zip(fixed, client.set_parameters(**fixed), strict=True):
        assert not result.successful, name
        assert f'read-only parameter: {name}' in result.reason

    (result,) = client.set_parameters(realtiem=2.0)
    assert not result.successful
    assert result.reason == "unknown parameter 'realtiem' (did you mean 'realtime'?)"


@pytest.mark.slow
def test_realtime_takes_effect_while_the_simulation_runs(client):
    messages = client.collect(Clock, '/clock', reliable=False)
    assert client.pause(False).success

    def factor(simulated_s: float) -> float:
        """Simulated per wall second over so much simulated time."""
        count = len(messages)
        wait_until(lambda: len(messages) > count + 1, 'the pace')
        begin_s, begin = seconds(messages[-1].clock), time.monotonic()
        wait_until(lambda: seconds(messages[-1].clock) > begin_s + simulated_s, 'simulated time')
        return (seconds(messages[-1].clock) - begin_s) / (time.monotonic() - begin)

    for realtime, simulated_s in (0.2, 0.1), (-1.0, 50.0), (3.0, 1.5), (1.0, 0.5):
        assert client.set_parameters(realtime=realtime)[0].successful

        def fits(asked: float = realtime, over_s: float = simulated_s) -> bool:
            """A busy machine may give up time now and then."""
            found = factor(over_s)
            return found > 10 if asked == -1.0 else found == pytest.approx(asked, rel=0.2)

        wait_until(fits, f'realtime {realtime}')
