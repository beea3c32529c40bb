"""The Recorder plugin in a session: its contents and its limits."""

import time

import mujoco
import pytest
from deadline import until

from mujoco_ros_py.builtin.recordings.recorded_topics import WaitingMessage
from mujoco_ros_py.builtin.recordings.row_ring import RowRing
from mujoco_ros_py.plugins import MujocoPlugin, compiled, new_state
from mujoco_ros_py.recording import MessageType, RecordedRun, row_shape
from mujoco_ros_py.recording.playback import verify, verify_with_plugins
from mujoco_ros_py.session import Session

pytest.importorskip('mcap', reason='the extra `recording` is not installed')

ROD = """
<mujoco>
  <option timestep="0.001"/>
  <worldbody>
    <body><joint name="hinge" axis="0 1 0"/><geom size="0.1" pos="0.5 0 0"/></body>
  </worldbody>
  <actuator><motor name="motor" joint="hinge"/></actuator>
</mujoco>
"""


BALL = '<body pos="5 0 0"><freejoint/><geom size="1"/></body></worldbody>'
ROD_AND_BALL = mujoco.MjSpec.from_string(ROD.replace('</worldbody>', BALL))


class Spring(MujocoPlugin):
    """Pulls at all joints, by passive forces."""

    def load(self, model, data):
        self.state = new_state(gain=2.0)

    @staticmethod
    @compiled
    def passive_callback(state, model, data):
        data.qfrc_passive[0] -= state.gain * data.qpos[0]


def recorder(path, **values):
    return {'type': 'mujoco_ros_py/Recorder', 'file': str(path), **values}


def rows_of(path):
    with RecordedRun(path) as run:
        rows = [(run.sections[b.section], row) for b in run.rows() for row in b.rows]
        assert run.problems == []
    return rows


def test_commands_moves_resets_and_passive_forces_are_recorded(tmp_path):
    path = tmp_path / 'run.mcap'
    with Session(mujoco_xml=ROD, plugins=[Spring, recorder(path)]) as session:
        session.call(lambda model, data: data.ctrl.put(0, 0.25))
        session.step(2)
        session.call(lambda model, data: data.qpos.put(0, 1.0))
        session.step(1)
        saved = session.save()
        session.reset()
        session.step(1)
        session.restore(saved)
        session.step(1)
    found = [(section.reason, *row[:2], row[2], row[3]) for section, row in rows_of(path)]
    reasons, steps, kinds, times, angles = zip(*found, strict=True)
    assert reasons == ('load',) * 5 + ('reset',) * 2 + ('restore',) * 2
    assert steps == (0, 1, 2, 2, 3, 3, 4, 4, 5)
    assert [kind % 2 for kind in kinds] == [1, 0, 0, 1, 0, 1, 0, 1, 0], '1: before a step'
    assert times == pytest.approx([0, 1e-3, 2e-3, 2e-3, 3e-3, 0, 1e-3, 3e-3, 4e-3])
    assert angles[3] == 1.0
    section, row = rows_of(path)[4]
    assert row[-1] == -2.0, 'the passive force of the step that began at 1 rad'
    assert row[2 + section.shape.own] == 0.25, 'the control'
    assert [each['name'] for each in section.plugins] == ['spring', 'recorder']
    assert section.plugins[1]['type'] == 'mujoco_ros_py/Recorder'


def test_times_of_messages_never_go_back_where_ros_time_continues_and_the_run_repeats(tmp_path):
    path = tmp_path / 'run.mcap'
    options = {'mujoco_xml': ROD, 'time_after_reset': 'continue'}
    with Session(plugins=[Spring, recorder(path)], **options) as session:
        saved = session.save()
        for again in (session.reset, session.reset, lambda: session.restore(saved)):
            session.call(lambda model, data: data.qpos.put(0, 0.3))
            session.step(20)
            again()
        session.step(20)
        end = session.ros_time
    with RecordedRun(path) as run:
        for _ in run.rows():
            pass
        offsets = [section.ros_offset for section in run.sections.values()]
    assert offsets == pytest.approx([0.0, 0.021, 0.042, 0.063])
    assert end == pytest.approx(0.083)
    from mcap.reader import make_reader

    with path.open('rb') as file:
        found = [
            (channel.topic.rpartition('/')[2], message.publish_time / 1e9)
            for _, channel, message in make_reader(file).iter_messages()
        ]
    times = {name: [time for topic, time in found if topic == name] for name, _ in found}
    assert times['events'] == pytest.approx(offsets)
    assert times['states'] == sorted(times['states'])
    assert times['states'][-1] == pytest.approx(0.083)
    with RecordedRun(path) as run:
        comparison = verify(run)
    assert (comparison.states, comparison.different) == (80, 0)


def test_the_version_of_mujoco_its_faults_and_the_options_of_the_run_are_recorded(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(mujoco, '__version__', '4.0.0')
    path = tmp_path / 'run.mcap'
    sparse = ROD.replace('timestep="0.001"', 'jacobian="sparse"')
    with Session(mujoco_xml=sparse, plugins=[recorder(path)]) as session:
        session.step(1)
    with RecordedRun(path) as run:
        assert run.about['versions']['mujoco'] == '4.0.0'
        assert run.about['engine_faults'] == {
            'sparse_newton': 'MuJoCo 4.0.0 computes wrong accelerations with the Newton solver and'
            ' a sparse Jacobian: the Jacobian is dense instead, which is slower for large models'
        }
        assert len(list(run.rows())) > 0
        model = run.model(run.sections[0])
        assert model.opt.jacobian == mujoco.mjtJacobian.mjJAC_DENSE


@pytest.mark.slow
def test_states_come_at_the_rate_that_is_asked_for(tmp_path):
    path = tmp_path / 'run.mcap'
    with Session(mujoco_xml=ROD, plugins=[recorder(path, state_rate=100.0)]) as session:
        session.step(95)
    assert [row[0] for _, row in rows_of(path)] == [1, *range(11, 95, 10)]


@pytest.mark.slow
def test_another_model_begins_another_section_and_an_own_reload_another_file(tmp_path):
    path = tmp_path / 'run.mcap'
    with Session(mujoco_xml=ROD, plugins=[recorder(path)]) as session:
        session.step(1)
        session.change(ROD_AND_BALL)
        session.step(1)
        session.reload(mujoco.MjSpec.from_string(ROD))
        session.step(1)
    assert [(s.reason, s.shape.own) for s, _ in rows_of(path)] == [
        ('load', 4), ('load', 4), ('model', 23), ('model', 23),
    ]  # fmt: skip
    assert [s.reason for s, _ in rows_of(tmp_path / 'run_2.mcap')] == ['load'] * 2


@pytest.mark.slow
def test_a_recording_that_is_too_large_ends_and_the_simulation_goes_on(tmp_path, caplog):
    path = tmp_path / 'run.mcap'
    limited = recorder(path, max_size=1.0, compression='none', chunk_period=0.1)
    with Session(mujoco_xml=ROD, plugins=[limited]) as session:
        while 'the recording has stopped' not in caplog.text:
            session.step(1000)
            assert session.time < 1000.0
        session.step(10)
        assert session.problems == []
    assert 'run.mcap has reached its maximum size, 1 MiB (max_size)' in caplog.text
    assert 500_000 < path.stat().st_size <= 2**20
    with RecordedRun(path) as run:
        assert run.complete
        assert sum(len(block.rows) for block in run.rows()) > 1000


def test_without_the_library_the_plugin_is_refused_with_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setattr('importlib.util.find_spec', lambda name: None)
    with Session(mujoco_xml=ROD, plugins=[recorder(tmp_path / 'run.mcap')]) as session:
        (problem,) = session.problems
    assert "pip install 'mujoco_ros_py[recording]'" in problem
    assert 'mcap, zstandard, lz4 are not installed' in problem
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_folder_that_cannot_be_written_takes_the_recorder_out_alone(tmp_path):
    (tmp_path / 'file').write_text('')
    with Session(mujoco_xml=ROD, plugins=[recorder(tmp_path / 'file' / 'run.mcap')]) as session:
        (problem,) = session.problems
        session.step(1)
    assert 'run.mcap cannot be written: ' in problem


def test_a_full_ring_loses_rows_and_counts_them():
    ring = RowRing(row_shape(mujoco.MjModel.from_xml_string(ROD), passive=False), 0.0)
    ring.memory.array[0] = 50
    assert list(ring.take(20)) == [], 'rows that have just come wait for the next turn'
    assert [len(rows) for rows in ring.take(20)] == [20, 20, 10]
    ring.memory.array[0] = 70
    assert [len(rows) for rows in ring.take(20, all_=True)] == [14, 6], 'the ring has 64 rows'
    assert list(ring.take(20, all_=True)) == []


def stepped_until_there_are(session, folder, names):
    """Steps until the folder has exactly these recordings."""

    def there():
        session.step(20)
        return {path.name for path in folder.glob('*.mcap')} == set(names)

    until(there, f'the files {names}')


@pytest.mark.slow
def test_a_recording_goes_on_in_the_next_file_and_each_file_repeats_by_itself(tmp_path):
    given = recorder(tmp_path / 'run.mcap', split_duration=0.2)
    names = 'run.mcap', 'run_2.mcap', 'run_3.mcap'
    with Session(mujoco_xml=ROD, plugins=[Spring, given]) as session:
        stepped_until_there_are(session, tmp_path, names[:2])
        session.reset()
        session.call(lambda model, data: data.qpos.put(0, 1.0))
        stepped_until_there_are(session, tmp_path, names)
        steps = session.status.steps
    seen = set()
    for name in names:
        numbers = [row[0] for _, row in rows_of(tmp_path / name)]
        seen.update(numbers)
        with RecordedRun(tmp_path / name) as run:
            assert run.complete
            comparison = verify(run)
            assert (comparison.different, comparison.gaps) == (0, 0)
            again = verify_with_plugins(run, plugins=[Spring])
            assert (again.states, again.different, again.gaps) == (comparison.states, 0, 0)
            assert again.notes == []
    assert seen == set(range(steps + 1))
    last = [row for _, row in rows_of(tmp_path / names[1])]
    first = rows_of(tmp_path / names[2])[0][1]
    assert first[0] == last[-1][0], 'the next file begins with the last state of the one before'
    assert (first[2:] == last[-1][2:]).all()


@pytest.mark.slow
def test_only_the_files_with_the_last_seconds_are_kept(tmp_path):
    other = tmp_path / 'run_3.mcap'
    other.write_text('not ours')
    given = recorder(tmp_path / 'run.mcap', keep_last=0.3, split_duration=0.1)
    with Session(mujoco_xml=ROD, plugins=[given]) as session:

        def gone():
            session.step(20)
            return not (tmp_path / 'run_4.mcap').exists() and (tmp_path / 'run_5.mcap').exists()

        until(gone, 'the removal of old files')
        end = session.time
        path = session.plugins['recorder'].path
    assert other.read_text() == 'not ours'
    other.unlink()
    times = [row[2] for each in tmp_path.glob('*.mcap') for _, row in rows_of(each)]
    assert max(times) == end
    assert min(times) <= end - 0.3
    assert path.exists()


@pytest.mark.slow
def test_a_file_that_is_large_enough_is_followed_by_the_next(tmp_path):
    given = recorder(tmp_path / 'run.mcap', split_size=0.2, chunk_period=0.1, compression='none')
    with Session(mujoco_xml=ROD, plugins=[given]) as session:
        stepped_until_there_are(session, tmp_path, ['run.mcap', 'run_2.mcap'])
    assert (tmp_path / 'run.mcap').stat().st_size > 0.2 * 2**20


def test_a_message_from_before_a_reset_is_of_the_section_before(tmp_path):
    path, kind = tmp_path / 'run.mcap', MessageType(name='std_msgs/msg/Bool', definition='')

    def came(time_s):
        times = {'wall_time_ns': time.time_ns(), 'time_ns': round(time_s * 1e9)}
        waiting.add(WaitingMessage(topic='/said', kind=kind, qos='', data=b'x', **times))

    with Session(mujoco_xml=ROD, plugins=[recorder(path)]) as session:
        waiting = session.plugins['recorder']._messages
        session.step(5)
        came(0.01)
        session.reset()  # immediately: both wait for the writing thread
        came(0.0)
    with RecordedRun(path) as run:
        of = {number: [each.time_ns for each in run.messages(number)] for number in (0, 1)}
    assert of == {0: [10_000_000], 1: [0]}
