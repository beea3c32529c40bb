"""The command `excite`: its trajectory, its table and its errors."""

from __future__ import annotations

import subprocess
import sys

import pytest
import yaml

from mujoco_ros_py.command_line import run as run_command

pytest.importorskip('mujoco.sysid', reason='mujoco[sysid] is not installed')
PENDULUM = """
<mujoco>
  <compiler angle="radian"/>
  <worldbody>
    <body name="rod">
      <joint name="hinge" axis="0 1 0" range="-2 2" damping="1" armature="0.1"
             frictionloss="0.2"/>
      <geom type="capsule" size="0.03" fromto="0 0 0 0 0 0.3" mass="1.5"/>
    </body>
  </worldbody>
</mujoco>
"""
LIMITS = """
joint_limits:
  hinge: {has_velocity_limits: true, max_velocity: 0.5, has_acceleration_limits: false,
          max_acceleration: 1.0, min_position: -0.5}
"""


@pytest.fixture
def model(tmp_path):
    path = tmp_path / 'pendulum.xml'
    path.write_text(PENDULUM)
    return path


def excite(model, *words, joints=('hinge',)):
    output = model.with_name('goals.yaml')
    few = ['--iterations', '2', '--length', '4', '-o', str(output)]
    return run_command(['excite', '--model', str(model), '--joints', *joints, *few, *words])


def failed(capsys, model, *words, **more):
    """Returns the error of a command that must fail."""
    assert excite(model, *words, **more) == 2
    said = capsys.readouterr()
    assert said.out == ''
    assert said.err.startswith('mujoco_ros_py excite: ')
    return said.err.removeprefix('mujoco_ros_py excite: ').strip()


def test_a_trajectory_is_written_and_intervals_are_printed(model, capsys):
    assert excite(model, '--fit', 'friction', 'armature') == 0
    said = capsys.readouterr()
    assert said.err == ''
    head, *rows, summary, path = said.out.splitlines()
    assert head.split() == ['value', '95', '%', 'interval', 'random', 'motion']
    assert [row.split()[0] for row in rows] == [
        'hinge.damping', 'hinge.frictionloss', 'hinge.armature',
    ]  # fmt: skip
    assert all(row.count('±') == 2 for row in rows)
    assert summary.startswith('the confidence region is 0.')
    assert path == str(model.with_name('goals.yaml'))
    message = yaml.safe_load(model.with_name('goals.yaml').read_text())
    assert message['joint_names'] == ['hinge']
    assert len(message['points']) > 80
    assert max(abs(point['velocities'][0]) for point in message['points']) <= 1.0
    assert 'exists; --force overwrites it' in failed(capsys, model)
    assert excite(model, '--force', '--only', 'hinge') == 0


def test_limits_are_read_from_a_file_of_moveit(model, capsys):
    path = model.with_name('joint_limits.yaml')
    path.write_text(LIMITS)
    assert excite(model, '--limits', str(path), '--acceleration', '8') == 0
    capsys.readouterr()
    points = yaml.safe_load(model.with_name('goals.yaml').read_text())['points']
    assert 0.4 < max(abs(point['velocities'][0]) for point in points) <= 0.5
    assert min(point['positions'][0] for point in points) >= -0.5 + 0.05 * 2.5 - 1e-5
    for text, said in (
        ('joint_limits: {hing: {}}', "joint_limits: unknown joint 'hing' (did you mean 'hinge'?)"),
        ('a: 1', f'{path} must have a struct joint_limits, got a struct'),
        (
            'joint_limits: {hinge: {max_velocity: -1}}',
            f'{path}: joint_limits.hinge.max_velocity must be greater than 0, got -1',
        ),
        (
            'joint_limits: {hinge: {max_speed: 1}}',
            f"{path}: joint_limits.hinge: unknown parameter 'max_speed'",
        ),
    ):
        path.write_text(text)
        assert failed(capsys, model, '--force', '--limits', str(path)).startswith(said)


@pytest.mark.parametrize(
    ('words', 'said'),
    [
        (['--velocity', '0'], 'velocity must be greater than 0, got 0'),
        (['--length', '0.5'], 'length must be at least 1 and at most 300, got 0.5'),
        (['--fit', 'contact'], '--fit: motions are designed for friction, armature, masses,'),
        (['--only', 'x'], 'fit: friction: no element matches x'),
    ],
)
def test_options_that_do_not_fit_are_errors(model, capsys, words, said):
    assert failed(capsys, model, *words).startswith(said)


def test_joints_and_arguments_for_ros_are_checked(model, capsys):
    assert failed(capsys, model, joints=('x',)) == "--joints: unknown joint 'x'; known: hinge"
    assert '--ros-args is not for excite' in failed(capsys, model, '--ros-args')
    assert 'no_model.xml: No such file' in failed(capsys, model.with_name('no_model.xml'))


@pytest.mark.parametrize('command', ['excite', 'identify'])
def test_missing_libraries_are_named_with_the_command_that_installs_them(command, model):
    code = (
        'import sys; sys.modules["mujoco.sysid"] = None; '
        'from mujoco_ros_py.command_line import run; '
        f'sys.exit(run(["{command}", "run.mcap", "--model", "{model}"]))'
    )
    found = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True)
    assert found.returncode == 2
    assert found.stderr == (
        f'mujoco_ros_py {command}: identification needs the library mujoco.sysid:'
        " pip install 'mujoco_ros_py[identify]'\n"
    )
