"""The plugins of the example package, in a real server, behave as their pages say."""

from __future__ import annotations

import os
import shutil
from itertools import pairwise

import mujoco
import numpy as np
import pytest
from geometry_msgs.msg import TwistStamped, Vector3Stamped
from rclpy.time import Time
from sensor_msgs.msg import Illuminance, JointState, LaserScan, Range
from std_msgs.msg import Float64MultiArray, Header
from std_srvs.srv import Trigger
from system.cameras import configs, first, images, pixels, stamps
from system.harness import PENDULUM, seconds, wait_until

from .pages import EXAMPLE

pytestmark = pytest.mark.slow

SPEED, BEGIN = 0.2, -0.35
SLIDER = """
<mujoco>
  <option timestep="0.002" gravity="0 0 0"/>
  <worldbody>
    <camera name="eye" pos="0 -1 0" xyaxes="1 0 0 0 0 1"/>
    <body>
      <joint name="slide" type="slide" axis="1 0 0"/>
      <geom size="0.05" pos="0 0 -0.2"/>
      <site name="tip"/>
    </body>
  </worldbody>
</mujoco>
"""
EYE = {'width': 240, 'height': 180, 'frequency': 5.0}


@pytest.fixture
def start(start):
    """Starts servers as in the system tests, but with index checks, because users copy
    examples."""
    return lambda given, *args, **more: start({'boundscheck': True, **given}, *args, **more)


@pytest.fixture
def examples(tmp_path) -> dict[str, str]:
    """Returns the environment of a server that finds the example package as installed by
    colcon."""
    share = tmp_path / 'prefix' / 'share'
    index = share / 'ament_index/resource_index/mujoco_ros_py__pluginlib__plugin'
    for source, folder in {
        'resource/plugins/example_plugins': index,
        'plugins.xml': share / 'example_plugins',
    }.items():
        folder.mkdir(parents=True)
        shutil.copy(EXAMPLE / source, folder)
    return {
        name: os.pathsep.join([str(path), *filter(None, [os.environ.get(name)])])
        for name, path in {'PYTHONPATH': EXAMPLE, 'AMENT_PREFIX_PATH': share.parent}.items()
    }


def columns_of_orange(image) -> np.ndarray:
    """Returns the columns that contain orange at the height of the site, the middle of the
    image."""
    red, green, blue = np.moveaxis(pixels(image)[84:96].astype(int), 2, 0)
    return np.flatnonzero(((red > 60) & (red > 2 * green - 10) & (green > blue)).any(axis=0))


def column_at(time: float) -> float:
    """Returns the image column of the site at a time."""
    focal = EYE['height'] / 2 / np.tan(np.radians(45) / 2)
    return (EYE['width'] - 1) / 2 + focal * (BEGIN + SPEED * time)


@pytest.mark.usefixtures('graphics')
def test_a_trace_is_a_ball_where_the_site_was_at_each_image_and_none_after_a_reset(
    start, examples
):
    _, client = start({
        'mujoco_xml': SLIDER, 'unpause': False,
        'MujocoPlugins': '[{type: example_plugins/Trace, site: tip}]',
        'initial_joint_positions.joint_map.slide': BEGIN,
        'initial_joint_velocities.joint_map.slide': SPEED,
        **configs(eye=EYE),
    }, **examples)  # fmt: skip
    came = images(client, '/cameras/eye/rgb')
    first(came)
    assert client.pause(False).success
    wait_until(lambda: len(set(stamps(came))) > 9, 'images')
    shown = tuple(came)
    seen = columns_of_orange(shown[-1])
    for before, after in pairwise(sorted(set(stamps(shown)))):
        ball, gap = column_at(before), column_at((before + after) / 2)
        assert np.abs(seen - ball).min() < 1, f'a ball at {ball}'
        assert np.abs(seen - gap).min() > 1, f'none at {gap}'

    assert client.pause(True).success
    for _ in range(2):  # twice, because an image can be in transit
        assert client.trigger('reset').success
    wait_until(
        lambda: (
            stamps(came)[-1] == 0 and np.abs(columns_of_orange(came[-1]) - column_at(0)).max() < 4
        ),
        'an image of time zero with one ball',
    )


def test_an_arena_has_as_many_arms_as_its_address_says_each_with_names_of_its_own(start, examples):
    uri = 'python://example_plugins.scenes:arena'
    given = {'modelfile': f'{uri}?arms=3', 'model_modules': ['example_plugins.scenes']}
    _, client = start({**given, 'render_offscreen': False}, **examples)
    states = client.collect(JointState, 'joint_states')
    for arms in 3, 1:
        assert client.set_parameters(modelfile=f'{uri}?arms={arms}')[0].successful
        assert client.trigger('reload').success
        names = [f'arm{arm}/joint{n}' for arm in range(1, arms + 1) for n in range(1, 8)]
        wait_until(lambda names=names: states and states[-1].name == names, f'{arms} arms')


LINEAR, SPIN = (0.3, -0.2, 0.1), (0.0, 0.5, 1.0)
DRONE = """
<mujoco>
  <option timestep="0.002" gravity="0 0 0"/>
  <worldbody>
    <body name="drone" euler="0 0 90"><freejoint name="float"/><geom size="0.1"/></body>
  </worldbody>
</mujoco>
"""


def axes_at(time: float) -> np.ndarray:
    """Returns the axes of the drone, which turns evenly, at a time."""
    model = mujoco.MjModel.from_xml_string(DRONE)
    data = mujoco.MjData(model)
    mujoco.mj_integratePos(model, data.qpos, np.array([*LINEAR, *SPIN]), time)
    mujoco.mj_kinematics(model, data)
    return data.body('drone').xmat.reshape(3, 3)


LOPSIDED = """
    <body name="lopsided" pos="0 0 5" euler="0 0 90">
      <freejoint name="float2"/><geom type="box" size="0.1 0.2 0.3" pos="0.1 0 0" euler="0 0 45"/>
    </body>
  </worldbody>
"""


def test_a_velocity_is_that_of_the_body_in_its_axes_and_not_of_its_centre_of_mass(start, examples):
    _, client = start({
        'mujoco_xml': DRONE.replace('</worldbody>', LOPSIDED), 'unpause': False,
        'MujocoPlugins': '[{type: example_plugins/Velocity, body: drone, rate: 50.0},'
                         ' {type: example_plugins/Velocity, name: other, body: lopsided}]',
        'initial_joint_velocities.joint_map.float': [*LINEAR, *SPIN],
        'initial_joint_velocities.joint_map.float2': [*LINEAR, *SPIN],
        'frame_prefix': 'left/',
    }, **examples)  # fmt: skip

    def is_as_given(message: TwistStamped, tolerance: float) -> None:
        linear, angular = message.twist.linear, message.twist.angular
        expected = axes_at(seconds(message.header.stamp)).T @ LINEAR
        assert [linear.x, linear.y, linear.z] == pytest.approx(expected, abs=tolerance)
        assert [angular.x, angular.y, angular.z] == pytest.approx(SPIN, abs=tolerance)

    other = client.collect(TwistStamped, '/other/twist')
    is_as_given(wait_until(lambda: other and other[0], 'a velocity at the begin'), 1e-9)
    came = client.collect(TwistStamped, '/velocity/twist')
    assert client.pause(False).success
    wait_until(lambda: len(came) >= 20, 'velocities')
    for message in came[:20]:
        is_as_given(message, 1e-6)  # this body turns evenly
        assert message.header.frame_id == 'left/drone'


PUCKS = """
<mujoco>
  <option timestep="0.002" gravity="0 0 0"/>
  <worldbody>
    <body name="pulled"><joint name="pulled" type="slide" axis="1 0 0"/><geom size="0.05"/></body>
    <body name="pushed" pos="0 1 0">
      <joint name="pushed" type="slide" axis="1 0 0"/><geom size="0.05"/>
    </body>
  </worldbody>
</mujoco>
"""


def test_a_spring_pulls_to_the_point_of_its_topic_and_a_pusher_pushes(start, examples):
    _, client = start({
        'mujoco_xml': PUCKS,
        'MujocoPlugins': '[{type: example_plugins/Spring, body: pulled},'
                         ' {type: example_plugins/Pusher, body: pushed, wave: {amplitude: 0.5}}]',
    }, **examples)  # fmt: skip
    states = client.collect(JointState, '/joint_states')
    points = client.node.create_publisher(Float64MultiArray, '/spring/target', 1)
    wait_until(points.get_subscription_count, 'the subscription of the spring')
    points.publish(Float64MultiArray(data=[0.3, 0.0, 0.0]))

    def reached() -> bool:
        pulled, pushed = states[-1].position if states else (0.0, 0.0)
        return abs(pulled - 0.3) < 0.01 and pushed > 1.0

    wait_until(reached, 'both pucks')


CLOCKED = """
<mujoco>
  <option timestep="0.001"/>
  <worldbody><body name="bob"><joint/><geom size="0.1"/></body></worldbody>
  <sensor><clock name="now"/></sensor>
</mujoco>
"""


def test_a_sensor_comes_a_thousand_times_per_simulated_second_a_millisecond_apart(start, examples):
    """In lockstep the simulation waits for an answer to each message, so none are lost."""
    _, client = start({
        'mujoco_xml': CLOCKED, 'unpause': False,
        'MujocoPlugins': '[{type: example_plugins/Sensor, sensor: now},'
                         ' {type: example_plugins/Velocity, body: bob}]',
        'lockstep_period': 0.001, 'lockstep_topics': ['/velocity/push'], 'lockstep_timeout': 0.0,
    }, **examples)  # fmt: skip
    answers = client.node.create_publisher(Vector3Stamped, '/velocity/push', 10)
    came: list[float] = []

    def answer(message: Float64MultiArray) -> None:
        came.append(message.data[0])
        stamp = Time(nanoseconds=round(came[-1] * 1e9)).to_msg()
        answers.publish(Vector3Stamped(header=Header(stamp=stamp)))

    client.node.create_subscription(Float64MultiArray, '/sensor/values', answer, 10)
    wait_until(lambda: came and answers.get_subscription_count(), 'the moment of the pause')
    assert client.pause(False).success
    wait_until(lambda: came[-1] > 1.0, 'more than a simulated second')
    begin = came.count(0.0) - 1  # the server repeats its message during a pause
    assert came[begin : begin + 1001] == pytest.approx(np.arange(1001) * 1e-3)


AHEAD, HALF_WIDTH = 0.9, 2.0
"""The position of the wall along x, and half of its width, in metres."""
TURN, TURN_SPEED = 0.3, 0.5
MAST = """
<mujoco>
  <option timestep="0.002" gravity="0 0 0"/>
  <worldbody>
    <geom name="wall" type="box" size="0.1 2 1" pos="1 0 0"/>
    <body>
      <joint name="mast" axis="0 0 1"/>
      <geom size="0.05" pos="0 0 -0.3"/>
      <site name="eye"/>
    </body>
  </worldbody>
</mujoco>
"""


def distances_at(time: float) -> np.ndarray:
    """Returns the distance of the wall in each direction of the scan; the mast turns evenly."""
    directions = np.radians(np.arange(360.0)) + TURN + TURN_SPEED * time
    along, across = np.cos(directions), np.sin(directions)
    hit = (along > 0) & (np.abs(across) * AHEAD < HALF_WIDTH * along)
    return np.where(hit, AHEAD / np.where(hit, along, 1.0), np.inf)


def test_a_scan_measures_the_distance_of_a_wall_at_the_time_of_its_stamp(start, examples):
    _, client = start({
        'mujoco_xml': MAST, 'frame_prefix': 'left/',
        'MujocoPlugins': '[{type: example_plugins/Scan, site: eye}]',
        'initial_joint_positions.joint_map.mast': TURN,
        'initial_joint_velocities.joint_map.mast': TURN_SPEED,
    }, **examples)  # fmt: skip
    came = client.collect(LaserScan, '/scan/scan')
    wait_until(lambda: len(came) >= 10, 'scans')
    for scan in came[:10]:
        assert (scan.angle_min, scan.angle_increment) == pytest.approx((0.0, np.radians(1.0)))
        assert scan.angle_max == pytest.approx(np.radians(359.0))
        assert scan.header.frame_id == 'left/eye'
        expected = distances_at(seconds(scan.header.stamp))
        assert np.isfinite(expected).sum() > 100
        assert list(scan.ranges) == pytest.approx(expected, abs=1e-5)
    assert len({seconds(scan.header.stamp) for scan in came[:10]}) == 10


def test_a_keeper_takes_the_simulation_back_to_what_it_has_saved(start, examples):
    _, client = start({
        'mujoco_xml': PENDULUM, 'unpause': False,
        'MujocoPlugins': '[{type: example_plugins/Keeper}]',
        'initial_joint_positions.joint_map.hinge': 0.5,
    }, **examples)  # fmt: skip
    states = client.collect(JointState, 'joint_states')

    def step_to(time: float) -> tuple[float, float]:
        for _ in range(20):
            assert client.trigger('step').success
        return state_at(time, len(states))

    def state_at(time: float, begin: int) -> tuple[float, float]:
        def found() -> list[JointState]:
            return [s for s in states[begin:] if seconds(s.header.stamp) == pytest.approx(time)]

        state = wait_until(found, f'a state at {time} s')[-1]
        return state.position[0], state.velocity[0]

    def ask(name: str) -> tuple[bool, str]:
        answer = client.call(Trigger, f'/keeper/{name}', Trigger.Request())
        return answer.success, answer.message

    assert ask('restore') == (False, 'nothing has been saved')
    saved = step_to(0.04)
    assert ask('save') == (True, 'saved at 0.040 s')
    later = step_to(0.08)
    assert later != saved
    begin = len(states)
    assert ask('restore') == (True, 'restored')
    assert state_at(0.04, begin) == saved
    assert step_to(0.08) == later


LAMP = """
<mujoco>
  <option timestep="0.002" gravity="0 0 0"/>
  <worldbody>
    <light name="lamp" pos="0 0 3" intensity="800"/>
    <geom name="ground" type="plane" size="1 1 0.1"/>
    <body name="head" pos="0 0 1">
      <joint name="neck" axis="0 1 0"/>
      <geom name="skull" size="0.1"/>
      <site name="eye" pos="0.2 0 0"/>
    </body>
  </worldbody>
</mujoco>
"""


def test_a_light_meter_measures_what_the_lamp_sends_in_its_direction_and_a_height_is_measured(
    start, examples
):
    plugin = '[{type: example_plugins/LightMeter, name: lux, site: eye, light: lamp,' \
             ' noise: {stddev: 5.0}}, {type: example_plugins/Height, body: head}]'  # fmt: skip
    _, client = start({
        'mujoco_xml': LAMP, 'MujocoPlugins': plugin,
        'initial_joint_velocities.joint_map.neck': TURN_SPEED,
    }, **examples)  # fmt: skip
    truth = client.collect(Illuminance, '/lux/ground_truth')
    noisy = client.collect(Illuminance, '/lux')
    wait_until(lambda: len(truth) >= 50 and len(noisy) >= 50, 'illuminances')
    for message in truth[:50]:
        angle = TURN_SPEED * seconds(message.header.stamp)
        eye = np.array([0.2 * np.cos(angle), -0.2 * np.sin(angle)])
        away = np.array([0.0, 2.0]) - eye
        ahead = max(0.0, away @ [np.sin(angle), np.cos(angle)])
        expected = 800 * ahead / np.linalg.norm(away) ** 3
        assert message.illuminance == pytest.approx(expected, abs=1e-6)
        assert (message.header.frame_id, message.variance) == ('eye', 0.0)
    assert {message.variance for message in noisy} == {25.0}
    at = {seconds(message.header.stamp): message.illuminance for message in truth}
    errors = [message.illuminance - at[time] for message in noisy
              if (time := seconds(message.header.stamp)) in at]  # fmt: skip
    assert 2.5 < np.std(errors) < 10.0

    # above the ground, and not above the head itself
    heights = client.collect(Range, '/height/range')
    assert wait_until(lambda: heights and heights[0], 'a height').range == pytest.approx(1.0)
