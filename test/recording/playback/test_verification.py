"""A recorded run is repeated, and each state equals the recorded state to the bit."""

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.command_line import run as run_command
from mujoco_ros_py.errors import RecordingError
from mujoco_ros_py.plugins import MujocoPlugin, compiled, new_state
from mujoco_ros_py.recording import RecordedRun, RecordingFile
from mujoco_ros_py.recording.playback import continued, moment_at, verify, verify_with_plugins
from mujoco_ros_py.session import Session

pytest.importorskip('mcap', reason='the extra `recording` is not installed')

ARM = """
<mujoco>
  <option timestep="0.002" integrator="implicitfast"/>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body pos="0 0 1">
      <joint name="shoulder" axis="0 1 0" damping="0.1"/>
      <geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.05"/>
      <body pos="0.5 0 0">
        <joint name="elbow" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.05"/>
        <site name="tip" pos="0.5 0 0"/>
      </body>
    </body>
    <body name="ball" pos="0.3 0.3 0.5"><freejoint/><geom size="0.1"/></body>
    <body name="hand" mocap="true" pos="0.3 0.3 0.1"><geom size="0.05"/></body>
  </worldbody>
  <actuator>
    <motor name="late" joint="shoulder" delay="0.01" nsample="6"/>
    <position name="servo" joint="elbow" kp="20" kv="1" timeconst="0.03"/>
  </actuator>
  <sensor>
    <accelerometer name="accelerometer" site="tip" noise="0.1"/>
    <jointpos name="delayed" joint="elbow" delay="0.02" nsample="11" interval="0.01"/>
  </sensor>
</mujoco>
"""
CONTROLLER = {
    'type': 'mujoco_ros_py/JointController', 'joints': ['elbow'], 'stiffness': 8.0,
}  # fmt: skip


class Noisy(MujocoPlugin):
    """Drives the shoulder by a delayed and noisy measurement, from a stream of random numbers."""

    def load(self, model, data):
        self.state = new_state(stream=np.int64(1), elbow=int(model.sensor('delayed').adr[0]))

    @staticmethod
    @compiled
    def control_callback(state, model, data):
        state.stream = (state.stream * 1103515245 + 12345) % 2147483648
        noise = state.stream / 2147483648.0 - 0.5
        data.ctrl[0] = -4.0 * data.sensordata[state.elbow] + noise

    @staticmethod
    @compiled
    def passive_callback(state, model, data):
        data.qfrc_passive[0] -= 0.2 * data.qvel[0] * abs(data.qvel[0])


def recorded(path, plugins, steps=100, model=ARM):
    """Records a run with a moved body, commands, and a restored state."""
    recorder = {'type': 'mujoco_ros_py/Recorder', 'file': str(path), 'save_period': 0.1}
    with Session(mujoco_xml=model, plugins=[*plugins, recorder], strict=True) as session:
        session.step(steps)
        session.call(lambda model, data: data.ctrl.put(1, 0.5))
        session.step(steps)
        session.call(lambda model, data: data.mocap_pos.put(2, 0.3))
        session.call(lambda model, data: data.qvel.put(1, 2.0))
        saved = session.save()
        session.step(steps)
        session.reset()
        session.call(lambda model, data: data.xfrc_applied.put(14, 3.0))
        session.step(steps)
        session.restore(saved)
        session.step(steps)
        return session.save()


@pytest.mark.slow
def test_a_run_with_controllers_delays_noise_and_commands_repeats_to_the_bit(tmp_path):
    path = tmp_path / 'run.mcap'
    recorded(path, [Noisy, CONTROLLER])
    with RecordedRun(path) as run:
        comparison = verify(run)
    assert (comparison.states, comparison.different, comparison.gaps) == (500, 0, 0)


FAULTS = {
    'type': 'mujoco_ros_py/Imperfections', 'name': 'faults',
    'timeline': {
        'weak': {'of': {'actuator': 'servo'}, 'at': 0.05, 'until': 0.3, 'scale': 0.3},
        'small': {'of': {'actuator': 'late'}, 'saturate': {'force': 0.1, 'velocity': 0.2}},
        'slow': {'of': {'actuator': 'servo'}, 'delay': 0.01, 'offset': 0.02},
        'worn': {'of': {'joint': 'elbow'}, 'scale': 1.1, 'quantise': 0.01},
        'seen': {'of': {'observation': 'qpos'}, 'latency': {'uniform': [0.0, 0.02]}},
        'dead': {'of': {'actuator': 'servo'}, 'stop': True, 'active': False, 'at': 0.3},
    },
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(('place', 'switched'), [(0, False), (3, True)])
def test_a_run_with_imperfections_repeats_to_the_bit(tmp_path, place, switched):
    """Wherever the recorder is in the list, as other plugins change what it may read."""
    path, plugins = tmp_path / 'run.mcap', [Noisy, CONTROLLER, FAULTS]
    recorder = {'type': 'mujoco_ros_py/Recorder', 'file': str(path)}
    listed = [*plugins[:place], recorder, *plugins[place:]]
    with Session(mujoco_xml=ARM, plugins=listed, strict=True) as session:
        session.step(100)
        session.reset()  # while the faults of forces are in effect
        session.step(120)
        if switched:
            faults = session.plugins['faults']
            session.call(lambda model, data: faults.set_active('dead', True))
        session.step(80)
        saved = session.save()
        session.step(20)
        session.restore(saved)
        session.step(20)
    with RecordedRun(path) as run:
        found = verify(run)
        assert (found.states, found.different, found.gaps) == (340, 0, 0), found.first
        if not switched:
            found = verify_with_plugins(run, plugins=plugins)
            assert (found.states, found.different) == (340, 0), found.first


@pytest.mark.slow
def test_the_plugins_of_a_run_compute_the_same_again(tmp_path):
    path = tmp_path / 'run.mcap'
    recorder = {'type': 'mujoco_ros_py/Recorder', 'file': str(path)}
    model = ARM.replace('implicitfast', 'RK4')
    with Session(mujoco_xml=model, plugins=[Noisy, CONTROLLER, recorder]) as session:
        session.step(200)
        session.reset()
        session.step(100)
    with RecordedRun(path) as run:
        comparison = verify_with_plugins(run, plugins=[Noisy, CONTROLLER])
        assert (comparison.states, comparison.different, comparison.notes) == (300, 0, [])
        without = verify_with_plugins(run, plugins=[CONTROLLER])
    assert without.different == 2, 'each section is left at its first difference'
    assert 'after step 1 at 0.002 s' in without.first
    said = "'noisy' has a part in the saved state, but is not loaded"
    assert any(said in note for note in without.notes)


@pytest.mark.slow
def test_a_session_goes_on_from_any_moment_as_the_run_did(tmp_path):
    path = tmp_path / 'run.mcap'
    last = recorded(path, [Noisy])
    with RecordedRun(path) as run:
        session, problems = continued(run, 0.4, section=2, plugins=[Noisy])
        with session:
            assert problems == []
            assert session.time == pytest.approx(0.4)
            session.step(round((last.time - session.time) / 0.002))
            assert session.time == last.time
            assert session.save().integration.tobytes() == last.integration.tobytes()
        assert moment_at(run, 0.1).section.number == 1, 'the last one that has this moment'
        with pytest.raises(
            RecordingError,
            match=r'no state at 99 s; sections with states: 0 \(0 to 0\.6 s\), 1 \(0',
        ):
            continued(run, 99.0)


@pytest.mark.slow
def test_a_difference_is_told_by_its_place_and_its_time(tmp_path, monkeypatch):
    path = tmp_path / 'run.mcap'
    recorded(path, [Noisy], 10)
    step = mujoco.mj_step

    def disturbed(model, data):
        step(model, data)
        if abs(data.time - 0.02) < 1e-9:
            data.qvel[1] += 1e-12

    monkeypatch.setattr(mujoco, 'mj_step', disturbed)
    with RecordedRun(path) as run:
        comparison = verify(run)
    assert comparison.different == 2, 'one in each section that has this moment'
    assert comparison.first.startswith('after step 10 at 0.02 s, qvel[1] was ')


@pytest.mark.slow
def test_what_rk4_hides_and_rates_leave_out_is_refused(tmp_path):
    path = tmp_path / 'run.mcap'
    recorded(path, [Noisy], 10, ARM.replace('implicitfast', 'RK4'))
    hidden = pytest.raises(RecordingError, match=r'RK4 calls plugins \(noisy\) four times')
    with RecordedRun(path) as run, hidden:
        verify(run)
    path = tmp_path / 'open.mcap'
    recorded(path, [], 10, ARM.replace('implicitfast', 'RK4'))
    with RecordedRun(path) as run:
        assert verify(run).different == 0, 'without plugins RK4 repeats'


@pytest.mark.slow
def test_the_command_tells_by_its_exit_status(tmp_path, capsys):
    path = tmp_path / 'run.mcap'
    recorded(path, [CONTROLLER], 20)

    assert run_command(['replay', str(path), '--verify']) == 0
    assert capsys.readouterr().out == '100 states, all equal to the bit\n'
    assert run_command(['replay', str(path), '--info']) == 0
    assert 'section 1 (reset): 0 to 0.04 s, 21 states, plugins: joint_' in capsys.readouterr().out
    cut = tmp_path / 'cut.mcap'
    cut.write_bytes(path.read_bytes()[:-30])
    assert run_command(['replay', str(cut), '--verify']) == 3
    said = '100 states, equal to the bit as far as the recording goes\n'
    assert capsys.readouterr().out == said
    cut.write_bytes(path.read_bytes()[:100])
    assert run_command(['replay', str(cut), '--verify']) == 2
    assert 'is damaged or cut off at byte' in capsys.readouterr().err


@pytest.mark.parametrize(
    ('options', 'told'),
    [
        (['--plugins'], '--plugins needs --verify'),
        (['--section', '1', '--info'], '--section needs --continue-at'),
        (['--verify', '--rate', '2'], '--rate is not for --verify'),
        (['--viewer', '--topics', '/clock'], '--topics is not for --viewer'),
        (['--continue-at', '0', '--loop'], '--loop is not for --continue-at'),
        (['--verify', '--ros-args'], '--ros-args is not for --verify, which needs no ROS'),
        ([], 'gone.mcap cannot be read: No such file or directory'),
    ],
)
def test_what_cannot_be_asked_for_is_told(tmp_path, capsys, options, told):
    arguments = ['replay', str(tmp_path / 'gone.mcap'), *options]
    assert run_command(arguments) == 2
    assert told in capsys.readouterr().err


def test_arguments_behind_ros_args_are_for_ros(tmp_path, monkeypatch):
    topic_replay = pytest.importorskip('mujoco_ros_py.ros.topic_replay', reason='there is no ROS')
    path, came = tmp_path / 'run.mcap', []
    RecordingFile(path).close()
    monkeypatch.setattr(topic_replay, 'play', lambda run, *given: came.append(given) or 0)
    ros_arguments = ['--ros-args', '-r', '/a:=/b', '--rate']
    words = ['--topics', '/clock', '/tf*', '--rate', '2']
    assert run_command(['replay', str(path), *words, *ros_arguments]) == 0
    options = topic_replay.ReplayOptions(rate=2.0, topics=('/clock', '/tf*'))
    assert came == [(options, ros_arguments)]
