"""Messages of plugins can be read in a session without ROS, at any time and on any thread."""

from __future__ import annotations

import logging

import pytest

from mujoco_ros_py.errors import PluginError
from mujoco_ros_py.plugins import MujocoPlugin, compiled, new_state, ros_type
from mujoco_ros_py.session import Session
from mujoco_ros_py.session.batch import Batch

PENDULUM = """
<mujoco>
  <worldbody>
    <body>
      <joint name="hinge" axis="0 1 0"/>
      <geom size="0.1" pos="0 0 -1"/>
      <site name="bob"/>
    </body>
  </worldbody>
</mujoco>
"""
FluidPressure = ros_type('sensor_msgs/msg/FluidPressure')
IMU = {'type': 'mujoco_ros_py/Imu', 'name': 'imu', 'site': 'bob'}
LIVELY = {**IMU, 'noise': {'angular_velocity': {'stddev': 0.1}}}


class Gauge(MujocoPlugin):
    """Publishes its count of readings, which only its copies change; fails on request."""

    def load(self, model, data):
        self.state = new_state(count=7, fails=False)
        self.pressure = self.ros.create_compiled_publisher(
            FluidPressure, '~/pressure', self.fill, rate_hz=50.0, state=self.state
        )
        self.words = self.ros.create_publisher(FluidPressure, '~/words')
        self.words.publish(FluidPressure())

    @staticmethod
    @compiled
    def fill(state, model, data, message):
        state.count += 1
        if state.fails:
            raise ValueError('it leaks')
        message.fluid_pressure = state.count + data.time
        return data.time < 1.0


class Reader(MujocoPlugin):
    """Reads a sensor in its callback, on the physics thread, during a step."""

    def control_callback(self, model, data):
        self.read = self.environment.plugin('imu').measure()
        self.speed = data.qvel[0]


@pytest.fixture
def session():
    with Session(mujoco_xml=PENDULUM, plugins=[Gauge]) as made:
        yield made


def test_a_message_is_of_the_moment_and_filled_with_a_copy_of_the_state(session):
    gauge = session.plugins['gauge']
    assert gauge.pressure.read().fluid_pressure == 8.0
    session.step(50)
    message = gauge.pressure.read()
    assert message.fluid_pressure == pytest.approx(8.1)
    assert (message.header.stamp.sec, message.header.stamp.nanosec) == (0, 100_000_000)
    assert gauge.state.count == 7


def test_what_a_function_leaves_out_is_none_and_what_it_raises_takes_the_plugin_out(session):
    gauge = session.plugins['gauge']
    session.step(500)
    assert gauge.pressure.read() is None
    gauge.state.fails = True
    for _ in range(2):
        with pytest.raises(PluginError, match='/gauge/pressure: fill raised ValueError: it leaks'):
            gauge.pressure.read()
    assert session.problems == ['gauge: fill (topic /gauge/pressure) raised ValueError: it leaks']


def test_nothing_is_read_of_plugins_that_are_unloaded(session):
    gauge = session.plugins['gauge']
    gauge.pressure.read()
    session.reload()
    with pytest.raises(PluginError, match="plugin 'gauge' has failed or is unloaded"):
        gauge.pressure.read()


def test_mistakes_of_publishing_are_found_without_ros(session):
    ros = session.plugins['gauge'].ros
    for options, text in (
        ({'rate_hz': 0.0}, 'rate_hz must be > 0'),
        ({'rate_hz': 1.0, 'derived': 'all'}, 'derived must be one of state, poses, sensors'),
        ({'rate_hz': 1.0, 'template': 5}, 'template must be a FluidPressure, got 5'),
    ):
        with pytest.raises(PluginError, match=text):
            ros.create_compiled_publisher(FluidPressure, 'x', Gauge.fill, **options)
    with pytest.raises(PluginError, match='fill must be marked @compiled'):
        ros.create_compiled_publisher(FluidPressure, 'x', print, rate_hz=1.0)


def test_a_function_is_refused_by_the_method_for_the_other_kind_without_ros(session):
    ros = session.plugins['gauge'].ros
    with pytest.raises(PluginError, match='create_compiled_subscription accepts'):
        ros.create_subscription(FluidPressure, 'x', Gauge.fill)
    with pytest.raises(PluginError, match='x: callback must be marked @compiled, got <built-in'):
        ros.create_compiled_subscription(FluidPressure, 'x', print)


def test_who_has_borrowed_the_steps_reads_on_that_thread():
    with Session(mujoco_xml=PENDULUM, plugins=[IMU]) as session, session.lend() as loan:
        sensor = session.plugins['imu']
        outside, inside = sensor.measure(), loan.call(lambda model, data: sensor.measure())
        assert inside.linear_acceleration == outside.linear_acceleration


def test_a_plugin_reads_a_sensor_on_the_physics_thread():
    plugins = [IMU, Reader]
    with Session(mujoco_xml=PENDULUM, plugins=plugins, positions={'hinge': 1.0}) as session:
        session.step(100)
        reader = session.plugins['reader']
        assert session.problems == []
        assert reader.read.angular_velocity.y == pytest.approx(reader.speed, abs=1e-12)
        assert reader.speed < -1.0


def test_a_sensor_of_a_session_and_of_a_batch_measure_the_same_with_the_same_noise():
    begin = {'hinge': 1.0}
    with Session(mujoco_xml=PENDULUM, plugins=[LIVELY], positions=begin) as session:
        session.step(100)
        one = session.plugins['imu'].measure()
        truth = session.snapshot().data.qvel[0]
    with Batch(mujoco_xml=PENDULUM, plugins=[LIVELY], worlds=2, positions=begin) as batch:
        batch.step(count=100)
        others = [world.plugins['imu'].measure() for world in batch]
    for other in others:
        assert other.angular_velocity.y == one.angular_velocity.y != truth
    assert one.angular_velocity.y == pytest.approx(truth, abs=0.5)


class Importer(MujocoPlugin):
    """Imports messages that are not installed when it is loaded."""

    def load(self, model, data):
        from leg_msgs.msg import Stride

        self.ros.create_publisher(Stride, '~/strides')


def test_a_plugin_that_imports_messages_that_are_not_installed_is_refused_in_a_sentence(caplog):
    with Session(mujoco_xml=PENDULUM, plugins=[Importer]) as session:
        (problem,) = session.problems
    assert problem == (
        'importer: refused to load: PluginError: leg_msgs is not installed: the plugin imports '
        'it; see `ros_type`. Install the ROS package leg-msgs'
    )
    assert 'Traceback' not in caplog.text


def test_that_there_is_no_ros_is_said_once_for_each_plugin(caplog):
    caplog.set_level(logging.INFO)
    gauges = [{'type': Gauge, 'name': name} for name in ('oil', 'water')]
    for _ in range(2):
        with Session(mujoco_xml=PENDULUM, plugins=gauges) as session:
            session.reload()
    said = [entry for entry in caplog.messages if 'runs without ROS' in entry]
    assert [entry.partition(';')[0] for entry in said] == [
        f"plugin '{name}' runs without ROS: no topics /{name}/pressure, /{name}/words"
        for name in ('oil', 'water')
    ]
