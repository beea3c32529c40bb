"""The package that the command `new` creates, as its author uses it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from deadline import DEADLINE_S

from mujoco_ros_py import command_line


def run(command: list[str], folder: Path, site: Path) -> str:
    paths = os.pathsep.join([str(site), *filter(None, [os.environ.get('PYTHONPATH')])])
    done = subprocess.run(
        [sys.executable, '-m', *command],
        cwd=folder, env={**os.environ, 'PYTHONPATH': paths},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=DEADLINE_S,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_all_of_the_package_has_the_name_that_was_given(tmp_path, capsys):
    assert command_line.run(['new', 'rover', '--directory', str(tmp_path / 'src')]) == 0
    package = tmp_path / 'src' / 'rover'
    written = {path for path in package.rglob('*') if path.is_file()}
    assert {package / 'rover' / 'wind.py', package / 'resource' / 'rover'} < written
    assert not [path for path in written if 'my_robot' in f'{path} {path.read_text()}']
    printed = capsys.readouterr().out
    assert written == {Path(line) for line in printed.splitlines()[: len(written)]}
    assert f'cd {package} && pip install --editable . pytest' in printed
    assert list(package.parent.iterdir()) == [package]


@pytest.mark.parametrize(
    ('name', 'why'),
    [
        ('Rover', 'Rover: the name of a package must have only lower-case'),
        ('my__robot', 'single underscores'),
        ('../robot', 'lower-case letters'),
        ('class', 'must not be a Python keyword'),
        ('test', 'test: a Python module has this name'),
        ('mujoco', 'mujoco: a Python module has this name'),
        ('taken', 'taken exists; nothing was written'),
    ],
)
def test_a_name_that_cannot_be_is_refused_and_nothing_is_written(
    tmp_path, monkeypatch, capsys, name, why
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'taken').mkdir()
    assert command_line.run(['new', name]) == 2
    assert why in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [tmp_path / 'taken']


@pytest.mark.slow
def test_its_plugin_is_found_once_installed_and_its_own_tests_pass(tmp_path):
    pytest.importorskip('rclpy', reason='rclpy is not installed')
    package, site = tmp_path / 'rover', tmp_path / 'site'
    run(['mujoco_ros_py', 'new', 'rover'], tmp_path, site)
    install = 'pip', 'install', '--quiet', '--no-deps', '--no-build-isolation', '--target'
    run([*install, str(site), '.'], package, site)
    assert '2 passed' in run(['pytest', '-p', 'mujoco_ros_py.testing'], package, site)
    printed = run(['mujoco_ros_py', 'robot.xml', 'plugins.yaml', '--steps', '10'], package, site)
    assert '5 of 5 plugins ready' in printed
