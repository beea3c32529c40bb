"""A plugin of a user's package in a session without ROS."""

from __future__ import annotations

import math
import pickle
import subprocess
import sys

import pytest
from deadline import DEADLINE_S, until

from mujoco_ros_py.errors import ConfigError, PluginError
from mujoco_ros_py.session import Session

pytestmark = pytest.mark.slow
ROD = """
<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 0.1" pos="0 0 -1"/>
    <body name="rod" pos="0 0 1">
      <joint name="hinge" axis="0 1 0" damping="0.1"/>
      <geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.02"/>
    </body>
  </worldbody>
</mujoco>
"""
SWING = {'type': 'swing_lab/Swing', 'joint': 'hinge', 'target': 0.5}


@pytest.fixture
def session(user_package, monkeypatch):
    monkeypatch.syspath_prepend(user_package)
    with Session(mujoco_xml=ROD, plugins=[SWING]) as session:
        assert session.problems == []
        yield session
    for name in [name for name in sys.modules if name.startswith('swing_lab')]:
        del sys.modules[name]


def angle(session) -> float:
    return float(session.snapshot().data.joint('hinge').qpos[0])


def test_it_is_found_by_its_type_and_moves_the_rod_without_ros(session):
    session.step(10_000)
    assert angle(session) == pytest.approx(0.5, abs=1e-3)
    assert 'swing_lab.talk' not in sys.modules


def test_live_values_change_while_it_runs(session):
    session.step(10_000)
    session.set_paused(False)
    session.configure('swing', target=-0.5)
    session.set_paused(True)
    session.step(20_000)
    assert angle(session) == pytest.approx(-0.5, abs=1e-3)
    assert session.plugins['swing'].config.target == -0.5


@pytest.mark.parametrize(
    ('name', 'values', 'said'),
    [
        ('swing', {'target': 4.0}, 'swing.target must be at least -3.14.* and at most 3.14'),
        ('swing', {'joint': 'x'}, 'can change without a reload are: target, stiffness'),
        ('swing', {'targt': 0.0}, "unknown parameter 'targt' .did you mean 'target'"),
        ('swin', {'target': 0.0}, "unknown plugin 'swin' .did you mean 'swing'"),
    ],
)  # fmt: skip
def test_what_cannot_be_set_is_refused_and_changes_nothing(session, name, values, said):
    before = session.plugins['swing'].config
    with pytest.raises(ConfigError, match=said):
        session.configure(name, **values)
    assert session.plugins['swing'].config == before


def test_a_plugin_that_fails_over_its_values_is_out_and_who_set_them_is_told(session, monkeypatch):
    def fail(config):
        raise RuntimeError('stuck')

    monkeypatch.setattr(session.plugins['swing'], 'configure', fail)
    with pytest.raises(PluginError, match='configure raised RuntimeError: stuck'):
        session.configure('swing', target=0.0)
    assert session.plugins == {}


def test_its_follower_has_a_thread_of_its_own_and_sees_the_rod_move(session):
    swing = session.plugins['swing']
    until(lambda: session.step() or swing.fastest > 0.1)
    assert swing.watched_on == "follower of plugin 'swing'"


def test_a_saved_state_has_its_part_and_goes_on_to_the_bit(session):
    session.step(300)
    saved = pickle.loads(pickle.dumps(session.save()))
    assert saved.plugins['swing']['integral'] != 0.0
    session.step(500)
    after = session.save()
    session.reset()
    assert session.restore(saved) == []
    session.step(500)
    again = session.save()
    assert again.integration.tobytes() == after.integration.tobytes()
    assert again.plugins['swing']['integral'] == after.plugins['swing']['integral']


def test_it_stays_through_a_reload_of_the_same_model_and_is_gone_after_one_without_it(session):
    first = session.plugins['swing']
    session.reload()
    assert session.plugins['swing'] is first
    session.step(10_000)
    assert angle(session) == pytest.approx(0.5, abs=1e-3)
    session.reload(plugins=[])
    assert session.plugins == {}


@pytest.mark.usefixtures('graphics')
def test_a_camera_that_is_not_in_the_model_sees_the_floor(user_package, monkeypatch):
    monkeypatch.syspath_prepend(user_package)
    swing = {**SWING, 'target': 0.0, 'eye': True}
    with Session(mujoco_xml=ROD, plugins=[swing], render_offscreen=True) as session:
        assert session.problems == []
        plugin = session.plugins['swing']
        until(lambda: plugin.nearest < math.inf)
        # 0.6 m below the hinge, which is 1 m above the origin and 2 m above the floor
        assert plugin.nearest == pytest.approx(1.4, abs=0.01)


OTHER_PROCESS = """
import pickle, sys
from mujoco_ros_py.session import Session
with Session(mujoco_xml=sys.argv[1], plugins=[{'type': 'swing_lab/Swing', 'joint': 'hinge'}]) as s:
    assert s.restore(pickle.loads(sys.stdin.buffer.read())) == []
    s.step(200)
    sys.stdout.write(s.save().integration.tobytes().hex())
assert 'rclpy' not in sys.modules
"""


def test_another_process_without_ros_goes_on_from_its_state(session, user_package):
    session.configure('swing', target=0.0)
    session.step(100)
    saved = session.save()
    session.step(200)
    other = subprocess.run(
        [sys.executable, '-c', OTHER_PROCESS, ROD],
        input=pickle.dumps(saved),
        env={'PYTHONPATH': str(user_package)},
        capture_output=True,
        check=True,
        timeout=DEADLINE_S,
    )
    assert other.stdout.decode() == session.save().integration.tobytes().hex()
