"""Type checkers and linters accept the plugins on the pages."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from deadline import DEADLINE_S

from .pages import EXAMPLE, ROOT, blocks

PLUGINS = sorted(
    path for path in EXAMPLE.rglob('*.py') if 'MujocoPlugin' in path.read_text(encoding='utf-8')
)
(TYPED,) = (block.text for block in blocks('python') if block.title == 'typed_damper.py')
EVERYTHING = '''
from dataclasses import dataclass
from typing import Any, Protocol

import mujoco
from std_msgs.msg import Float64
from std_srvs.srv import Trigger

from mujoco_ros_py.plugins import (
    Adaptable,
    Commandable,
    Hardware,
    ModelChange,
    MujocoPlugin,
    Reconfigurable,
    Savable,
    Stoppable,
    compiled,
    new_state,
    ranged,
)


@dataclass(frozen=True)
class Config:
    gain: float = ranged(1.0, live=True)


class State(Protocol):
    gain: float


class Spring(
    MujocoPlugin[Config], Reconfigurable, Adaptable, Savable, Stoppable, Commandable, Hardware
):
    """Overrides one method of each mixin, and creates one of each kind of entity."""

    state: State

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        state = self.state = new_state(gain=self.config.gain)
        self.out = self.ros.create_publisher(Float64, '~/out')
        self.ros.create_subscription(Float64, '~/in', self.take)
        self.ros.create_service(Trigger, '~/go', self.go)
        self.ros.create_timer(0.1, self.tick)
        self.gain = self.ros.create_compiled_publisher(
            Float64, '~/gain', self.fill, rate_hz=10.0, state=state
        )
        self.ros.create_compiled_subscription(Float64, '~/set', self.read, state=state)

    def configure(self, config: Config) -> None:
        self.state.gain = config.gain

    def adapt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        self.load(model, data)

    def model_changed(
        self, model: mujoco.MjModel, data: mujoco.MjData, change: ModelChange
    ) -> None:
        print(change.kind, change.number)

    def save(self) -> float:
        return self.state.gain

    def restore(self, saved: float) -> None:
        self.state.gain = saved

    def withdraw(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        data.ctrl[:] = 0.0

    def take_command(self, model: mujoco.MjModel, data: mujoco.MjData, /, *, gain: float) -> None:
        self.state.gain = gain

    @property
    def driven_actuators(self) -> tuple[str, ...]:
        return ('motor',)

    def take(self, message: Float64) -> None:
        self.out.publish(message)

    def go(self, request: Any, response: Any) -> Any:
        return response

    def tick(self) -> None:
        print(self.gain.read(), self.out.get_subscription_count())

    @staticmethod
    @compiled
    def fill(state: State, model: Any, data: Any, message: Float64) -> None:
        message.data = state.gain

    @staticmethod
    @compiled
    def read(state: State, model: Any, data: Any, message: Float64) -> None:
        state.gain = message.data

    @staticmethod
    @compiled
    def control_callback(state: State, model: Any, data: Any) -> None:
        data.ctrl[0] = state.gain

    def read_callback(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        data.qpos[0] += self.state.gain

    @staticmethod
    @compiled
    def write_callback(state: State, model: Any, data: Any) -> None:
        data.ctrl[0] = min(data.ctrl[0], state.gain)
'''
"""A plugin with type hints that uses the whole contract of plugins."""
RUFF = [
    'ruff', 'check', '--isolated', '--no-cache', '--extend-select=N,B',
    '--ignore=I001',  # the order of imports depends on the folder
    '--config=lint.flake8-bugbear.extend-immutable-calls=["mujoco_ros_py.plugins.ranged"]',
]  # fmt: skip
MYPY = [
    'mypy', '--config-file=', '--ignore-missing-imports', '--follow-imports=silent', '--strict',
    '--disable-error-code=no-untyped-def', '--disable-error-code=no-untyped-call',
]  # fmt: skip
PYRIGHT = ['pyright', '--pythonpath', sys.executable]

pytestmark = pytest.mark.slow


@pytest.fixture(scope='module')
def folder(tmp_path_factory) -> Path:
    """Returns a folder with the plugins of the pages, without this project's settings."""
    folder = tmp_path_factory.mktemp('plugins')
    for path in PLUGINS:
        shutil.copy(path, folder)
    (folder / 'typings' / 'mujoco').mkdir(parents=True)  # hides bindings from pyright
    (folder / 'typings' / 'mujoco' / '__init__.pyi').write_text(
        'from typing import Any\n\ndef __getattr__(name: str) -> Any: ...\n'
    )
    (folder / 'everything.py').write_text(EVERYTHING, encoding='utf-8')
    (folder / 'typed_damper.py').write_text(TYPED, encoding='utf-8')
    (folder / 'wrong_damper.py').write_text(TYPED.replace('state.damping *', 'state.brake *'))
    return folder


def told(folder: Path, *command: str) -> list[str]:
    """Runs a tool in the folder; returns the lines with errors that it prints."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ['PATH']])
    program = shutil.which(command[0], path=path)
    if program is None:
        pytest.skip(f'{command[0]} is not installed')
    run = subprocess.run(
        [program, *command[1:]],
        cwd=folder,
        env={**os.environ, 'PATH': path, 'MYPYPATH': str(ROOT), 'PYTHONPATH': str(ROOT)},
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
    )
    errors = [line for line in run.stdout.splitlines() if ' error: ' in line]
    assert run.returncode == bool(errors), run.stdout + run.stderr
    return errors


def test_ruff_takes_the_plugins_and_fixes_nothing(folder):
    names = [path.name for path in PLUGINS]
    assert 'damper.py' in names
    before = [(folder / name).read_text() for name in names]
    assert told(folder, *RUFF, '--fix', '--unsafe-fixes', *names, 'typed_damper.py') == []
    assert [(folder / name).read_text() for name in names] == before


@pytest.mark.parametrize(
    'checker',
    [
        pytest.param(MYPY, marks=pytest.mark.nightly, id='mypy'),
        pytest.param(PYRIGHT, id='pyright'),
    ],
)
def test_type_checkers_take_the_plugins_and_know_the_fields_of_a_typed_state(folder, checker):
    names = [path.name for path in PLUGINS]
    typed = ['everything.py', 'typed_damper.py', 'wrong_damper.py']
    (error,) = told(folder, *checker, *names, *typed)
    assert 'wrong_damper.py' in error
    assert '"brake"' in error
